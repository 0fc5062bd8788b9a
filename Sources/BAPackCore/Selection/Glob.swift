/// A pattern for relative paths, matched byte by byte and part by part.
///
/// `*` stands for any bytes of one part and `?` for one byte; `[abc]`, `[a-z]` and `[!a]` for one
/// byte of a set; a part `**` for any number of folders, or at the end for everything below. `\`
/// takes the special meaning from the byte that follows. A dot at the start of a part must be
/// written: no wildcard matches it.
public struct Glob: Sendable {
  /// The most parts that a pattern may have: states of a match fit into one machine word.
  public static let mostParts = 63

  private let parts: [Part]

  private enum Part: Sendable {
    case anyDepth
    case name([GlobToken])
  }

  /// Parses a pattern that is relative and has neither empty, `.` nor `..` parts.
  public init(_ pattern: RelativePath) throws(GlobError) {
    var parts: [Part] = []
    for component in pattern.components {
      if component.elementsEqual("**".utf8) {
        // Two in a row say no more than one.
        if case .anyDepth? = parts.last { continue }
        parts.append(.anyDepth)
      } else {
        parts.append(.name(try GlobToken.parse(component)))
      }
    }
    guard parts.count <= Self.mostParts else { throw .tooManyParts }
    self.parts = parts
  }

  /// Whether `bytes` hold anything that a pattern reads as more than itself.
  public static func isPattern(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { "*?[\\".utf8.contains($0) }
  }

  /// Whether the whole of `path` matches.
  public func matches(_ path: RelativePath) -> Bool {
    var progress = start
    for component in path.components {
      progress = advance(progress, by: component)
    }
    return isComplete(progress)
  }

  /// How much of the pattern the folders walked so far have used up: a set of places in it.
  public struct Progress: Hashable, Sendable {
    fileprivate var places: UInt64
  }

  /// Before the first part of a path.
  public var start: Progress { closed(Progress(places: 1)) }

  /// After one more part of a path.
  public func advance(_ progress: Progress, by name: ArraySlice<UInt8>) -> Progress {
    var next = Progress(places: 0)
    for (place, part) in parts.enumerated() where progress.places & (1 << UInt64(place)) != 0 {
      switch part {
      case .anyDepth:
        if name.first != ASCII.dot {
          next.places |= 1 << UInt64(place)
          // At the end it also takes the last part of a path.
          if place == parts.count - 1 { next.places |= 1 << UInt64(place + 1) }
        }
      case .name(let tokens):
        if GlobToken.match(tokens, name: name) { next.places |= 1 << UInt64(place + 1) }
      }
    }
    return closed(next)
  }

  /// Whether anything below the folder walked to can match.
  public func mayMatchBelow(_ progress: Progress) -> Bool {
    progress.places & ~(1 << UInt64(parts.count)) != 0
  }

  /// The one name that the next part of a path must have; nil where several may do.
  package func onlyName(_ progress: Progress) -> [UInt8]? {
    let place = progress.places.trailingZeroBitCount
    guard progress.places == 1 << UInt64(place), place < parts.count,
      case .name(let tokens) = parts[place]
    else { return nil }
    return GlobToken.literal(tokens)
  }

  /// Whether the parts walked so far are a match.
  public func isComplete(_ progress: Progress) -> Bool {
    progress.places & (1 << UInt64(parts.count)) != 0
  }

  /// With the places behind each `**` that is not last, since it may stand for no folder at all.
  private func closed(_ progress: Progress) -> Progress {
    var progress = progress
    for (place, part) in parts.enumerated().dropLast() {
      if case .anyDepth = part, progress.places & (1 << UInt64(place)) != 0 {
        progress.places |= 1 << UInt64(place + 1)
      }
    }
    return progress
  }
}

/// Why a pattern can't be read.
public enum GlobError: Error, Hashable, Sendable {
  /// A `[` without its `]`.
  case unclosedSet
  /// A range from a higher byte to a lower one.
  case emptyRange
  /// `[^…]`, which some tools take for `[!…]`.
  case caretSet
  /// A set with a byte outside ASCII, which would match a part of a character.
  case setBeyondASCII
  /// `\` with nothing behind it.
  case trailingBackslash
  /// More parts than ``Glob/mostParts``.
  case tooManyParts
}
