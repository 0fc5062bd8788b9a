import BAPackCore
import Testing

/// What a device has of packs with T for texts, V for voices, and C without a language.
private struct Example: CustomTestStringConvertible, Sendable {
  let packs: String
  let player: [String]
  var primary = "en"
  /// The resolved language; nil for none.
  let language: String?
  let localized: String
  var isCertain = true

  var testDescription: String { "\(packs): \(player)" }
}

private let examples = [
  Example(
    packs: "T-en T-de T-fr V-en V-de V-fr", player: ["de-AT"], language: "de",
    localized: "T-de V-de"),
  Example(
    packs: "T-en T-de T-fr V-en V-de V-fr", player: ["sv"], language: "en", localized: "T-en V-en"),
  Example(
    packs: "T-en T-de T-fr V-en V-de V-fr", player: ["sv", "de"], language: "de",
    localized: "T-de V-de"),
  Example(
    packs: "T-en T-de", player: ["en-GB", "de"], language: "en", localized: "T-en",
    isCertain: false),
  Example(packs: "T-en T-en-GB V-en", player: ["en-GB"], language: "en-GB", localized: "T-en-GB"),
  Example(
    packs: "T-en T-de T-fr T-it T-es V-en V-de", player: ["fr", "en"], language: "fr",
    localized: "T-fr"),
  Example(packs: "V-en V-de C", player: ["fr"], language: "en", localized: "V-en"),
  Example(
    packs: "T-en T-en-CA", player: ["en-GB"], language: "en", localized: "T-en", isCertain: false),
  Example(
    packs: "T-en T-en-GB", player: ["en-AU"], language: "en-GB", localized: "T-en-GB",
    isCertain: false),
  Example(
    packs: "T-en-GB", player: ["en-US"], primary: "en-GB", language: "en-GB", localized: "T-en-GB"),
  Example(
    packs: "T-zh-Hans T-zh-Hant", player: ["zh-HK"], language: "zh-Hant", localized: "T-zh-Hant",
    isCertain: false),
  Example(packs: "T-de T-fr", player: ["sv"], language: nil, localized: ""),
  Example(packs: "V-en V-de", player: ["de"], language: "de", localized: "V-de"),
  Example(packs: "T-en V-en T-pl", player: ["pl"], language: "pl", localized: "T-pl"),
]

/// The manifests of packs with these names.
private func manifests(_ names: String, platforms: [Platform] = []) -> [Manifest] {
  names.split(separator: " ").map { name in
    let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
    return Manifest(
      assetPackID: String(name), .onDemand, platforms: platforms,
      language: parts.count > 1 ? parts[1] : nil)
  }
}

@Suite struct PlayersTests {
  @Test(arguments: examples) private func aDeviceHasOneLanguage(_ example: Example) throws {
    let manifests = manifests(example.packs)
    var device = Device()
    device.languages = example.player
    device.primaryLanguage = example.primary
    let players = try Players(manifests, device)
    let player = try #require(players.all.first)
    #expect(players.all.count == 1 && player.language == example.language)
    #expect(player.isCertain == (example.language == nil ? nil : example.isCertain))
    let localized = player.packs.filter { manifests[$0].language != nil }
    #expect(
      localized.map { manifests[$0].assetPackID }.joined(separator: " ") == example.localized)
  }

  /// Row 11: Apple doesn't say which of several regions a device has.
  @Test func severalRegionsAreAnError() {
    var device = Device()
    device.languages = ["es-AR"]
    device.primaryLanguage = "en"
    #expect(throws: PackagingError.severalRegions(of: "es-AR", ["es-MX", "es-US"])) {
      try Players(manifests("T-en T-es-MX T-es-US"), device)
    }
    device.languages = ["sv"]
    device.primaryLanguage = nil
    #expect(throws: PackagingError.noPrimaryLanguage(["de"], wanted: ["sv"])) {
      try Players(manifests("T-de"), device)
    }
  }

  @Test func platformsWithTheSamePacksAreOnePlayer() {
    let packs =
      manifests("C T-en") + manifests("T-de T-fr", platforms: [.iOS, .macOS])
      + manifests("D", platforms: [.tvOS])
    let players = Players(packs)
    #expect(
      players.all.map { "\($0.language ?? "-") \($0.platforms.map(\.rawValue)) \($0.packs)" } == [
        "- [\"iOS\", \"macOS\", \"visionOS\"] [0]", "- [\"tvOS\"] [0, 4]",
        "en [\"iOS\", \"macOS\", \"visionOS\"] [0, 1]", "en [\"tvOS\"] [0, 1, 4]",
        "de [\"iOS\", \"macOS\"] [0, 2]", "fr [\"iOS\", \"macOS\"] [0, 3]",
      ])
    #expect(Players(packs, on: .tvOS).all.map(\.packs) == [[0, 4], [0, 1, 4]])
    #expect(players.meet(0, 4) && players.meet(0, 3) && !players.meet(2, 3) && !players.meet(2, 4))
    #expect(players.largest { [1, 10, 30, 20, 25][$0] }.size == 36)
    #expect(Players([]).all.count == 1 && Players([nil, nil]).all.map(\.packs) == [[0, 1]])
  }
}
