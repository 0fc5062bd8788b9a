import BAPackCore
import BATestSupport
import Testing

private func decode(_ fixture: MarkedFixture) -> Project {
  ProjectDecoder.decode(fixture.source, at: BytePath("Game/.ba-package.json".utf8))
}

@Test(arguments: ["valid", "invalid"])
func findingsInProjectFilesHaveTheirPlace(folder: String) throws {
  let fixtures = try MarkedFixture.all(in: "projects/" + folder, ending: "json")
  #expect(!fixtures.isEmpty)
  for fixture in fixtures {
    let findings = decode(fixture).findings
    #expect(MarkedFixture.marks(findings) == fixture.expected, "\(fixture.path)")
    #expect(findings.hasErrors == (folder == "invalid"), "\(fixture.path)")
  }
}

@Test func projectFilesAreDecoded() throws {
  let project = decode(try MarkedFixture("projects/valid/every-key.json"))
  #expect(project.hosting == .ownServer)
  #expect(project.root == "Game/Assets")
  #expect(project.outputFolder == "Game/build")
  #expect(project.rules.isStrict)
  #expect(project.sizeBudgets.policies == ["essential": 100_000_000, "prefetch": 1_000_000])
  #expect(project.sizeBudgets.packs == ["tutorial": 1_610_612_736])
  #expect(project.rules.level(of: .strayFile) == .off)
  #expect(project.rules.level(of: .caseClash) == nil)
  #expect(project.rules.level(of: .nothingMatched) == .warning)
}

@Test func theProjectAnswersWhatOptionsLeaveOpen() throws {
  let project = decode(try MarkedFixture("projects/valid/every-key.json"))
  #expect(project.options().hosting == .ownServer)
  #expect(project.options(hosting: .apple).hosting == .apple)
  #expect(project.options().root == nil)
  #expect(project.options().defaultRoot?.path == "Game/Assets")
  #expect(Project().options().hosting == nil)
  #expect(Project().options().defaultRoot == nil)
}

/// The schema accepts what the decoder decodes without an error, except for patterns, which a
/// schema can't check.
@Test func projectSchemaAndDecoderAgree() throws {
  let schema = JSONDocument(
    reading: SourceText(name: "schema", bytes: Array(Project.schema().utf8)))
  #expect(schema.isStrict)
  let checker = SchemaChecker(try #require(schema.root))
  var compared = 0
  for folder in ["valid", "invalid"] {
    for fixture in try MarkedFixture.all(in: "projects/" + folder, ending: "json")
    where !fixture.path.hasSuffix("patterns.json") {
      let root = try #require(JSONDocument(reading: fixture.source).root)
      compared += 1
      #expect(
        checker.problems(root).isEmpty != decode(fixture).findings.hasErrors,
        "\(fixture.path): \(checker.problems(root))")
    }
  }
  #expect(compared >= 8)
}

@Test func projectTemplateIsValidWithEveryKey() throws {
  let text = Project.template.replacing("\t// \"", with: "\"").replacing(", // null", with: ", //")
  let source = SourceText(name: "t", bytes: Array(text.utf8))
  let file = BytePath(".ba-package.json".utf8)
  // The comments between the keys are kept, and every key is present.
  let decoded = ProjectDecoder.decode(
    SourceText(name: "t", bytes: Array(Project.template.utf8)), at: file)
  #expect(decoded.findings.isEmpty)
  let every = ProjectDecoder.decode(source, at: file)
  #expect(every.findings.isEmpty, "\(every.findings.map(\.message))")
  #expect(every.hosting == .apple && every.root != nil && every.rules.isStrict)
  #expect(every.sizeBudgets.packs.count == 1)
  #expect(every.rules.level(of: .strayFile) == .error)
}
