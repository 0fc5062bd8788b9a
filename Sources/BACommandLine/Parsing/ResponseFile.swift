import BAArchive
import BADiagnostics

/// Arguments from files: the word `@file` is replaced by the words in a file, as with compilers.
/// Build systems write such files for command lines that are too long.
///
/// Words are separated by whitespace. A backslash makes the next character part of its word, as do
/// single and double quotes for all characters between them; a backslash works inside both. In a
/// file with NUL characters, as written by 'find -print0', only those separate words. Files may be
/// nested. After `--`, words are arguments even if they begin with `@`.
package enum ResponseFile {
  /// Deeper nesting is probably a mistake.
  private static let maximumDepth = 10
  private static let maximumSize = 64 << 20

  package static func expanding(_ words: [[UInt8]]) throws -> [[UInt8]] {
    guard words.contains(where: isFile) else { return words }
    var isLiteral = false
    return try expanding(words, depth: 0, &isLiteral)
  }

  private static func expanding(
    _ words: [[UInt8]], depth: Int, _ isLiteral: inout Bool
  ) throws -> [[UInt8]] {
    var expanded: [[UInt8]] = []
    for word in words {
      guard !isLiteral, isFile(word) else {
        if word.elementsEqual("--".utf8) { isLiteral = true }
        expanded.append(word)
        continue
      }
      let path = BytePath(word.dropFirst())
      guard depth < maximumDepth else {
        throw PackagingError(
          "'@\(path)' is in more than \(maximumDepth) response files, one in another")
      }
      let text: [UInt8]
      do {
        text = try path.contents(limit: maximumSize)
      } catch {
        throw PackagingError("\(error); '@\(path)' reads arguments from a file")
      }
      guard let found = self.words(in: text) else {
        throw PackagingError(
          "'\(path)' ends in a quoted word; close the quote or escape it with '\\'")
      }
      expanded += try expanding(found, depth: depth + 1, &isLiteral)
    }
    return expanded
  }

  private static func isFile(_ word: [UInt8]) -> Bool {
    word.count > 1 && word.first == UInt8(ascii: "@")
  }

  /// The text in a file that means the argument `path`.
  package static func word(for path: BytePath) -> [UInt8] {
    let isMistakable = path.bytes.first.map("@-".utf8.contains) ?? false
    return (isMistakable && !path.isStandardStream ? Array("./".utf8) : [])
      + path.bytes.flatMap { byte in
        (0x09...0x0D).contains(byte) || #" "'\"#.utf8.contains(byte)
          ? [ASCII.backslash, byte] : [byte]
      }
  }

  /// The words of a file; nil if a quote is not closed.
  package static func words(in text: [UInt8]) -> [[UInt8]]? {
    if text.contains(0) { return text.split(separator: 0).map(Array.init) }
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var quote: UInt8?
    var isEscaped = false
    for byte in text {
      switch byte {
      case _ where isEscaped:
        word = (word ?? []) + [byte]
        isEscaped = false
      case ASCII.backslash:
        isEscaped = true
      case _ where quote == byte:
        quote = nil
      case UInt8(ascii: "'") where quote == nil, UInt8(ascii: "\"") where quote == nil:
        quote = byte
        word = word ?? []
      case UInt8(ascii: " ") where quote == nil, 0x09...0x0D where quote == nil:
        if let complete = word { words.append(complete) }
        word = nil
      default:
        word = (word ?? []) + [byte]
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words
  }
}
