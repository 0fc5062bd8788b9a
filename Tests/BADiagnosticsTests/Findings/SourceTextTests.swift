import BADiagnostics
import BATestSupport
import Testing

@Suite struct SourceTextTests {
  private func text(_ string: String) -> SourceText {
    SourceText(name: "a", bytes: Array(string.utf8))
  }

  @Test func countsLinesAndCodePoints() {
    let text = text("aé\r\n\n🎮b\rc")
    let expected = [
      (0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 1, 4), (5, 2, 1), (6, 3, 1), (10, 3, 2), (11, 3, 3),
      (12, 4, 1), (13, 4, 2),
    ]
    for (offset, line, column) in expected {
      #expect(
        text.position(at: offset) == SourcePosition(line: line, column: column), "byte \(offset)")
    }
    #expect(
      (1...4).map { String(decoding: text.line($0), as: UTF8.self) } == ["aé", "", "🎮b", "c"])
  }

  @Test func anEmptyTextHasOneLine() {
    #expect(text("").position(at: 0) == SourcePosition(line: 1, column: 1))
    #expect(text("").line(1).isEmpty)
    #expect(text("\n").position(at: 1) == SourcePosition(line: 2, column: 1))
    #expect(text("\n").line(2).isEmpty)
  }

  @Test func locationsHaveBothEnds() {
    let location = SourceLocation(text("{\n  'äb'}"), 5..<8)
    #expect(location.start == SourcePosition(line: 2, column: 4))
    #expect(location.end == SourcePosition(line: 2, column: 6))
  }

  /// Columns of a long line are counted from the nearest of some fixed offsets.
  @Test func countsColumnsOfLongLines() {
    let pieces = ["a", "é", "🎮", "灯"]
    let string = "x\n" + (0..<3000).map { pieces[$0 % pieces.count] }.joined() + "\ny"
    let text = text(string)
    var (line, column, offset) = (1, 1, 0)
    for scalar in string.unicodeScalars {
      #expect(text.position(at: offset) == SourcePosition(line: line, column: column))
      offset += UTF8.width(scalar)
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    // Texts that end at one of these offsets.
    for count in [1023, 1024, 1025, 2048] {
      let text = self.text(String(repeating: "a", count: count))
      #expect(text.position(at: count) == SourcePosition(line: 1, column: count + 1))
    }
  }

  /// Every offset of every small text, compared with counting from the start.
  @Test func agreesWithASimpleCount() {
    var random = SeededGenerator(seed: 6)
    let pieces = ["a", "\n", "\r", "\r\n", "é"]
    for _ in 0..<200 {
      let string = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let text = text(string)
      var (line, column, offset) = (1, 1, 0)
      // A CR LF is one character, and ends one line.
      for character in string {
        for byte in character.utf8 {
          if byte & 0xC0 != 0x80 {
            #expect(
              text.position(at: offset) == SourcePosition(line: line, column: column),
              "\(string.debugDescription) at \(offset)")
            column += 1
          }
          offset += 1
        }
        if character.isNewline { (line, column) = (line + 1, 1) }
      }
    }
  }
}
