import BAPackCore
import Foundation
import Testing

@Suite struct DepotConversionTests {
  static let folder = MarkedFixture.root.appendingPathComponent("depots")

  /// Converts a fixture against the content root that stands beside the folders of scripts.
  private func convert(
    _ fixture: MarkedFixture, depot: String? = nil
  ) -> (manifest: [UInt8]?, findings: [Finding]) {
    let (script, findings) = DepotScriptReader.read(fixture.source, depot: depot)
    guard let script else { return (nil, findings.inOrderOfText()) }
    var root = Self.folder.appendingPathComponent("content").path
    if script.contentRoot?.value.elementsEqual("..\\nowhere".utf8) == true { root = "/nowhere" }
    let conversion = DepotConversion(
      of: script,
      .init(
        assetPackID: "Fixture", downloadPolicy: .onDemand, platforms: [.macOS], contentRoot: root,
        sourceRoot: "../content"))
    return (conversion.manifest, (findings + conversion.findings).inOrderOfText())
  }

  @Test(arguments: try MarkedFixture.all(in: "depots/good"))
  func goodScriptsBecomeTheManifestBesideThem(fixture: MarkedFixture) throws {
    let (manifest, findings) = convert(fixture)
    #expect(MarkedFixture.marks(findings) == fixture.expected, "\(findings.map(\.message))")
    let file = Self.folder.appendingPathComponent(
      "good/" + fixture.source.name.replacingOccurrences(of: ".vdf", with: ".json"))
    let bytes = try #require(manifest)
    if ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil {
      try Data(bytes).write(to: file)
    }
    #expect(bytes == Array(try Data(contentsOf: file)))
  }

  @Test(arguments: try MarkedFixture.all(in: "depots/broken"))
  func brokenScriptsAreFoundWhereTheyBreak(fixture: MarkedFixture) {
    let (manifest, findings) = convert(fixture)
    #expect(manifest == nil)
    #expect(MarkedFixture.marks(findings) == fixture.expected, "\(findings.map(\.message))")
  }
}
