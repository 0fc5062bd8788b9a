import BAImporters
import BAPackCore
import BATestSupport
import Testing

@Test(arguments: [
  ("", ""),
  ("\u{FEFF}// only a comment", ""),
  ("a b", "a=b"),
  ("\"a\" \"\" b{ }\r\nc\r{d\t\"e {f}\"}", "a= b{} c{d=e {f}}"),
  ("\"ContentRoot\"\"..\\out\\\"\n\"x\" \"C:\\\\a\"", "ContentRoot=..\\out\\ x=C:\\\\a"),
  ("a b//c\n/d e", "a=b//c /d=e"),
  ("k [x]", nil),
  ("\"a\" \"say \\\"hi\\\" \\\nb\"", nil),
  ("\"a\" \"say \\\"hi\\\" \\\\ \\n\\t.\"", "a=say \"hi\" \\ \n\t."),
  ("a \"b\\\" \"c\\\" d", "a=b\\ c\\=d"),
  ("Begrüßung \"灯台\"", "Begrüßung=灯台"),
])
func keyValuesAreReadAsSteamReadsThem(text: String, expected: String?) {
  let (keys, findings) = read(text)
  #expect(findings.contains { $0.severity == .error } == (expected == nil))
  if let expected { #expect(outline(keys) == expected) }
}

@Test func keysAndValuesHaveTheirPlaces() throws {
  let (keys, _) = read("a\n{\n\t\"Grüße\"  bare // x\n}")
  let member = try #require(keys.first?.block?.first)
  let (start, end) = (member.key.location.start, member.key.location.end)
  #expect((start.line, start.column) == (3, 3))
  #expect((end.line, end.column) == (3, 8))
  #expect(member.text?.location.start.column == 11)
  #expect(member.isNamed("GRüßE") && !member.isNamed("GRÜßE") && !member.isNamed("Grüß"))
}

@Test func escapesAreReadOnlyIfTheQuotesNeedThem() {
  let (_, findings) = read("a \"b \\\"c\\\"\"")
  #expect(MarkedFixture.marks(findings) == ["1:6-1:7 depot-escapes"])
  #expect(findings.first?.severity == .warning)
}

@Test(arguments: try MarkedFixture.all(in: "depots/broken-text"))
func syntaxErrorsHaveTheirPlace(fixture: MarkedFixture) {
  let (_, findings) = KeyValuesReader.read(fixture.source)
  #expect(MarkedFixture.marks(findings) == fixture.expected)
}

@Test(arguments: [
  [0xFF, 0xFE, 0x22, 0x00], [0xFE, 0xFF, 0x00, 0x22], [0x61, 0x20, 0x00],
])
func bytesThatAreNotTextAreRejected(bytes: [UInt8]) {
  let (keys, findings) = KeyValuesReader.read(SourceText(name: "depot.vdf", bytes: bytes))
  #expect(keys.isEmpty)
  #expect(findings.map(\.rule) == [.depotSyntax])
}

@Test func largeTextsAreRejected() {
  let bytes = [UInt8](repeating: 0x20, count: KeyValuesReader.sizeLimit + 1)
  let (_, findings) = KeyValuesReader.read(SourceText(name: "depot.vdf", bytes: bytes))
  #expect(
    findings.map(\.message) == [
      "the script is too large: 1,048,577 bytes, and the limit is 1,048,576"
    ])
}

/// Errors before a token count, too.
@Test(arguments: ["/**/", "\"k\" [x][x]", "[x]", "\"", "\"k\" \"v\"x", "}", "#base y\n", "k "])
func errorsAreLimited(piece: String) {
  for prefix in ["", "a ", "a { b "] {
    let text = prefix + String(repeating: piece, count: 100_000)
    let findings = read(text).findings
    #expect(findings.count <= 2 * 100 + 3, "\(findings.count) of '\(prefix)\(piece)'")
  }
}

@Test func unknownKeysAreReportedInPart() {
  let keys = String(repeating: "Key v\n", count: 20_000)
  let (scripts, findings) = DepotScriptReader.read(
    SourceText(name: "depot.vdf", bytes: Array("DepotBuild {\n\(keys)}".utf8))
  ) { path throws(SystemError) in throw SystemError(.open, path) }
  #expect(scripts.isEmpty)
  #expect(findings.count == 1000)
  #expect(findings.last?.notes.last?.message == "19,000 more errors are not shown")
}

@Test func deeplyNestedBlocksAreRejectedAndOthersRead() {
  let limit = KeyValuesReader.depthLimit
  let deepest = String(repeating: "a{", count: limit) + String(repeating: "}", count: limit)
  #expect(read(deepest).findings.isEmpty)
  #expect(MarkedFixture.marks(read("a{\(deepest)}").findings) == ["1:66-1:67 depot-syntax"])
}

@Test func anyBytesEndInKeysOrFindings() {
  let seed: UInt64 = 14
  var state = seed
  func next(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }
  let pieces: [[UInt8]] = [
    [0x7B], [0x7D], [0x22], [0x5C], [0x0A], [0x0D], [0x20], [0x2F, 0x2F], [0x2F, 0x2A], [0x5B],
    [0x5D], [0x23], [0x61], [0xC3, 0xBC], [0xFF],
  ]
  for _ in 0..<20_000 {
    let bytes = (0..<next(40)).flatMap { _ in pieces[Int(next(UInt64(pieces.count)))] }
    let (keys, findings) = KeyValuesReader.read(SourceText(name: "x", bytes: bytes))
    // Nothing is lost: a text with neither keys nor findings contains no letters or quotes.
    if keys.isEmpty, findings.isEmpty {
      let rest = bytes.split(separator: 0x0A).flatMap { $0.split(separator: 0x0D) }
        .map { line in line.filter { $0 != 0x20 } }.filter { !$0.isEmpty }
      #expect(rest.allSatisfy { $0.starts(with: [0x2F, 0x2F]) }, "seed \(seed)")
    }
  }
}

private func read(_ text: String) -> (keys: [KeyValue], findings: [Finding]) {
  KeyValuesReader.read(SourceText(name: "depot.vdf", bytes: Array(text.utf8)))
}

private func outline(_ keys: [KeyValue]) -> String {
  keys.map { key in
    let name = String(decoding: key.key.value, as: UTF8.self)
    if let text = key.text { return "\(name)=\(String(decoding: text.value, as: UTF8.self))" }
    return "\(name){\(outline(key.block ?? []))}"
  }.joined(separator: " ")
}
