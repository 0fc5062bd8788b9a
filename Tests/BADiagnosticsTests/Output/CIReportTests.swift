import BADiagnostics
import BATestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The formats of findings for CI systems.
@Suite struct CIReportTests {
  private let warning: Finding
  private let error: Finding
  private let nowhere = Finding(.emptyPack, "the pack would be empty", at: nil)

  init() {
    let text = SourceText(name: Array("./Packs/<A>.json".utf8), bytes: Array("{\n\"ab\": 1}".utf8))
    warning = Finding(
      .repeatedElement, "a \"quoted\" & <odd> name\u{1}", at: .init(text, 3..<5),
      notes: [Note("see here", at: .init(text, 0..<1)), Note("and there")])
    error = Finding(.unknownKey, "unknown key", at: .init(text, 3..<5))
  }

  private func gitLab(_ findings: [Finding]) throws -> [JSONValue] {
    let text = findings.rendered(as: .gitlab)
    let document = JSONDocument(reading: SourceText(name: [], bytes: Array(text.utf8)))
    let root = try #require(document.isStrict ? document.root : nil)
    let schema = try #require(
      JSONDocument(reading: try Fixtures.text("schemas/gitlab-code-quality.schema.json")).root)
    #expect(SchemaChecker(schema).problems(root) == [])
    return try #require(root.array)
  }

  @Test func gitLabReportKeepsItsSchema() throws {
    #expect(try gitLab([]).isEmpty)
    let issues = try gitLab(
      [error, warning, nowhere] + Rule.samples.map { Finding($0, "x", at: nil) })
    #expect(issues.count == 3 + Rule.samples.count)
    #expect(issues.prefix(3).map { $0["severity"]?.string } == ["major", "minor", "major"])
    #expect(
      issues.prefix(3).map { $0["check_name"]?.string }
        == ["unknown-key", "repeated-element", "empty-pack"])
    #expect(
      issues.prefix(3).map { $0["location"]?["path"]?.string }
        == ["Packs/<A>.json", "Packs/<A>.json", "."])
    #expect(
      JSONWriter.text(try #require(issues[0]["location"]), .compact)
        == #"{"path":"Packs/<A>.json","lines":{"begin":2}}"#)
    #expect(
      issues[1]["description"]?.string
        == "a \"quoted\" & <odd> name\u{1}\nnote: see here\nnote: and there")
  }

  /// GitLab compares the findings of two revisions by fingerprint.
  @Test func fingerprintsAreUniqueAndIgnoreLines() throws {
    let moved = SourceText(
      name: Array("./Packs/<A>.json".utf8), bytes: Array("\n\n{\n\"ab\": 1}".utf8))
    let same = Finding(.unknownKey, "unknown key", at: .init(moved, 5..<7))
    func fingerprints(_ findings: [Finding]) throws -> [String?] {
      try gitLab(findings).map { $0["fingerprint"]?.string }
    }
    #expect(try fingerprints([error]) == fingerprints([same]))
    let both = try fingerprints([error, error, warning])
    #expect(Set(both).count == 3)
    #expect(try fingerprints([error, warning, error]) == [both[0], both[2], both[1]])
  }

  @Test func jUnitReportHasASuiteForEachFile() throws {
    let text = [error, warning, nowhere]
      .rendered(
        as: .junit, files: ["./Packs/<A>.json", "Packs/B.json"], coverage: nil, color: false)
    let elements = try XMLElements(text).found
    #expect(
      elements.map(\.line) == [
        "testsuites name=ba-package tests=4 failures=2 errors=0",
        "testsuite name=./Packs/<A>.json tests=2 failures=1 errors=0 skipped=0",
        "testcase name=unknown-key:2:2 classname=./Packs/<A>.json",
        "failure message=unknown key type=error",
        "testcase name=repeated-element:2:2 classname=./Packs/<A>.json",
        "system-out",
        "testsuite name=Packs/B.json tests=1 failures=0 errors=0 skipped=0",
        "testcase name=validate classname=Packs/B.json",
        "testsuite name=ba-package tests=1 failures=1 errors=0 skipped=0",
        "testcase name=empty-pack classname=ba-package",
        "failure message=the pack would be empty type=error",
      ])
    #expect(elements[3].text == [error].rendered(as: .text))
    #expect(
      elements[5].text
        == [warning].rendered(as: .text).replacingOccurrences(of: "\u{1}", with: "\u{FFFD}"))
  }

  @Test func jUnitReportIsNeverEmpty() throws {
    let lines = try XMLElements([Finding]().rendered(as: .junit)).found.map(\.line)
    #expect(
      lines == [
        "testsuites name=ba-package tests=1 failures=0 errors=0",
        "testsuite name=ba-package tests=1 failures=0 errors=0 skipped=0",
        "testcase name=validate classname=ba-package",
      ])
  }
}

/// The elements of an XML text in order, with attributes in the order of JUnit's own reports.
private final class XMLElements: NSObject, XMLParserDelegate {
  struct Element {
    let line: String
    var text = ""
  }

  private(set) var found: [Element] = []
  private var open: [Int] = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let order = ["name", "classname", "message", "type", "tests", "failures", "errors", "skipped"]
    #expect(Set(attributes.keys).isSubset(of: order))
    let pairs = order.compactMap { key in attributes[key].map { "\(key)=\($0)" } }
    open.append(found.count)
    found.append(Element(line: ([name] + pairs).joined(separator: " ")))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { found[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }
}
