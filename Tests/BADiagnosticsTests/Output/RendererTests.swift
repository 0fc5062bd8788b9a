import BADiagnostics
import BATestSupport
import Testing

private func source(_ text: String, name: String = "Packs/Manifest.json") -> SourceText {
  SourceText(name: name, bytes: Array(text.utf8))
}

/// The first location of `text` in `source`.
private func place(_ text: String, in source: SourceText) throws -> BADiagnostics.SourceLocation {
  let words = Array(text.utf8)
  let start = try #require(
    source.bytes.indices.first { source.bytes[$0...].starts(with: words) })
  return BADiagnostics.SourceLocation(source, start..<(start + words.count))
}

/// Two findings with everything that a finding can have.
private func samples() throws -> [Finding] {
  let text = source(
    """
    {
      "downloadPolicy": { "onDemnad": {} },
      "platforms": ["iOS",
        "iOS"]
    }
    """)
  let slip = try place("onDemnad", in: text)
  let again = BADiagnostics.SourceLocation(text, 70..<73)
  return [
    Finding(
      .unknownKey, "unknown key 'onDemnad'; did you mean 'onDemand'?", at: slip,
      fix: Fix(slip, "onDemand")),
    Finding(
      .repeatedElement, "duplicate key 'iOS': 100%, in this list", at: again,
      notes: [Note("first used here", at: try place("iOS", in: text)), Note("remove one")]),
    Finding(.emptyPack, "the pack would be empty", at: nil),
  ]
}

@Test func textHasTheLineAndACaret() throws {
  #expect(
    try samples().rendered(as: .text) == """
      Packs/Manifest.json:2:24: error: unknown key 'onDemnad'; did you mean 'onDemand'? [unknown-key]
          2 |   "downloadPolicy": { "onDemnad": {} },
            |                        ^~~~~~~~
            |                        onDemand
      Packs/Manifest.json:4:6: warning: duplicate key 'iOS': 100%, in this list [repeated-element]
          4 |     "iOS"]
            |      ^~~
      Packs/Manifest.json:3:18: note: first used here
          3 |   "platforms": ["iOS",
            |                  ^~~
      note: remove one
      error: the pack would be empty [empty-pack]

      """)
  #expect(try samples().summary == "2 errors, 1 warning")
  #expect([Finding]().summary == "no findings")
}

@Test func theCallerChoosesColor() throws {
  let finding = try #require(try samples().last)
  #expect(
    [finding].rendered(as: .text, color: true)
      == "\u{1B}[1;31merror:\u{1B}[0m \u{1B}[1mthe pack would be empty\u{1B}[0m [empty-pack]\n"
  )
}

/// The line and the caret below it, for a location in a line.
private func excerpt(_ line: String, _ text: String) throws -> [String] {
  let finding = Finding(.syntax, "x", at: try place(text, in: source(line)))
  return [finding].rendered(as: .text).split(separator: "\n").dropFirst().map(String.init)
}

@Test func caretsAreBelowTheShownText() throws {
  #expect(
    try excerpt("\t\"a\"\tx", "\"a\"\tx") == ["    1 |     \"a\"    x", "      |     ^~~~~~~~"])
  #expect(try excerpt("日本 \"x\"", "x") == ["    1 | 日本 \"x\"", "      |       ^"])
  #expect(try excerpt("日本", "本") == ["    1 | 日本", "      |   ^~"])
  #expect(try excerpt("e\u{301}😀x", "x") == ["    1 | e\u{301}😀x", "      |    ^"])
  #expect(try excerpt("한글ㅏ x", "x") == ["    1 | 한글ㅏ x", "      |        ^"])
  // Characters that could move the cursor or reorder the line are replaced.
  #expect(
    try excerpt("\u{1B}[31m\u{202E}x\u{7F}", "x")
      == ["    1 | ␛[31m\u{FFFD}x␡", "      |       ^"])
}

