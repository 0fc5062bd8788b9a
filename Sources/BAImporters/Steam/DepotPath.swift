import BAPackCore

/// A path in a build script: components separated by slashes or backslashes, which are equivalent
/// to Steam. Empty and `.` components are removed, and `..` is resolved.
struct DepotPath: Equatable {
  enum Anchor: Equatable {
    /// A folder that depends on the key.
    case relative
    /// The root of the file system.
    case top
    /// A Windows drive or share, `C:` or `\\server`, in lowercase.
    case windows([UInt8])
  }

  let anchor: Anchor
  /// The number of leading `..` components.
  let climbs: Int
  let parts: [[UInt8]]
  /// Whether the path ends with a separator or is `.`.
  let isFolder: Bool

  init(_ written: [UInt8]) {
    var rest = written[...]
    if rest.count >= 2, isSeparator(rest[0]), rest[0] == rest[1] {
      let server = rest.dropFirst(2).prefix { !isSeparator($0) }
      anchor = .windows(server.map(ASCII.lowercased))
      rest = rest.dropFirst(2 + server.count)
    } else if rest.count >= 2, rest[1] == UInt8(ascii: ":") {
      anchor = .windows([ASCII.lowercased(rest[0]), rest[1]])
      rest = rest.dropFirst(2)
    } else {
      anchor = rest.first.map(isSeparator) == true ? .top : .relative
    }
    var climbs = 0
    var parts: [[UInt8]] = []
    let all = rest.split(whereSeparator: isSeparator)
    for part in all where !part.elementsEqual(".".utf8) {
      if !part.elementsEqual("..".utf8) {
        parts.append(Array(part))
      } else if parts.popLast() == nil, anchor == .relative {
        climbs += 1
      }
    }
    self.climbs = climbs
    self.parts = parts
    isFolder =
      written.last.map(isSeparator) ?? true || all.last?.elementsEqual(".".utf8) == true
      || all.last?.elementsEqual("..".utf8) == true
  }

  /// The components relative to `folder`, if the path is inside. Steam ignores case on Windows.
  func parts(below folder: DepotPath) -> [[UInt8]]? {
    guard anchor == folder.anchor, parts.count >= folder.parts.count else { return nil }
    let isInside = zip(parts, folder.parts).allSatisfy { own, other in
      if case .windows = anchor { return own.map(ASCII.lowercased) == other.map(ASCII.lowercased) }
      return own == other
    }
    return isInside ? Array(parts[folder.parts.count...]) : nil
  }

  /// The path with slashes, for the file system; nil for a Windows path.
  var filePath: BytePath? {
    let climb = Array(repeating: Array("..".utf8), count: climbs)
    let joined = (climb + parts).joined(separator: "/".utf8)
    switch anchor {
    case .relative: return BytePath(parts.isEmpty && climbs == 0 ? Array(".".utf8) : Array(joined))
    case .top: return BytePath([ASCII.slash] + joined)
    case .windows: return nil
    }
  }
}

private func isSeparator(_ byte: UInt8) -> Bool {
  byte == ASCII.slash || byte == ASCII.backslash
}
