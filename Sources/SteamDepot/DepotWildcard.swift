import BAPackCore

/// A pattern as Steam's build scripts have them: `*` for any number of characters, `?` for one. Both
/// match a dot at the start of a name, too; no other character is special.
package struct DepotWildcard {
  /// The pattern, with runs of `*` made one.
  package let bytes: [UInt8]
  /// Whether `*` takes slashes as well: so it is in FileExclusion, whose patterns are held against
  /// whole paths (`*.pdb` takes out the symbol files of all folders), and not in LocalPath, whose
  /// patterns are held against names.
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

  /// Whether the pattern is `*` alone.
  var matchesAll: Bool { bytes == [star] }

  /// Whether the first part of the pattern is a name as it is written.
  var beginsWithName: Bool { !Self.isPattern(Array(bytes.prefix { $0 != ASCII.slash })) }

  /// Whether the whole of `text` matches, in time no worse than the product of both lengths. With
  /// `ignoringCase` ASCII letters match in either case, as they do where Steam runs on Windows.
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
  /// Patterns of a manifest that together match the same names or paths, apart from names that begin
  /// with a dot, which they only match where the dot is written. Nil for more `*` than can be
  /// spelled out.
  package var globs: [[UInt8]]? {
    guard crossesFolders else { return [Self.escaped(bytes, keepingWildcards: true)] }
    let pieces = bytes.split(separator: star, omittingEmptySubsequences: false)
      .map { Self.escaped($0, keepingWildcards: true) }
    guard pieces.count <= 4 else { return nil }
    // Before its first star the pattern is plain; each star then stays in its folder or leaves it.
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
      // At the end: `dir/*` is all below, `dir/a*` is such names and all below such folders.
      return startsPart ? [glob + "**".utf8] : [glob + "*".utf8, glob + "*/**".utf8]
    }
    // At the start of a part, and with more of it to come: in this folder or any below.
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