@Test func placesAtLineEndsAndOverLinesHaveACaret() throws {
  let text = source("[1,\r\n 2\n")
  func show(_ range: Range<Int>) -> [String] {
    [Finding(.syntax, "x", at: BADiagnostics.SourceLocation(text, range))].rendered(as: .text)
      .split(separator: "\n").map(String.init)
  }
  #expect(
    show(3..<3) == ["Packs/Manifest.json:1:4: error: x [syntax]", "    1 | [1,", "      |    ^"])
  #expect(
    show(1..<7) == ["Packs/Manifest.json:1:2: error: x [syntax]", "    1 | [1,", "      |  ^~"])
  #expect(show(8..<8) == ["Packs/Manifest.json:3:1: error: x [syntax]", "    3 | ", "      | ^"])
}

@Test func longLinesAreCutAroundThePlace() throws {
  let filler = String(repeating: "0,", count: 100_000)
  let lines = try excerpt("[" + filler + "here," + filler + "]", "here")
  #expect(lines[0].hasPrefix("    1 | …"))
  #expect(lines[0].hasSuffix("…"))
  #expect(lines[0].count == 8 + 121)
  let caret = try #require(lines[1].firstIndex(of: "^"))
  let column = lines[1].distance(from: lines[1].startIndex, to: caret)
  #expect(lines[0].dropFirst(column).hasPrefix("here,"))
  #expect(lines[1].hasSuffix("^~~~"))
}

@Test func jsonReportHasPlacesNotesAndFixes() throws {
  #expect(
    JSONWriter.text(
      try #require(
        JSONDocument(
          reading: source(try samples().rendered(as: .json))
        ).root), .compact)
      == #"{"schemaVersion":1,"errors":2,"warnings":1,"findings":["#
      + #"{"rule":"unknown-key","severity":"error","#
      + #""message":"unknown key 'onDemnad'; did you mean 'onDemand'?","#
      + #""file":"Packs/Manifest.json","start":{"line":2,"column":24,"offset":25},"#
      + #""end":{"line":2,"column":32,"offset":33},"#
      + #""fix":{"file":"Packs/Manifest.json","start":{"line":2,"column":24,"offset":25},"#
      + #""end":{"line":2,"column":32,"offset":33},"replacement":"onDemand"}},"#
      + #"{"rule":"repeated-element","severity":"warning","#
      + #""message":"duplicate key 'iOS': 100%, in this list","#
      + #""file":"Packs/Manifest.json","start":{"line":4,"column":6,"offset":70},"#
      + #""end":{"line":4,"column":9,"offset":73},"#
      + #""notes":[{"message":"first used here","file":"Packs/Manifest.json","#
      + #""start":{"line":3,"column":18,"offset":59},"end":{"line":3,"column":21,"offset":62}},"#
      + #"{"message":"remove one"}]},"#
      + #"{"rule":"empty-pack","severity":"error","message":"the pack would be empty"}],"notes":[]}"#
  )
}

@Test func gitHubAnnotationsAreEscaped() throws {
  #expect(
    try samples().rendered(as: .github) == """
      ::error file=Packs/Manifest.json,line=2,col=24,endLine=2,endColumn=32,title=unknown-key::\
      unknown key 'onDemnad'; did you mean 'onDemand'?
      ::warning file=Packs/Manifest.json,line=4,col=6,endLine=4,endColumn=9,title=repeated-element::\
      duplicate key 'iOS': 100%25, in this list%0APacks/Manifest.json:3:18: note: first used here\
      %0Anote: remove one
      ::error title=empty-pack::the pack would be empty

      """)
  let odd = source("{", name: "a,b:c%\r\n.json")
  #expect(
    [Finding(.syntax, "x", at: BADiagnostics.SourceLocation(odd, 0..<0))].rendered(as: .github)
      == "::error file=a%2Cb%3Ac%25%0D%0A.json,line=1,col=1,title=syntax::x\n")
}

