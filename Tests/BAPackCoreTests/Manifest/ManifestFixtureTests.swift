import BAPackCore
import BATestSupport
import Foundation
import Testing

/// All findings about a manifest: its text, its keys, its files in the odd repository, and the
/// store's rules. A `sourceRoot` is relative to the fixture's own folder.
private func findings(in fixture: MarkedFixture, _ repository: BytePath) -> [Finding] {
  let file = BytePath(Fixtures.root.appendingPathComponent(fixture.path).path.utf8)
  let hasOwnRoot = ManifestDecoder.decode(fixture.source).value?.sourceRoot != nil
  let options = ManifestCheck.Options(
    hosting: .apple, root: hasOwnRoot ? nil : repository)
  return ManifestCheck(of: fixture.source, readFrom: file, options).findings
}

@Test func validManifestsHaveNoErrors() throws {
  let fixtures = try MarkedFixture.all(in: "manifests/valid", ending: "json")
  #expect(fixtures.count >= 30)
  try withOddRepository { repository in
    for fixture in try possible(fixtures, in: repository) {
      let findings = findings(in: fixture, repository)
      #expect(MarkedFixture.marks(findings) == fixture.expected, "\(fixture.path)")
      #expect(!findings.hasErrors, "\(fixture.path): \(findings.rendered(as: .text))")
    }
  }
}

@Test func errorsInManifestsHaveTheirPlace() throws {
  let fixtures = try MarkedFixture.all(in: "manifests/invalid", ending: "json")
  #expect(fixtures.count >= 60)
  try withOddRepository { repository in
    for fixture in try possible(fixtures, in: repository) {
      let findings = findings(in: fixture, repository)
      #expect(MarkedFixture.marks(findings) == fixture.expected, "\(fixture.path)")
      #expect(findings.hasErrors, "\(fixture.path)")
    }
  }
}
