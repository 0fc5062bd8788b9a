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
    /// Whether the call is of a member of something: `manager.contents(at:`.
    package let isMember: Bool
    /// Its first string, without the quotes.
    package let range: Range<Int>
    /// Whether that is the argument, without operators, interpolation or escapes.
    package let isAlone: Bool
  }

  package private(set) var arguments: [Argument] = []
  private let language: Language
  private var cursor: TextCursor

  package init(in source: SourceText, _ language: Language) {
    self.language = language
    cursor = TextCursor(source)
    while !cursor.isAtEnd { _ = readCall([], depth: 0) }
  }

  private func word(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.filter { $0 != 0x5F }.map(ASCII.lowercased), as: UTF8.self)
  }

  private typealias Text = (range: Range<Int>, isPlain: Bool)

  /// Reads up to the end of a call or of other brackets. Returns its last argument's first string, and
  /// whether it has nothing else.
  private mutating func readCall(_ call: ArraySlice<UInt8>, depth: Int) -> Text? {
    var (name, label): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    // The number of the argument, and of its words and signs so far.
    var (number, words) = (0, 0)
    var string: Text?
    if depth > 200 { cursor.position = cursor.source.bytes.count }
    while !cursor.isAtEnd {
      if !cursor.take(while: { $0 <= 0x20 }).isEmpty || skipComment() { continue }
      let last = name
      name = []
      if let found = readString() {
        string = string ?? found
        words += 1
        continue
      }
      name = cursor.take {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F || $0 >= 0x80
      }
      if !name.isEmpty {
        words += 1
        continue
      }
      let sign = cursor.source.bytes[cursor.position]
      cursor.position += 1
      switch Character(Unicode.Scalar(sign)) {
      case ":" where words == 1 && !last.isEmpty:
        label = last
        words = 0
      case "(", "[", "{":
        words += 1
        // 'FilePath("a")' and '.init("a")' stand for 'a'.
        let isPath = words <= 3 && ["filepath", "init"].contains(word(last))
        if let inner = readCall(sign == UInt8(ascii: "(") ? last : [], depth: depth + 1), isPath {
          string = inner
          words = 1
        }
      case ",", ")", "]", "}":
        let isAlone = string?.isPlain == true && words == 1
        if let string, !call.isEmpty {
          let which = label.isEmpty && number > 0 ? "\(number)" : word(label)
          let before = cursor.source.bytes[..<call.startIndex].last
          arguments.append(
            Argument(
              call: word(call) + which, isMember: before == ASCII.dot, range: string.range,
              isAlone: isAlone))
        }
        if sign != UInt8(ascii: ",") {
          return string.map { ($0.range, isAlone && number == 0 && label.isEmpty) }
        }
        number += 1
        (label, words, string) = ([], 0, nil)
      default: words += 1
      }
    }
    return nil
  }

  private mutating func skipComment() -> Bool {
    if cursor.skip(language == .gd ? "#" : "//") {
      _ = cursor.take { !Self.endsLine($0) }
      return true
    }
    guard language != .gd, cursor.skip("/*") else { return false }
    var depth = 1
    while depth > 0, !cursor.isAtEnd {
      if cursor.skip("*/") {
        depth -= 1
      } else if language == .swift, cursor.skip("/*") {
        depth += 1
      } else {
        cursor.position += 1
      }
    }
    return true
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Reads a string. One in an interpolation ends the string around it, whose rest is a third.
  private mutating func readString() -> Text? {
    let bytes = cursor.source.bytes
    let signs = language == .swift ? "#" : language == .cs ? "$@" : "&^"
    let prefix = bytes[cursor.position...].prefix(16).prefix { signs.utf8.contains($0) }
    let run = bytes[prefix.endIndex...].prefix(3)
    guard let mark = run.first, mark == 0x22 || mark == 0x27 && language != .swift else {
      return nil
    }
    let isVerbatim = prefix.contains(UInt8(ascii: "@"))
    let isLong = run.count == 3 && run.allSatisfy { $0 == mark } && !isVerbatim
    let hashes = language == .swift ? String(decoding: prefix, as: UTF8.self) : ""
    let end = String(repeating: String(Unicode.Scalar(mark)), count: isLong ? 3 : 1) + hashes
    var isPlain = !isLong && !prefix.contains(UInt8(ascii: "$"))
    cursor.position = prefix.endIndex + (isLong ? 3 : 1)
    let start = cursor.position
    while let byte = cursor.current, !cursor.isAt(end),
      isLong || isVerbatim || !Self.endsLine(byte)
    {
      let isEscape = byte == ASCII.backslash && !isVerbatim
      isPlain = isPlain && !isEscape
      cursor.position = min(cursor.position + (isEscape && hashes.isEmpty ? 2 : 1), bytes.count)
    }
    let range = start..<cursor.position
    return (range, cursor.skip(end) && isPlain)
  }
}
