import BAImporters
import BAPackCore
import BATestSupport
import Foundation
import Testing

@Suite struct OnDemandConversionTests {
  static let folder = MarkedFixture.root.appendingPathComponent("xcode")

  /// Converts a fixture as the project in the folder of contents.
  private func convert(_ fixture: MarkedFixture) -> OnDemandConversion {
    let folder = BytePath(Self.folder.appendingPathComponent("content").path.utf8)
    return OnDemandConversion(
      of: fixture.source, in: folder, target: nil, platforms: [.iOS]
    ) { $0 == folder ? "../content" : $0.description.hasSuffix("/../..") ? "../.." : ".." }
  }

  @Test(arguments: try MarkedFixture.all(in: "xcode/good", ending: "pbxproj"))
  func projectsGiveTheManifestsBesideThem(fixture: MarkedFixture) throws {
    let conversion = convert(fixture)
    #expect(
      MarkedFixture.marks(conversion.findings) == fixture.expected,
      "\(conversion.findings.map(\.message))")
    let text = conversion.packs.map {
      "// \($0.identifier): \($0.policy)\n" + String(decoding: $0.manifest, as: UTF8.self)
    }.joined()
    let file = Self.folder.appendingPathComponent(
      "good/" + fixture.path.split(separator: "/").last!.replacing(".pbxproj", with: ".json"))
    if ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    // All of them are valid, and their files exist.
    for pack in conversion.packs {
      let source = SourceText(name: pack.identifier, bytes: pack.manifest)
      let manifest = BytePath(file.path.utf8)
      let findings = ManifestCheck(of: source, readFrom: manifest, .init()).findings
      #expect(!findings.hasErrors, "\(findings.map(\.message))")
    }
  }

  @Test(arguments: try MarkedFixture.all(in: "xcode/broken", ending: "pbxproj"))
  func errorsInProjectsHaveTheirPlace(fixture: MarkedFixture) {
    let conversion = convert(fixture)
    #expect(conversion.packs.isEmpty)
    #expect(conversion.findings.hasErrors)
    #expect(
      MarkedFixture.marks(conversion.findings) == fixture.expected,
      "\(conversion.findings.map(\.message))")
  }

  @Test func fixturesAreMany() throws {
    #expect(try MarkedFixture.all(in: "xcode/good", ending: "pbxproj").count >= 15)
    #expect(try MarkedFixture.all(in: "xcode/broken", ending: "pbxproj").count >= 15)
  }

  /// Any project is rejected with a location, or its manifests decode.
  @Test func damagedProjectsAreRejectedOrConverted() throws {
    let seed: UInt64 = 61
    var random = SeededGenerator(seed: seed)
    let fixtures = try MarkedFixture.all(in: "xcode/good", ending: "pbxproj")
    let pieces = [
      "{", "}", "(", ")", ";", ",", "=", "\"", "\\", "<", ">", "/*", "F1", "..", "\u{0}",
    ]
    for _ in 0..<300 {
      let fixture = try #require(fixtures.randomElement(using: &random))
      var bytes = fixture.source.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...6, using: &random))
        bytes.replaceSubrange(start..<end, with: (pieces.randomElement(using: &random) ?? "").utf8)
      }
      let folder = BytePath(Self.folder.appendingPathComponent("content").path.utf8)
      let conversion = OnDemandConversion(
        of: SourceText(name: "random", bytes: bytes), in: folder, target: nil, platforms: []
      ) { _ in "." }
      #expect(
        conversion.packs.isEmpty == conversion.findings.hasErrors, "seed \(seed): \(fixture.path)")
      for pack in conversion.packs {
        let text = SourceText(name: "m.json", bytes: pack.manifest)
        #expect(ManifestDecoder.decode(text).value != nil, "seed \(seed)")
      }
    }
  }
}
