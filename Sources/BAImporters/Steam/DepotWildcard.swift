import BAPackCore

/// A pattern of Steam's build scripts: `*` matches any number of characters, `?` one. Both match a
/// leading dot; no other character is special.
package struct DepotWildcard {
  /// The pattern, with runs of `*` reduced to one.
  package let bytes: [UInt8]
  /// Whether `*` matches slashes: true for FileExclusion, whose patterns match whole paths (`*.pdb`
  /// excludes the symbol files in all folders), false for LocalPath, whose patterns match names.
  let crossesFolders: Bool

  package init(_ bytes: some Sequence<UInt8>, crossesFolders: Bool) {
    var collapsed: [UInt8] = []
    for byte in bytes where byte != star || collapsed.last != star { collapsed.append(byte) }
    self.bytes = collapsed
    self.crossesFolders = crossesFolders
  }

  static func isPattern(_ bytes: [UInt8]) -> Bool {
    bytes.contains(star) || bytes.contains(questionMark)
  }

  var matchesAll: Bool { bytes == [star] }

  var beginsWithName: Bool { !Self.isPattern(Array(bytes.prefix { $0 != ASCII.slash })) }

  /// Whether `text` as a whole matches, in time at most proportional to the product of both
  /// lengths. With `ignoringCase`, the case of ASCII letters is ignored, like Steam on Windows.
  package func matches(_ text: some Sequence<UInt8>, ignoringCase: Bool = false) -> Bool {
    let text = ignoringCase ? text.map(ASCII.lowercased) : Array(text)
    let tokens = bytes.map { byte -> GlobToken in
      switch byte {
      case star: .anyBytes
      case questionMark: .anyByte
      default: .byte(ignoringCase ? ASCII.lowercased(byte) : byte)
      }
    }
    return GlobToken.match(tokens, text[...], crossesFolders: crossesFolders)
  }
}

extension DepotWildcard {
  /// Patterns for a manifest that together match the same names or paths, except those with a
  /// leading dot. Nil if there are too many `*`.
  package var globs: [[UInt8]]? {
    guard crossesFolders else { return [Self.escaped(bytes, keepingWildcards: true)] }
    let pieces = bytes.split(separator: star, omittingEmptySubsequences: false)
      .map { Self.escaped($0, keepingWildcards: true) }
    guard pieces.count <= 4 else { return nil }
    // The pattern is literal up to its first star; each star then matches slashes or not.
    var globs: [[UInt8]] = [pieces[0]]
    for (index, piece) in pieces.enumerated().dropFirst() {
      let isLast = index == pieces.count - 1
      globs = globs.flatMap { glob in Self.continued(glob, by: piece, isLast: isLast) }
    }
    return globs
  }

  private static func continued(_ glob: [UInt8], by piece: [UInt8], isLast: Bool) -> [[UInt8]] {
    let startsPart = glob.isEmpty || glob.last == ASCII.slash
    if isLast, piece.isEmpty {
      // At the end: `dir/*` is everything below, `dir/a*` is matching names and everything in
      // matching folders.
      return startsPart ? [glob + "**".utf8] : [glob + "*".utf8, glob + "*/**".utf8]
    }
    // At the start of a longer component: in this folder or any below.
    if startsPart, piece.first != ASCII.slash { return [glob + "**/*".utf8 + piece] }
    return [glob + "*".utf8 + piece, glob + "*/**/*".utf8 + piece]
  }

  /// `bytes` with a backslash before each character that is special in a manifest's patterns.
  static func escaped(_ bytes: some Sequence<UInt8>, keepingWildcards: Bool = false) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      let isWildcard = byte == star || byte == questionMark
      let isSpecial = byte == UInt8(ascii: "[") || byte == ASCII.backslash
      return isSpecial || isWildcard && !keepingWildcards ? [ASCII.backslash, byte] : [byte]
    }
  }
}

private let star = UInt8(ascii: "*")
private let questionMark = UInt8(ascii: "?")
