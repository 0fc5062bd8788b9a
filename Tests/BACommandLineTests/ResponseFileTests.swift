import BACommandLine
import Testing

@Suite struct ResponseFileTests {
  private func words(_ text: String) -> [String]? {
    ResponseFile.words(in: Array(text.utf8))?.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func whiteSpaceSeparates() {
    #expect(words("") == [])
    #expect(words(" a\tb\r\n\n c ") == ["a", "b", "c"])
  }

  @Test func quotesAndBackslashesKeepCharacters() {
    #expect(words(#"'a b' "c d" e\ f"#) == ["a b", "c d", "e f"])
    #expect(words(#"x'y 'z"#) == ["xy z"])
    #expect(words(#"'' """#) == ["", ""])
    #expect(words(#"'a"b' "c'd" \' \" \\"#) == ["a\"b", "c'd", "'", "\"", "\\"])
    #expect(words(#"'a\'b'"#) == ["a'b"])
  }

  @Test func onlyNULsSeparateWhereThereAreAny() {
    #expect(words("a 'b\0\\c\n\0\0d") == ["a 'b", "\\c\n", "d"])
    #expect(words("a b\0") == ["a b"])
  }

  @Test func whatIsNotClosedIsAnError() {
    #expect(words("'a") == nil)
    #expect(words("a \"b") == nil)
    #expect(words("a\\") == nil)
  }
}
