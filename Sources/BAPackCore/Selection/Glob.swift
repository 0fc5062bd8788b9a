/// A pattern for relative paths, matched byte by byte and component by component.
///
/// `*` matches any bytes of a component and `?` one byte; `[abc]`, `[a-z]` and `[!a]` match one
/// byte of a set; a component `**` matches any number of folders, or at the end everything below.
/// `\` makes the next byte literal. Wildcards don't match a leading dot of a component.
package struct Glob: Sendable {
  /// The maximum number of components: the states of a match fit into one machine word.
  package static let maximumComponents = 63

  private var parts: [Part] = []

  private enum Part: Sendable {
    case anyDepth
    case name([GlobToken])
  }

  /// Parses a relative pattern without empty, `.` or `..` components.
  package init(_ pattern: RelativePath, at location: SourceLocation? = nil) throws(Finding) {
    func invalid(_ reason: String) -> Finding {
      Finding(
        .invalidPattern, "'\(pattern)' is not a valid pattern: \(reason)", at: location)
    }
    for component in pattern.components {
      if component.elementsEqual("**".utf8) {
        // Two in a row are the same as one.
        if case .anyDepth? = parts.last { continue }
        parts.append(.anyDepth)
      } else {
        parts.append(.name(try GlobToken.parse(component, invalid)))
      }
    }
    guard parts.count <= Self.maximumComponents else {
      throw invalid("it has more than \(Self.maximumComponents) components")
    }
  }

  /// Whether `bytes` contain a character that is special in a pattern.
  package static func isPattern(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { "*?[\\".utf8.contains($0) }
  }

  /// Whether the whole of `path` matches.
  package func matches(_ path: RelativePath) -> Bool {
    var progress = start
    for component in path.components {
      progress = advance(progress, by: component)
    }
    return isComplete(progress)
  }

  /// The state of a match after some folders: a set of positions in the pattern.
  package struct Progress: Hashable, Sendable {
    fileprivate var positions: UInt64
  }

  /// The state before the first component of a path.
  package var start: Progress { closed(Progress(positions: 1)) }

  /// The state after one more component of a path.
  package func advance(_ progress: Progress, by name: ArraySlice<UInt8>) -> Progress {
    var next = Progress(positions: 0)
    for (position, part) in parts.enumerated()
    where progress.positions & (1 << UInt64(position)) != 0 {
      switch part {
      case .anyDepth:
        if name.first != ASCII.dot {
          next.positions |= 1 << UInt64(position)
          // At the end it also matches the last component of a path.
          if position == parts.count - 1 { next.positions |= 1 << UInt64(position + 1) }
        }
      case .name(let tokens):
        if GlobToken.match(tokens, name: name) { next.positions |= 1 << UInt64(position + 1) }
      }
    }
    return closed(next)
  }

  /// Whether anything below the current folder can match.
  package func mayMatchBelow(_ progress: Progress) -> Bool {
    progress.positions & ~(1 << UInt64(parts.count)) != 0
  }

  /// The only name that can match next; nil if there may be several.
  package func onlyName(_ progress: Progress) -> [UInt8]? {
    let position = progress.positions.trailingZeroBitCount
    guard progress.positions == 1 << UInt64(position), position < parts.count,
      case .name(let tokens) = parts[position]
    else { return nil }
    return GlobToken.literal(tokens)
  }

  /// What a name that can match next begins with; empty if there may be several beginnings.
  func prefix(_ progress: Progress) -> [UInt8] {
    let position = progress.positions.trailingZeroBitCount
    guard progress.positions == 1 << UInt64(position), position < parts.count,
      case .name(let tokens) = parts[position]
    else { return [] }
    return GlobToken.prefix(tokens)
  }

  /// What each path that matches begins with.
  fileprivate var prefix: [UInt8] {
    var prefix: [UInt8] = []
    for (position, part) in parts.enumerated() {
      guard case .name(let tokens) = part else { break }
      prefix += GlobToken.prefix(tokens)
      guard GlobToken.literal(tokens) != nil else { break }
      if position + 1 < parts.count { prefix.append(ASCII.slash) }
    }
    return prefix
  }

  /// Whether the components so far match.
  package func isComplete(_ progress: Progress) -> Bool {
    progress.positions & (1 << UInt64(parts.count)) != 0
  }

  /// Adds the positions after each `**` that isn't last, since it may match zero folders.
  private func closed(_ progress: Progress) -> Progress {
    var progress = progress
    for (position, part) in parts.enumerated().dropLast() {
      if case .anyDepth = part, progress.positions & (1 << UInt64(position)) != 0 {
        progress.positions |= 1 << UInt64(position + 1)
      }
    }
    return progress
  }
}

/// Values by patterns. A path is compared only with patterns that begin as it does: those of an
/// engine's export are as many as its files.
struct GlobIndex<Value: Sendable>: Sendable {
  private var globs: [ArraySlice<UInt8>: [(glob: Glob, value: Value)]] = [:]
  /// The lengths of their beginnings.
  private var lengths: Set<Int> = []

  mutating func add(_ glob: Glob, _ value: Value) {
    let prefix = glob.prefix[...]
    lengths.insert(prefix.count)
    globs[prefix, default: []].append((glob, value))
  }

  /// The values of the patterns that match `path`.
  func values(matching path: RelativePath) -> [Value] {
    var values: [Value] = []
    for length in lengths where length <= path.bytes.count {
      for (glob, value) in globs[path.bytes[..<length]] ?? [] where glob.matches(path) {
        values.append(value)
      }
    }
    return values
  }
}
