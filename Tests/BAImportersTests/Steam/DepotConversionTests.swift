import BAImporters
import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Without other files.
private func read(
  _ source: SourceText, depots: [String] = []
) -> (scripts: [DepotScript], findings: [Finding]) {
  DepotScriptReader.read(source, depots: depots) { path throws(SystemError) in
    throw SystemError(.open, path, code: .noSuchFile)
  }
}

@Suite struct DepotConversionTests {
  static let folder = MarkedFixture.root.appendingPathComponent("depots")

  /// Converts a fixture with the content root next to the folders of scripts.
  private func convert(
    _ fixture: MarkedFixture, depot: String? = nil
  ) -> (manifest: [UInt8]?, findings: [Finding]) {
    let (scripts, findings) = read(fixture.source, depots: [depot].compactMap(\.self))
    guard let script = scripts.first else { return (nil, findings.sortedByLocation()) }
    var root = Self.folder.appendingPathComponent("content").path
    if script.contentRoot?.value.elementsEqual("..\\nowhere".utf8) == true { root = "/nowhere" }
    let conversion = DepotConversion(
      of: script,
      .init(
        assetPackID: "Fixture", downloadPolicy: .onDemand, platforms: [.macOS], contentRoot: root,
        sourceRoot: "../content"))
    return (conversion.manifest, (findings + conversion.findings).sortedByLocation())
  }

  @Test(arguments: try MarkedFixture.all(in: "depots/good"))
  func validScriptsGiveTheManifestNextToThem(fixture: MarkedFixture) throws {
    let (manifest, findings) = convert(fixture)
    #expect(MarkedFixture.marks(findings) == fixture.expected, "\(findings.map(\.message))")
    let file = Self.folder.appendingPathComponent(
      "good/"
        + printable(fixture.source.name).replacingOccurrences(of: ".vdf", with: ".json"))
    let bytes = try #require(manifest)
    if ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil {
      try Data(bytes).write(to: file)
    }
    #expect(bytes == Array(try Data(contentsOf: file)))
  }

  @Test(arguments: try MarkedFixture.all(in: "depots/broken"))
  func errorsInScriptsHaveTheirPlace(fixture: MarkedFixture) {
    let (manifest, findings) = convert(fixture)
    #expect(manifest == nil)
    #expect(MarkedFixture.marks(findings) == fixture.expected, "\(findings.map(\.message))")
  }

  /// An error while looking up the content root led to a different `sourceRoot`, and one while
  /// listing it to a different list of files.
  @Test(arguments: [SystemCall.open, .status, .duplicate, .list, .read, .allocate])
  func errorsGiveNoOtherManifest(call: SystemCall) throws {
    let text = #"""
      DepotBuild { FileMapping { LocalPath "*" DepotPath "." Recursive 1 }
        FileMapping { LocalPath "audio\*" DepotPath "sounds" } FileExclusion "*.pdb" }
      """#
    let source = SourceText(name: "depot.vdf", bytes: Array(text.utf8))
    let script = try #require(read(source).scripts.first)
    let settings = DepotConversion.Settings(
      assetPackID: "Fixture", downloadPolicy: .onDemand, platforms: [],
      contentRoot: Self.folder.appendingPathComponent("content").path, sourceRoot: "../content")
    let expected = try #require(DepotConversion(of: script, settings).manifest)
    for number in 1...2000 {
      let plan = FailurePlan(call, number: number, .inputOutput)
      let conversion = plan.run { DepotConversion(of: script, settings) }
      if conversion.manifest == nil {
        #expect(conversion.findings.contains { $0.severity == .error }, "\(call) \(number)")
      } else {
        #expect(conversion.manifest == expected, "\(call) \(number)")
      }
      if !plan.hasFailed { return }
    }
    Issue.record("no end of calls: \(call)")
  }

  /// Any script is rejected, or results in a manifest that decodes without an error and selects
  /// files of the content root without one.
  @Test func randomScriptsAreRejectedOrConverted() throws {
    let seed: UInt64 = 16
    var random = SeededGenerator(seed: seed)
    let locals = [
      "*", "audio\\*", "audio/*.wav", "data\\*", "data\\level?.dat", "data/sub/*",
      "bin\\win32\\*.dll",
      "localization\\german\\audio\\*", "game.pdb", "[draft]\\a [1].txt", "[draft]\\*",
      "Grüße\\*.txt",
      "data", "nowhere", "..\\x", "data\\.*", "*.pdb", "d*\\x",
    ]
    let depots = [".", "audio", "data\\", "bin/win32", "[draft]", "new\\folder", "game.pdb", ".."]
    let exclusions = [
      "*.pdb", "*.wav", "data\\*", "data\\sub", "*1*", "*/german/*", "bin\\tools*", "*", "x", "*.*",
      "[draft]\\*", "?ame.pdb",
    ]
    var made = 0
    for _ in 0..<400 {
      var text = "DepotBuild { "
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let (local, depot) = (
          locals.randomElement(using: &random) ?? "", depots.randomElement(using: &random) ?? ""
        )
        text += #"FileMapping { LocalPath "\#(local)" DepotPath "\#(depot)" "#
        text += Bool.random(using: &random) ? "Recursive 1 } " : "} "
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        text += #"FileExclusion "\#(exclusions.randomElement(using: &random) ?? "")" "#
      }
      let source = SourceText(name: "random.vdf", bytes: Array((text + "}").utf8))
      let script = try #require(read(source).scripts.first, "seed \(seed): \(text)")
      let root = Self.folder.appendingPathComponent("content").path
      let conversion = DepotConversion(
        of: script,
        .init(
          assetPackID: "Random", downloadPolicy: .onDemand, platforms: [], contentRoot: root,
          sourceRoot: root))
      guard let bytes = conversion.manifest else {
        #expect(conversion.findings.hasErrors, "seed \(seed): \(text)")
        // The last line of defense, which no script should reach.
        #expect(
          !conversion.findings.contains { $0.message.contains("Steam") && $0.rule == .depotPath },
          "seed \(seed): \(text) \(conversion.findings.map(\.message))")
        continue
      }
      made += 1
      let checked = ManifestDecoder.decode(SourceText(name: "m.json", bytes: bytes))
      let decoded = try #require(checked.value, "seed \(seed): \(text)")
      #expect(!checked.findings.hasErrors, "seed \(seed): \(text)")
      let resolved = Selection.resolve(
        decoded, in: SourceRoot(of: decoded, readFrom: nil, option: nil))
      #expect(
        !resolved.findings.hasErrors && !resolved.value.files.isEmpty, "seed \(seed): \(text)")
    }
    #expect(made > 20, "seed \(seed)")
  }
}
