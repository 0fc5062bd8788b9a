import BADiagnostics
import BATestSupport
import Testing

private func read(_ text: String) -> JSONDocument {
  JSONDocument(reading: SourceText(name: "t.json", bytes: Array(text.utf8)))
}

/// Findings as `line:column message`.
private func problems(_ text: String) -> [String] {
  read(text).findings.map { finding in
    let start = finding.location?.start
    return "\(start?.line ?? 0):\(start?.column ?? 0) \(finding.message)"
  }
}

@Test func keepsOrderRangesAndDuplicates() throws {
  let document = read(#"{"b": [1, 'x'], a: null, "b": 2}"#)
  let members = try #require(document.root?.object)
  #expect(members.map(\.key) == ["b", "a", "b"])
  #expect(members.map(\.keyRange) == [1..<4, 16..<17, 25..<28])
  #expect(members.map(\.value.range) == [6..<14, 19..<23, 30..<31])
  #expect(members[0].value.array?.map(\.range) == [7..<8, 10..<13])
  #expect(document.root?.range == 0..<32)
  #expect(document.isWellFormed)
  #expect(document.findings.map(\.rule) == [.duplicateKey])
  #expect(document.findings.first?.notes.first?.location?.range == 1..<4)
}

@Test func keysAreTheSameByCodePointsOnly() {
  #expect(read("{\"\u{E9}\": 1, \"e\u{301}\": 2}").findings.isEmpty)
  #expect(read(#"{"a": 1, "\u0061": 2}"#).findings.count == 1)
  let many = (0..<20).map { "k\($0): 0" }.joined(separator: ", ")
  #expect(problems("{\(many), k3: 1}") == ["1:152 duplicate key 'k3'"])
}

@Test(
  arguments: [
    ("", ["1:1 the file is empty"]),
    ("// nothing", ["1:11 the file contains no value"]),
    ("[1 2]", ["1:3 missing ',' before '2'"]),
    ("{\"a\" 1}", ["1:5 missing ':' after the key"]),
    ("{\"a\" = 1}", ["1:6 use ':' after a key, not '='"]),
    ("{\"a\": }", ["1:7 missing value before '}'"]),
    ("{\"a\"}", ["1:2 the key has no value"]),
    ("{\"a\", \"b\": 1}", ["1:2 the key has no value"]),
    ("[1,,2]", ["1:4 missing value before ','"]),
    ("{,}", ["1:2 missing key before ','"]),
    ("{: 1}", ["1:2 missing key before ':'"]),
    ("[1; 2]", ["1:3 use ',' between elements, not ';'"]),
    ("[\"a\": 1]", ["1:5 unexpected ':' in a list; put keys and values in braces"]),
    ("[1}", ["1:3 expected ']', found '}'"]),
    ("{\"a\": [1, {\"b\": 2]}", ["1:18 expected '}', found ']'"]),
    ("{\"a\": [1}", ["1:9 expected ']', found '}'"]),
    ("{\"a\": [1", ["1:9 the file ends before the list is closed"]),
    ("}", ["1:1 missing value before '}'"]),
    ("{} {}", ["1:4 unexpected '{' after the value"]),
    ("{\"a\": True}", ["1:7 'True' is not a value; did you mean 'true'?"]),
    ("{\"a\": None}", ["1:7 'None' is not a value; did you mean 'null'?"]),
    ("{\"a\": iOS}", ["1:7 'iOS' is not a value; put strings in double quotes"]),
    ("{a-b: 1}", ["1:2 put this key in double quotes"]),
    ("{“a”: 1}", ["1:2 use straight quotes '\"', not '“'"]),
    ("[“a, b”, 1]", ["1:2 use straight quotes '\"', not '“'"]),
    ("# note\n1", ["1:1 comments begin with '//', not '#'"]),
    ("/* open", ["1:1 unterminated comment; close it with '*/'"]),
    ("/ 1", ["1:1 unexpected '/'; comments begin with '//' or '/*'"]),
    ("{\"a\": \"b,\n\"c\": 1}", ["1:7 unterminated string; close it with '\"' on the same line"]),
    (
      "{'a: 1}",
      [
        "1:2 unterminated string; close it with \"'\" on the same line"
      ]
    ),
    ("[\"\u{1}\"]", ["1:3 U+0001 must be written as an escape in a string"]),
    (#"["\x4"]"#, [#"1:3 '\x' needs two hexadecimal digits"#]),
    (#"["\u00"]"#, [#"1:3 '\u' needs four hexadecimal digits"#]),
    (#"["\012"]"#, [#"1:3 JSON5 has no octal escapes; write '\u' and four digits"#]),
    (#"["\ud800"]"#, [#"1:3 '\ud800' is half of a surrogate pair and not a character"#]),
    (
      #"["art\wood"]"#,
      [
        #"1:6 '\' before 'w' is not an escape sequence; write '/' between folders, or '\\' for a backslash"#
      ]
    ),
    ("[01]", ["1:2 '01' has a leading zero; remove it"]),
    ("[1_000]", ["1:2 '1_000' is not a number"]),
    ("[1e]", ["1:2 '1e' has no digits in its exponent"]),
    ("[0x]", ["1:2 '0x' has no digits"]),
    ("[0x10000000000000000]", ["1:2 '0x10000000000000000' does not fit in 64 bits"]),
    ("[-, 1.2.3]", ["1:2 '-' is not a number", "1:5 '1.2.3' is not a number"]),
    ("[@]", ["1:2 expected a value, found '@'"]),
    ("[\u{200B}1]", ["1:2 expected a value, found U+200B", "1:3 missing ',' before '1'"]),
  ] as [(String, [String])])
func describesProblems(text: String, expected: [String]) {
  #expect(problems(text) == expected)
  #expect(!read(text).isWellFormed)
}

@Test func continuesAfterASyntaxError() throws {
  let document = read("{\"a\": 1 \"b\": [1 2}, \"c\": 3}")
  #expect(
    document.findings.map(\.location?.range.lowerBound) == [7, 15, 17])
  #expect(document.root?.object?.map(\.key) == ["a", "b"])
  // A bracket that no value began, and a word with a colon in an object.
  #expect(read("[[1}, 2]").findings.map(\.location?.range.lowerBound) == [3])
  #expect(read("[[1}, 2]").root?.array?.count == 2)
  #expect(read("[{\"a\": [1}, 2]").findings.map(\.location?.range.lowerBound) == [9])
  #expect(problems("{\"a\": b: 1}").allSatisfy { !$0.contains("outside an object") })
}

@Test func stopsAfterTwentySyntaxErrors() {
  #expect(problems("[" + String(repeating: "@ ", count: 1000) + "]").count == 20)
}

@Test func rejectsInvalidUTF8() {
  let bytes: [UInt8] = Array("{\"a\": \"".utf8) + [0xE9, 0xE8] + Array("\"}".utf8)
  let document = JSONDocument(reading: SourceText(name: "t.json", bytes: bytes))
  #expect(document.findings.map(\.rule) == [.invalidUTF8])
  #expect(document.findings.first?.location?.range == 7..<9)
  #expect(!document.isWellFormed)
  for start in [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0]] as [[UInt8]] {
    let wide = JSONDocument(reading: SourceText(name: "t.json", bytes: start))
    #expect(wide.findings.map(\.message) == ["the file is UTF-16 or UTF-32; save it as UTF-8"])
  }
}

@Test func nestingHasALimit() {
  let most = JSONDocument.maximumDepth
  let fits = String(repeating: "[", count: most) + String(repeating: "]", count: most)
  #expect(read(fits).findings.isEmpty)
  for open in ["[", "{a:", "[{a:"] {
    let deep = read(String(repeating: open, count: 1_000_000))
    #expect(deep.findings.map(\.rule) == [.manifestTooLarge])
    #expect(deep.root == nil)
  }
}

@Test func sizeHasALimit() {
  let fits = "[" + String(repeating: "\"0123456\",", count: 1_000_000) + "1]"
  let document = read(fits)
  #expect(document.findings.isEmpty)
  #expect(document.root?.array?.count == 1_000_001)
  let large = read("\"" + String(repeating: "x", count: JSONDocument.maximumSize) + "\"")
  #expect(large.findings.map(\.rule) == [.manifestTooLarge])
}

/// A value takes much more memory than its text.
@Test func valuesHaveALimit() {
  let document = read(
    "[" + String(repeating: "0,", count: JSONDocument.maximumSize / 16 + 1) + "0]")
  #expect(document.findings.map(\.rule) == [.manifestTooLarge])
  #expect(!document.isWellFormed)
}

/// No text, however damaged, stops the parser, and its findings have valid locations.
@Test func survivesDamagedTexts() {
  let seed: UInt64 = 42
  var random = RandomText(generator: SeededGenerator(seed: seed))
  var text = Array(random.value().utf8)
  for round in 0..<100_000 {
    if round.isMultiple(of: 10) { text = Array(random.value().utf8) }
    let bytes = random.mutated(text)
    let document = JSONDocument(reading: SourceText(name: "t.json", bytes: bytes))
    let isInside = document.findings.allSatisfy { finding in
      finding.location.map { $0.range.upperBound <= bytes.count } ?? false
    }
    let isReported =
      document.isWellFormed
      == document.findings.allSatisfy { $0.rule == .duplicateKey || $0.rule == .notPlainJSON }
    if !isInside || !isReported || document.isWellFormed && document.root == nil {
      Issue.record("seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
