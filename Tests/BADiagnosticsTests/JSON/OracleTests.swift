import BADiagnostics
import BATestSupport
import Testing

private func document(_ bytes: [UInt8]) -> JSONDocument {
  JSONDocument(reading: SourceText(name: "test.json", bytes: bytes))
}

private func mayBeNumber(_ byte: UInt8) -> Bool {
  "0123456789+-.IN".utf8.contains(byte)
}

private func document(_ text: String) -> JSONDocument { document(Array(text.utf8)) }

/// The value of a text; nil if the parser rejects it.
private func value(_ bytes: [UInt8]) -> PlainValue? {
  let document = document(bytes)
  return document.isWellFormed ? document.root.map { PlainValue($0) } : nil
}

/// Texts that Foundation and this parser parse as the same value, or both reject.
private let samples: [String] = [
  "{}", "[]", "null", "true", "false", "0", "-0", "1", "-1.5e+3", "1E5", #""""#, #""a\u00e9b""#,
  #"{"a": [1, 2, {"b": null}], "c": "d"}"#, "[1,]", #"{"a":1,}"#, "[,]", "[1,,2]", "{,}", "// c\n1",
  "/* c */ 1", "1 // c", "/* c", "/*/", "'a'", "'a\"b'", "\"a'b\"", "{a: 1}", "{$_a9: 1}",
  "{a-b: 1}", "{1: 1}", "{'a': 1}", "0x1F", "-0xff", "+0x0", "0x", "0xG", "+1", ".5", "-.5", "5.",
  "5.e3", ".", "+", "-", "e5", "1e", "01", "-01", "1_0", "Infinity", "-Infinity", "+Infinity",
  "NaN", "-NaN", "+NaN", "infinity", "nan", "True", #""\x41""#, #""\01""#, #""\1""#, #""\q""#,
  #""\'""#, "\"a\nb\"", "\"a\u{1}b\"", #""\uD83D\uDE00""#, #""\uD800""#, #""\uDC00""#,
  #""\uD800\u0041""#, #""\u12""#, #""\u{41}""#, "\"a\u{2028}b\"", "\u{FEFF}1", "\u{B}1", "\u{C}1",
  "1 2", #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":}"#, #"{"a"}"#, #"{"a":1;}"#, "[1", #"{"a":1"#,
  "[1}", "", " ", #"{"é": 1}"#, "{é: 1}", "123456789012345678901234567890",
  "0x10000000000000000", "\"\u{0}\"", "/", "/ 1", "# c\n1", "{true: 1}", "{null:1}",
  "[1 // a\n,2]", "[1/**/]", #"'\''"#, #""\/""#, #"{"a":1}}"#, #"{"":1}"#, "1.0", "100", "{a:.1,}",
]

/// The intentional differences.
private let differences: [(text: String, foundation: PlainValue?, ours: PlainValue?)] = [
  // JSON5 has these escapes; Foundation rejects them.
  (#""\v""#, nil, .string([11])),
  (#""\0""#, nil, .string([0])),
  // JSON5 allows a tab in a string, and all Unicode spaces between tokens.
  ("\"a\tb\"", nil, .string(Array("a\tb".utf8))),
  ("\u{A0}1", nil, .number(1)),
  ("\u{2028}1", nil, .number(1)),
  // A line continuation is removed in JSON5; Foundation keeps the line break.
  ("\"a\\\nb\"", .string(Array("a\nb".utf8)), .string(Array("ab".utf8))),
  // An escape in an unquoted key is decoded.
  (#"{\u0061: 1}"#, .object([#"\u0061"#: .number(1)]), .object(["a": .number(1)])),
  // Numbers are kept as text here; Foundation rejects those that its types can't represent.
  ("1e400", nil, .number(.infinity)),
  ("-1e-400", nil, .number(-0.0)),
  ("0xFFFFFFFFFFFFFFFF", nil, .number(18_446_744_073_709_551_616)),
]

@Test func agreesWithFoundation() {
  for sample in samples {
    let bytes = Array(sample.utf8)
    #expect(value(bytes) == foundationValue(bytes, json5: true), "\(sample)")
  }
}

@Test func differsFromFoundationOnPurpose() {
  for difference in differences {
    let bytes = Array(difference.text.utf8)
    #expect(foundationValue(bytes, json5: true) == difference.foundation, "\(difference.text)")
    #expect(value(bytes) == difference.ours, "\(difference.text)")
  }
  // For a duplicate key, Foundation silently uses the first value.
  let twice = document(#"{"a":1,"a":2}"#)
  #expect(twice.findings.map(\.rule) == [.duplicateKey])
  #expect(foundationValue(twice.source.bytes, json5: true) == .object(["a": .number(1)]))
  // Foundation accepts UTF-16, which is rejected here: the manifest is embedded unchanged.
  let wide: [UInt8] = [0xFF, 0xFE, 0x31, 0x00]
  #expect(foundationValue(wide, json5: true) == .number(1))
  #expect(document(wide).findings.map(\.rule) == [.invalidUTF8])
}

/// What is strict is plain JSON for Foundation too. The reverse isn't true: Foundation's plain JSON
/// allows a trailing comma and a byte order mark.
@Test func strictMeansPlainJSON() {
  for sample in samples + differences.map(\.text) where document(sample).isStrict {
    let isNumber = sample == "1e400" || sample == "-1e-400"
    #expect(
      foundationValue(Array(sample.utf8), json5: false) != nil || isNumber, "\(sample)")
  }
  for loose in ["[1,]", "'a'", "+1", ".5", "5.", "0x1", "// c\n1", "{a:1}", "\u{FEFF}1"] {
    #expect(!document(loose).isStrict, "\(loose)")
  }
  for strict in ["[1]", #"{"a":-1.5e+3}"#, " 1\r\n", "\"\u{7F}\\u0041\""] {
    #expect(document(strict).isStrict, "\(strict)")
  }
}

@Test func randomTextsHaveFoundationsValue() {
  let seed: UInt64 = 2026
  var random = RandomText(generator: SeededGenerator(seed: seed))
  for round in 0..<3000 {
    let bytes = Array(random.value().utf8)
    guard let ours = value(bytes) else {
      Issue.record(
        "seed \(seed), round \(round): refused \(String(decoding: bytes, as: UTF8.self))")
      continue
    }
    if !document(bytes).findings.isEmpty { continue }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(foundationValue(bytes, json5: true) == ours, "seed \(seed), round \(round): \(text)")
  }
}

/// Damaged texts: what Foundation accepts, this parser parses as the same value, except for the
/// differences above. Foundation traps on some damaged numbers and some non-ASCII bytes, so texts
/// with these are passed to it only if this parser accepts them.
@Test func acceptsWhatFoundationAccepts() {
  let seed: UInt64 = 5
  var random = RandomText(generator: SeededGenerator(seed: seed))
  var taken = 0
  for round in 0..<12_000 {
    let text = Array(random.value().utf8)
    let bytes = random.mutated(text)
    guard let shown = String(validating: bytes, as: UTF8.self) else { continue }
    let ours = document(bytes)
    guard ours.isWellFormed || bytes.allSatisfy({ $0 < 0x80 && !mayBeNumber($0) }) else { continue }
    guard let theirs = foundationValue(bytes, json5: true),
      ours.findings.allSatisfy({ $0.rule == .syntax })
    else { continue }
    if shown.contains("\\\n") || shown.contains("\\\r") { continue }
    taken += 1
    #expect(value(bytes) == theirs, "seed \(seed), round \(round): \(shown.debugDescription)")
  }
  #expect(taken > 1000)
}
