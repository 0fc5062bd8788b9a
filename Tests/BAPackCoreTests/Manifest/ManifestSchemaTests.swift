import BAPackCore
import BATestSupport
import Testing

private func read(_ text: String) throws -> JSONDocument {
  let document = JSONDocument(reading: SourceText(name: "t.json", bytes: Array(text.utf8)))
  #expect(document.isWellFormed)
  return document
}

/// The schema accepts what the decoder decodes without an error, and nothing else, apart from what
/// a schema can't express.
@Test func schemaAndDecoderAgree() throws {
  let document = try read(Manifest.schema)
  #expect(document.isStrict)
  let checker = SchemaChecker(try #require(document.root))
  var compared = 0
  for folder in ["valid", "invalid", "packs/contents-clash"] {
    for fixture in try MarkedFixture.all(in: "manifests/" + folder, ending: "json") {
      let manifest = JSONDocument(reading: fixture.source)
      guard manifest.isWellFormed, let root = manifest.root else { continue }
      let errors = ManifestDecoder.decode(fixture.source).findings.filter { $0.severity == .error }
      if errors.contains(where: { $0.rule == .duplicateKey || $0.rule == .notPlainJSON }) {
        continue
      }
      if errors.contains(where: { $0.rule == .placeholder }) { continue }
      if errors.contains(where: { [.invalidPath, .invalidPattern].contains($0.rule) }) { continue }
      compared += 1
      let problems = checker.problems(root)
      #expect(
        problems.isEmpty == errors.isEmpty, "\(fixture.path): \(problems) \(errors.map(\.message))")
    }
  }
  #expect(compared > 100)
}

@Test func templateKeepsTheSchema() throws {
  let source = SourceText(name: "Template.json", bytes: Array(Manifest.template.utf8))
  let checker = SchemaChecker(try #require(try read(Manifest.schema).root))
  #expect(checker.problems(try #require(JSONDocument(reading: source).root)) == [])
}

/// Each is an error with any hosting, and says what to write; there are no other findings.
@Test func placeholdersAreErrors() throws {
  let text = Manifest.template.replacing("// \"", with: "\"")
  let findings = ManifestDecoder.decode(
    SourceText(name: "Template.json", bytes: Array(text.utf8))
  ).findings
  #expect(findings.map(\.rule) == Array(repeating: .placeholder, count: 11))
  #expect(text.split(separator: "\"[").count == findings.count + 1)
  #expect(findings.allSatisfy { $0.severity == .error })
  #expect(
    findings.first?.message
      == "'assetPackID' is still the template's placeholder; write the name by which the app asks "
      + "for the pack, in ASCII letters, digits and hyphens, such as \"level-1\""
  )
}

/// With its placeholders filled in and every optional key, the template is valid.
@Test func filledInTemplateValidates() throws {
  var text = Manifest.template.replacing("// \"", with: "\"")
  let values = [
    "[Asset-Pack ID]": "extras", "[Path to Source Root]": ".", "[Language Tag]": "en",
    "[Pattern]": "Sounds/**/*.wav", "[Path or Pattern]": "Textures/Tiles/*",
    "[Directory in Pack]": "Art", "[Path in Pack]": "About.txt",
    "[Path to Directory]": "Textures", "[Path to File]": "Credits.txt",
  ]
  for (placeholder, value) in values {
    #expect(text.contains("\"\(placeholder)\""), "\(placeholder)")
    text = text.replacing(placeholder, with: value)
  }
  #expect(!text.contains("\"["))
  let source = SourceText(name: "Template.json", bytes: Array(text.utf8))
  let decoded = ManifestDecoder.decode(source)
  #expect(decoded.findings.isEmpty)
  let manifest = try #require(decoded.value)
  #expect(manifest.selectors.count == 6)
  #expect(manifest.language == "en")
  #expect(manifest.userInfo != nil)
  #expect(manifest.storeFindings(.ownServer).isEmpty)
  try withOddRepository { repository in
    let root = SourceRoot(of: manifest, readFrom: nil, option: repository)
    #expect(Selection.resolve(manifest, in: root).findings.isEmpty)
  }
}
