import BADiagnostics
import BATestSupport
import Testing

private func read(_ bytes: [UInt8]) -> JSONDocument {
  JSONDocument(reading: SourceText(name: "t.json", bytes: bytes))
}

@Test func writesBothLayouts() {
  let value: JSONValue = [
    "a": JSONValue(1), "b": ["x", [], [:]], "c": JSONValue(.null), "d": JSONValue(.bool(true)),
  ]
  #expect(JSONWriter.text(value, .compact) == #"{"a":1,"b":["x",[],{}],"c":null,"d":true}"#)
  #expect(
    JSONWriter.text(value) == """
      {
        "a": 1,
        "b": [
          "x",
          [],
          {}
        ],
        "c": null,
        "d": true
      }

      """)
}

@Test func escapesSpecialCharacters() {
  let value = JSONValue("\"\\/\n\r\t\u{0}\u{1F}\u{7F}é😀")
  #expect(JSONWriter.text(value, .compact) == "\"\\\"\\\\/\\n\\r\\t\\u0000\\u001f\\u007fé😀\"")
}

@Test(arguments: [
  ("1", "1"), ("-0", "-0"), ("1.50", "1.50"), ("1E+5", "1E+5"), ("+1", "1"), (".5", "0.5"),
  ("-.5e1", "-0.5e1"), ("5.", "5"), ("5.e3", "5e3"), ("0xff", "255"), ("-0X10", "-16"),
  ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"), ("Infinity", "null"), ("-NaN", "null"),
  ("100000000000000000000000.10", "100000000000000000000000.10"),
])
func numbersBecomePlain(text: String, plain: String) throws {
  let root = try #require(read(Array(text.utf8)).root)
  #expect(JSONWriter.text(root, .compact) == plain)
}

/// What is written is plain JSON with the value that was read.
@Test func writtenTextsRoundTrip() {
  let seed: UInt64 = 7
  var random = RandomText(generator: SeededGenerator(seed: seed))
  for round in 0..<3000 {
    let text = random.value()
    guard !text.contains("Infinity"), !text.contains("NaN") else { continue }
    guard let root = read(Array(text.utf8)).root else { continue }
    for layout in [JSONWriter.Layout.compact, .pretty] {
      let again = read(JSONWriter.bytes(root, layout))
      #expect(again.isStrict, "seed \(seed), round \(round): \(text)")
      #expect(again.root.map { PlainValue($0) } == PlainValue(root), "seed \(seed), round \(round)")
    }
  }
}