/// The names of files in findings are as the user gave them; only output for people is escaped.
@Test func namesOfFilesAreEscapedForPeopleOnly() throws {
  func rendered(_ name: [UInt8], _ format: FindingFormat) -> String {
    let text = SourceText(name: name, bytes: [])
    return [Finding(.syntax, "x", at: BADiagnostics.SourceLocation(text, 0..<0))]
      .rendered(as: format)
  }
  let family = Array("a\\b\u{1F468}\u{200D}\u{1F469}.json".utf8)
  #expect(
    rendered(family, .text) == "a\\\\b\u{1F468}\\u{200D}\u{1F469}.json:1:1: error: x [syntax]\n")
  #expect(
    rendered(family, .github)
      == "::error file=a\\b\u{1F468}\u{200D}\u{1F469}.json,line=1,col=1,title=syntax::x\n")
  #expect(
    rendered(family, .sarif)
      .contains(#""uri": "a%5Cb%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9.json""#))
  #expect(
    rendered(family, .json).contains("\"file\": \"a\\\\b\u{1F468}\u{200D}\u{1F469}.json\""))
  let latin: [UInt8] = [0x61, 0xE9]
  #expect(rendered(latin, .sarif).contains(#""uri": "a%E9""#))
  #expect(rendered(latin, .json).contains(#""file": "a\\xE9""#))
  #expect(rendered(latin, .json).contains(#""fileHex": "61e9""#))
  // A log is read on terminals too.
  #expect(
    rendered([0x1B, 0x5B], .github) == "::error file=\\u{1B}[,line=1,col=1,title=syntax::x\n")
}

@Test func sarifKeepsNotesWithoutAPlace() throws {
  let log = JSONDocument(reading: source(try samples().rendered(as: .sarif)))
  let result = try #require(log.root?["runs"]?.array?.first?["results"]?.array?[1])
  #expect(
    result["message"]?["text"]?.string
      == "duplicate key 'iOS': 100%, in this list\nnote: remove one")
  let related = try #require(result["relatedLocations"]?.array)
  #expect(related.map { $0["message"]?["text"]?.string } == ["first used here"])
}

@Test func sarifKeepsItsSchema() throws {
  let schema = try #require(
    JSONDocument(reading: try Fixtures.text("schemas/sarif-2.1.0.json")).root)
  let checker = SchemaChecker(schema)
  var findings = try samples()
  findings += Rule.samples.map { Finding($0, "x", at: nil) }
  let odd = source("é\n", name: "/tmp/Ordner mit Ä/100%.json")
  findings.append(Finding(.syntax, "x", at: BADiagnostics.SourceLocation(odd, 0..<3)))
  let log = JSONDocument(reading: source(findings.rendered(as: .sarif)))
  #expect(log.isStrict)
  let root = try #require(log.root)
  #expect(checker.problems(root) == [])
  let run = try #require(root["runs"]?.array?.first)
  #expect(run["tool"]?["driver"]?["rules"]?.array?.count == Rule.samples.count)
  let results = try #require(run["results"]?.array)
  #expect(results.count == findings.count)
  for (result, finding) in zip(results, findings) {
    #expect(result["ruleId"]?.string == finding.rule.id)
    #expect(result["level"]?.string == finding.severity.rawValue)
  }
  let physical = results.last?["locations"]?.array?.first?["physicalLocation"]
  #expect(
    physical?["artifactLocation"]?["uri"]?.string
      == "file:///tmp/Ordner%20mit%20%C3%84/100%25.json")
  let region = try #require(physical?["region"])
  #expect(
    JSONWriter.text(region, .compact)
      == #"{"startLine":1,"startColumn":1,"endLine":2,"endColumn":1}"#)
  // The checker rejects what violates the schema.
  #expect(checker.problems(["version": "2.1.0"]) == ["$: lacks runs"])
  #expect(checker.problems(["version": "2.0", "runs": [], "x": []]).count == 2)
}
