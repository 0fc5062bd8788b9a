import BAPackCore

/// The arguments with strings of the calls in a source in Swift, C# or GDScript.
///
/// Only names, strings, comments and brackets are told apart. Any bytes are accepted: what is no such
/// source has other arguments, or none.
package struct SourceStrings {
  package enum Language: String, CaseIterable { case swift, cs, gd }

  package struct Argument {
    /// The call, and the label or else the number of any argument but the first, in lowercase without
    /// underscores: `contentsat` for `contents(at:` and `contents_at(`, `openfile1`.
    package let call: String
    /// Its first string, without the quotes.
    package let range: Range<Int>
    /// Whether that is the argument, without operators, interpolation or escapes.
    package let isAlone: Bool
  }

  package private(set) var arguments: [Argument] = []
  private let bytes: [UInt8]
  private let language: Language
  private var position = 0

  package init(in bytes: [UInt8], _ language: Language) {
    self.bytes = bytes
    self.language = language
    while position < bytes.count { _ = readCall(0..<0, depth: 0) }
  }

  private func isAt(_ text: String) -> Bool {
    bytes[min(position, bytes.count)...].starts(with: text.utf8)
  }

  private func word(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].filter { $0 != 0x5F }.map(ASCII.lowercased), as: UTF8.self)
  }

  /// Reads up to the end of a call or of other brackets. Returns its string, if it has nothing else.
  private mutating func readCall(_ call: Range<Int>, depth: Int) -> Range<Int>? {
    var (name, label) = (0..<0, 0..<0)
    // The number of the argument, and of its words and signs so far.
    var (number, words) = (0, 0)
    var string: (range: Range<Int>, isPlain: Bool)?
    if depth > 200 { position = bytes.count }
    while position < bytes.count {
      if bytes[position] <= 0x20 || skipComment() {
        position += 1
        continue
      }
      let last = name
      name = 0..<0
      if let found = readString() {
        string = string ?? found
        words += 1
        continue
      }
      let rest = bytes[position...].prefix {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F || $0 >= 0x80
      }
      position += max(rest.count, 1)
      switch rest.isEmpty ? Character(Unicode.Scalar(bytes[position - 1])) : "a" {
      case "a":
        name = rest.startIndex..<rest.endIndex
        words += 1
      case ":" where words == 1 && !last.isEmpty:
        label = last
        words = 0
      case "(", "[", "{":
        words += 1
        let isCall = bytes[position - 1] == UInt8(ascii: "(")
        // 'FilePath("a")' and '.init("a")' stand for 'a'.
        if let inner = readCall(isCall ? last : 0..<0, depth: depth + 1), words <= 3,
          ["filepath", "init"].contains(word(last))
        {
          string = (inner, true)
          words = 1
        }
      case ",", ")", "]", "}":
        let isAlone = string?.isPlain == true && words == 1
        if let string, !call.isEmpty {
          let which = label.isEmpty && number > 0 ? "\(number)" : word(label)
          arguments.append(
            Argument(call: word(call) + which, range: string.range, isAlone: isAlone))
        }
        if bytes[position - 1] != UInt8(ascii: ",") {
          return isAlone && number == 0 && label.isEmpty ? string?.range : nil
        }
        number += 1
        (label, words, string) = (0..<0, 0, nil)
      default: words += 1
      }
    }
    return nil
  }

  /// Skips a comment up to its last byte.
  private mutating func skipComment() -> Bool {
    let start = position
    if isAt(language == .gd ? "#" : "//") {
      while position < bytes.count, !isLineEnd { position += 1 }
    } else if language != .gd, isAt("/*") {
      var depth = 0
      repeat {
        let change = isAt("*/") ? -1 : isAt("/*") && (depth == 0 || language == .swift) ? 1 : 0
        depth += change
        position += change == 0 ? 1 : 2
      } while depth > 0 && position < bytes.count
      position -= 1
    }
    return position > start
  }

  private var isLineEnd: Bool { bytes[position] == 0x0A || bytes[position] == 0x0D }

  /// Reads a string. One in an interpolation ends the string around it, whose rest is a third.
  private mutating func readString() -> (range: Range<Int>, isPlain: Bool)? {
    let signs = language == .swift ? "#" : language == .cs ? "$@" : "&^"
    let prefix = bytes[position...].prefix(16).prefix { signs.utf8.contains($0) }
    let run = bytes[prefix.endIndex...].prefix(3)
    guard let mark = run.first, mark == 0x22 || mark == 0x27 && language != .swift else {
      return nil
    }
    let isVerbatim = prefix.contains(UInt8(ascii: "@"))
    let isLong = run.count == 3 && run.allSatisfy { $0 == mark } && !isVerbatim
    let hashes = language == .swift ? String(decoding: prefix, as: UTF8.self) : ""
    let end = String(repeating: String(Unicode.Scalar(mark)), count: isLong ? 3 : 1) + hashes
    var isPlain = !isLong && !prefix.contains(UInt8(ascii: "$"))
    position = prefix.endIndex + (isLong ? 3 : 1)
    let start = position
    while position < bytes.count, !isAt(end), isLong || isVerbatim || !isLineEnd {
      let isEscape = bytes[position] == ASCII.backslash && !isVerbatim
      isPlain = isPlain && !isEscape
      position += isEscape && hashes.isEmpty ? 2 : 1
    }
    let range = start..<min(position, bytes.count)
    isPlain = isPlain && isAt(end)
    position += isAt(end) ? end.utf8.count : 0
    return (range, isPlain)
  }
}
