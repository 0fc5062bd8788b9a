import BAPackCore
import Foundation
import TestSupport
import Testing

/// All that is found in one manifest: its text, its keys, its files in the odd repository, and the
/// store's rules. A `sourceRoot` counts from the fixture's own folder.
func fixtureFindings(_ source: SourceText, _ path: String, _ repository: FilePath) -> [Finding] {
  let (decoded, findings) = ManifestDecoder.decode(source)
  guard let manifest = decoded else { return findings }
  // As the tool does: where no selector could be read, none is tried.
  if manifest.selectors.isEmpty { return findings + manifest.storeFindings(.apple) }
  let (selection, more) = fixtureSelection(manifest, path, repository)
  return findings + manifest.storeFindings(.apple) + more
    + selection.storeFindings(of: manifest, .apple)
}

private func fixtureSelection(
  _ manifest: Manifest, _ path: String, _ repository: FilePath
) -> (Selection, [Finding]) {
  let file = FilePath(Fixtures.root.appendingPathComponent(path).path.utf8)
  let root = SourceRoot(
    of: manifest, readFrom: file, option: manifest.sourceRoot == nil ? repository : nil)
  return Selection.resolve(manifest, in: root)
}

@Test func validManifestsHaveNoErrors() throws {
  let fixtures = try MarkedFixture.all(in: "manifests/valid", ending: "json")
  #expect(fixtures.count >= 30)
  try withOddRepository { repository in
    for fixture in fixtures {
      let findings = fixtureFindings(fixture.source, fixture.path, repository)
      #expect(MarkedFixture.marks(findings) == fixture.expected, "\(fixture.path)")
      #expect(!findings.hasErrors, "\(fixture.path): \(findings.rendered(as: .text))")
    }
  }
}

@Test func invalidManifestsAreFoundWhereTheyBreak() throws {
  let fixtures = try MarkedFixture.all(in: "manifests/invalid", ending: "json")
  #expect(fixtures.count >= 60)
  try withOddRepository { repository in
    for fixture in fixtures {
      let findings = fixtureFindings(fixture.source, fixture.path, repository)
      #expect(MarkedFixture.marks(findings) == fixture.expected, "\(fixture.path)")
      #expect(findings.hasErrors, "\(fixture.path)")
    }
  }
}
