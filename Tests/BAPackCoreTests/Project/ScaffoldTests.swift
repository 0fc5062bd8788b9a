import BAPackCore
import BATestSupport
import Testing

/// The manifests proposed for a tree, each as its identifier, language and selectors.
private func proposed(
  _ tree: TemporaryFolder, depth: Int? = 1, minimumSize: UInt64 = 0, skipping: [String] = []
) throws -> [String] {
  let scaffold = try Scaffold(
    of: tree.path("Game"), depth: depth, minimumSize: minimumSize,
    skipping: skipping.map(tree.path), sourceRoot: "Game")
  return try scaffold.packs.map { pack in
    let file = tree.path("\(pack.identifier).json")
    let check = ManifestCheck(
      of: SourceText(name: file.bytes, bytes: pack.manifest), readFrom: file,
      .init(policy: SelectionPolicy(allowsStubs: true)))
    #expect(check.findings.isEmpty, "\(pack.identifier): \(check.findings.map(\.message))")
    let checked = try #require(check.pack)
    let selection = try #require(checked.selection)
    #expect(pack.difference(from: selection) == nil, "\(pack.identifier)")
    #expect(selection.size == pack.size, "\(pack.identifier)")
    let selectors = checked.manifest.selectors.map { selector in
      let path = selector.source.value
      return switch selector.kind {
      case .directory: path + (selector.destination.map { " as " + $0.value } ?? "")
      case .filePattern: "pattern " + path
      case .fileExclusion: "not " + path
      case .file: "?"
      }
    }
    let language = checked.manifest.language.map { " (\($0))" } ?? ""
    return pack.identifier + language + ": " + selectors.joined(separator: ", ")
  }
}

@Suite struct ScaffoldTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
  }

  @Test func eachFolderAtTheTopIsAPack() throws {
    try tree.write("Game/Art/a.png", "Game/Art/Deep/b.png", "Game/Sounds/c.wav", "Game/readme.txt")
    try tree.write("Game/.github/ci.yml", "Game/.gitignore", "Game/.git/HEAD")
    #expect(
      try proposed(tree) == ["Game: pattern *", "Art: Art", "Sounds: Sounds"])
    #expect(
      try proposed(tree, depth: 2) == [
        "Game: pattern *", "Art: pattern Art/*", "Art-Deep: Art/Deep", "Sounds: pattern Sounds/*",
      ])
    #expect(try proposed(tree, skipping: ["Game/Art"]).count == 2)
  }

  @Test func singleFoldersArePassed() throws {
    try tree.write("Game/usr/share/x/Art/a.png", "Game/usr/share/x/Art/b.xcf", "Game/usr/share/x/y")
    #expect(
      try proposed(tree, depth: nil) == [
        "x: pattern usr/share/x/*", "Art: usr/share/x/Art, not **/*.xcf",
      ])
    #expect(try proposed(tree) == ["usr: usr, not **/*.xcf"])
    try tree.write("Game/usr/share/x/de/a", "Game/usr/share/x/fr/a")
    #expect(try proposed(tree, depth: nil).count == 3)
  }

  @Test func languagesArePacksOfTheirOwn() throws {
    try tree.write(
      "Game/Text/de/a", "Game/Text/pt_BR/a", "Game/Text/en/a", "Game/Text/b",
      "Game/Voice/Deep/de/a", "Game/Voice/Deep/fr/a", "Game/App/de.lproj/x",
      "Game/App/Base.lproj/x",
      "Game/App/German.lproj/y", "Game/Code/ui/a", "Game/Code/io/b", "Game/Code/lib/c",
      "Game/Code/main/d", "Game/Code/test/e", "Game/zh-Hans/a", "Game/zh-Hant/a")
    #expect(
      try proposed(tree) == [
        "App: App, not App/German.lproj, not App/de.lproj",
        "App-de (de): App/German.lproj as App, App/de.lproj as App", "Code: Code",
        "Text: Text, not Text/de, not Text/en, not Text/pt_BR",
        "Text-de (de): Text/de as Text", "Text-en (en): Text/en as Text",
        "Text-pt-BR (pt-BR): Text/pt_BR as Text",
        "Voice-de (de): Voice/Deep/de as Voice/Deep", "Voice-fr (fr): Voice/Deep/fr as Voice/Deep",
        "zh-Hans (zh-Hans): zh-Hans", "zh-Hant (zh-Hant): zh-Hant",
      ])
  }

  @Test func smallFoldersJoinTheOneAbove() throws {
    try tree.write("Game/Art/Deep/a", "Game/Sounds/b", "Game/c")
    try tree.write("Game/Big/d", [UInt8](repeating: 1, count: 1000))
    #expect(
      try proposed(tree, minimumSize: 500) == ["Game: pattern *, Art, Sounds", "Big: Big"])
    #expect(
      try proposed(tree, depth: 2, minimumSize: 500) == [
        "Game: pattern *, Art/Deep, pattern Sounds/*", "Big: pattern Big/*",
      ])
  }

  @Test func sourcesOfAssetsAreExcludedAndUnitsAreNotLanguages() throws {
    try tree.write(
      "Game/Art/a.png", "Game/Art/a.png.meta", "Game/Art/b.psd", "Game/Art/c.PSD",
      "Game/Units/mr_bomb/a", "Game/Units/mr_tree/b", "Game/.atlas")
    #expect(
      try proposed(tree) == [
        "Art: Art, not **/*.PSD, not **/*.meta, not **/*.psd", "Units: Units",
      ])
  }

  @Test func strayFilesAndBrokenLinksAreExcluded() throws {
    try tree.write(
      "Game/A [1]/a", "Game/A [1]/.DS_Store", "Game/A [1]/x/.DS_Store", "Game/A [1]/x/y",
      "Game/A [1]/.svn/entries", "Game/A [1]/Old.aar", "Game/top")
    try tree.link("Game/A [1]/gone", to: "nowhere")
    try tree.link("Game/A [1]/out", to: tree.path)
    try tree.link("Game/A [1]/x/up", to: "..")
    try tree.link("Game/link", to: "top")
    #expect(
      try proposed(tree) == [
        "Game: pattern *",
        "A-1: A [1], not **/*.aar, not **/.DS_Store, not A [1]/.svn, not A [1]/gone, "
          + "not A [1]/out, not A [1]/x/up",
      ])
    #expect(
      try proposed(tree, depth: 2)[1...].first
        == "A-1: pattern A \\[1]/*, not **/*.aar, not A [1]/gone, not A [1]/out")
  }

  @Test func identifiersAreAllowedAndUnique() throws {
    try tree.write("Game/a b/1", "Game/a-b/1", "Game/A_B/1", "Game/ß/1", "Game/--x--/1")
    #expect(
      try proposed(tree).map { $0.prefix { $0 != ":" } } == ["x", "A-B", "a-b-2", "a-b-3", "pack"])
  }

  @Test func namesThatAreNotUTF8AreProblems() throws {
    try tree.write("Game/A/a")
    let folder = tree.path("Game/A")
    guard let made = try? FileDescriptor.creating(folder.appending([0x4B, 0xFC])) else { return }
    _ = consume made
    let scaffold = try Scaffold(of: tree.path("Game"), depth: 1, skipping: [], sourceRoot: ".")
    #expect(scaffold.problems == ["the name of 'A/K\\xFC' is not UTF-8"])
  }
}
