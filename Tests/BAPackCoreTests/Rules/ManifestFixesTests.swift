import BAPackCore
import BATestSupport
import Foundation
import Testing

/// What is fixed isn't found again, and a text that is fixed has no syntax errors; with the fixes of
/// all fixtures.
@Test func fixedFindingsAreNotFoundAgain() throws {
  var count = 0
  try withOddRepository { repository in
    for folder in ["valid", "invalid"] {
      for fixture in try MarkedFixture.all(in: "manifests/" + folder, ending: "json") {
        let scratch = try TemporaryFolder()
        try scratch.write("p.json", fixture.source.bytes)
        let file = scratch.path("p.json")
        let options = ManifestCheck.Options(root: repository)
        let fixes = try #require(ManifestFixes(.init(reading: file), options), "\(fixture.path)")
        count += fixes.applied.count
        try fixes.write()
        let left = ManifestCheck(reading: file, options).findings
        for fixed in fixes.applied {
          #expect(
            !left.contains { $0.rule == fixed.rule && $0.message == fixed.message },
            "\(fixture.path): \(fixed.message)")
        }
        // Where a mistake is left in the syntax, nothing is certain.
        if JSONDocument(reading: fixes.fixed).isWellFormed {
          #expect(!left.contains { $0.fix?.isCertain == true }, "\(fixture.path)")
        } else {
          #expect(fixes.applied.isEmpty, "\(fixture.path)")
        }
        let again = try #require(ManifestFixes(.init(reading: file), options))
        #expect(again.applied.isEmpty, "\(fixture.path)")
        if fixes.applied.isEmpty {
          #expect(try scratch.contents("p.json") == fixture.source.bytes)
          #expect(fixes.difference.isEmpty)
        }
      }
    }
  }
  #expect(count >= 20)
}

private func fixes(_ text: String, in folder: TemporaryFolder) throws -> ManifestFixes {
  try folder.write("p.json", Array(text.utf8))
  try folder.write("Credits.txt", "Level1.json")
  return try #require(
    ManifestFixes(.init(reading: folder.path("p.json")), .init(root: folder.filePath)))
}

@Test func fixesKeepCommentsAndLayout() throws {
  let folder = try TemporaryFolder()
  let fixes = try fixes(
    """
    {\t// one
      assetPackID: 'a', /* two */ "downloadPolicy" = { "onDemnad": {} },\r
      "fileSelectors": [ { "file": "credits.txt" } ; ] // three
      "platforms": ["iPadOS"],
    }
    """, in: folder)
  #expect(
    String(decoding: fixes.fixed.bytes, as: UTF8.self) == """
      {\t// one
        assetPackID: 'a', /* two */ "downloadPolicy" : { "onDemand": {} },\r
        "fileSelectors": [ { "file": "Credits.txt" } , ], // three
        "platforms": ["iOS"],
      }
      """)
  #expect(fixes.applied.count == 6)
}

/// A name that differs by a digit may be another file; it is suggested, but not written.
@Test func guessesAreNotApplied() throws {
  let folder = try TemporaryFolder()
  let fixes = try fixes(
    """
    { "assetPackID": "a", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "file": "Level2.json" }], "platforms": [] }
    """, in: folder)
  #expect(fixes.applied.isEmpty)
  let findings = ManifestCheck(of: fixes.fixed, readFrom: nil, .init(root: folder.filePath))
    .findings
  #expect(findings.first?.fix?.replacement == "Level1.json")
}

/// The fix of a typo must not create a duplicate key.
@Test func aTypoOfAKeyThatIsThereIsNotFixed() throws {
  let folder = try TemporaryFolder()
  let fixes = try fixes(
    """
    { "assetPackID": "a", "asetPackID": "b", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "file": "Credits.txt" }], "platforms": [] }
    """, in: folder)
  #expect(fixes.applied.isEmpty)
}

@Test func aManifestThatWasChangedMeanwhileIsNotOverwritten() throws {
  let folder = try TemporaryFolder()
  let fixes = try fixes("{ \"asetPackID\": \"a\" }", in: folder)
  #expect(fixes.applied.count == 1)
  try folder.write("p.json", Array("{}".utf8))
  #expect(throws: SystemError.self) { try fixes.write() }
  #expect(try folder.contents("p.json") == Array("{}".utf8))
}

@Test func modesAndLinksOfFixedManifestsStay() throws {
  let folder = try TemporaryFolder()
  try folder.write("real.json", Array("{ \"asetPackID\": \"a\" }".utf8))
  try folder.setMode("real.json", 0o600)
  try folder.link("p.json", to: "real.json")
  let fixes = try #require(ManifestFixes(.init(reading: folder.path("p.json")), .init()))
  try fixes.write()
  #expect(
    try folder.contents("real.json") == Array("{ \"assetPackID\": \"a\" }".utf8))
  #expect(try FileStatus.notFollowing(folder.path("p.json")).kind == .symbolicLink)
  let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/real.json")
  #expect(attributes[.posixPermissions] as? Int == 0o600)
}
