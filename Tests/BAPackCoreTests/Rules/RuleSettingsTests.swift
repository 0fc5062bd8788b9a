import BAPackCore
import BATestSupport
import Testing

private func setting(
  _ rule: Rule, _ level: RuleSettings.Level, _ pattern: String? = nil
) throws -> RuleSettings.Setting {
  let source = SourceText(name: "p", bytes: Array((pattern ?? "").utf8))
  let place = SourceLocation(source, 0..<source.bytes.count)
  return RuleSettings.Setting(
    rule.id, level, files: try pattern.map { try PathPattern(Located($0, at: place)) })
}

/// The rules and severities found for a manifest with `selectors` in `folder/Packs`, with files in
/// `folder/Game`.
private func found(
  _ settings: [RuleSettings.Setting], _ selectors: String, in folder: TemporaryFolder,
  isStrict: Bool = false
) throws -> [String] {
  let text = """
    { "assetPackID": "a.b", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [\(selectors)], "platforms": [] }
    """
  try folder.write("Packs/p.json")
  var options = ManifestCheck.Options(hosting: .apple, root: folder.path("Game"))
  options.rules = RuleSettings(settings, folder: folder.filePath)
  options.rules.isStrict = isStrict
  let source = SourceText(name: "p.json", bytes: Array(text.utf8))
  return ManifestCheck(of: source, readFrom: folder.path("Packs/p.json"), options).findings
    .map { "\($0.severity.rawValue) \($0.rule.id)" }
}

private func game() throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  try folder.write("Game/Art/Thumbs.db", "Game/Levels/Thumbs.db", "Game/Levels/1.json")
  return folder
}

private let everything = "{\"directory\": \"Art\"}, {\"directory\": \"Levels\"}"

@Test func rulesCanBeTurnedOffAndMadeErrors() throws {
  let folder = try game()
  #expect(
    try found([], everything, in: folder) == [
      "error asset-pack-id", "warning stray-file", "warning stray-file",
    ])
  let settings = [try setting(.strayFile, .error), try setting(.assetPackID, .off)]
  #expect(try found(settings, everything, in: folder) == ["error stray-file", "error stray-file"])
}

@Test func theLastSettingOfARuleCounts() throws {
  let folder = try game()
  let settings = [
    try setting(.strayFile, .off), try setting(.assetPackID, .error),
    try setting(.assetPackID, .off), try setting(.strayFile, .error),
  ]
  #expect(try found(settings, everything, in: folder) == ["error stray-file", "error stray-file"])
}

/// Patterns are relative to the project's folder, not to the source root.
@Test(arguments: ["Game/Art", "Game/Art/Thumbs.db", "Game/Art/*.db", "**/Art/*", "./Game/Art/"])
func settingsApplyToFilesByPath(pattern: String) throws {
  let folder = try game()
  let settings = [
    try setting(.strayFile, .off, pattern),
    try setting(.assetPackID, .off),
  ]
  #expect(try found(settings, everything, in: folder) == ["warning stray-file"])
  #expect(try found(settings, "{\"directory\": \"Art\"}", in: folder) == [])
}

@Test(arguments: ["Packs", "Packs/p.json", "**/*.json", "."])
func settingsApplyToManifestsByPath(pattern: String) throws {
  let folder = try game()
  let settings = [
    try setting(.strayFile, .off, pattern),
    try setting(.assetPackID, .off, pattern),
  ]
  #expect(try found(settings, everything, in: folder) == [])
}

@Test(arguments: ["Art", "Game/Art/*.png", "Packs/q.json", "Game/Ar"])
func settingsForOtherFilesChangeNothing(pattern: String) throws {
  let folder = try game()
  let settings = [
    try setting(.strayFile, .off, pattern),
    try setting(.assetPackID, .off, pattern),
  ]
  #expect(try found(settings, everything, in: folder).count == 3)
}

@Test func errorsThatPreventAPackStayErrors() throws {
  let folder = try game()
  let settings = [
    try setting(.missingFile, .off), try setting(.assetPackID, .off),
    try setting(.nothingMatched, .off), try setting(.absolutePath, .off),
  ]
  #expect(
    try found(
      settings, "{\"file\": \"none\"}, {\"file\": \"/a\"}, {\"filePattern\": \"*.x\"}", in: folder)
      == ["error missing-file", "error absolute-path"])
}

@Test func strictnessMakesErrorsOfWhatIsLeft() throws {
  let folder = try game()
  let settings = [
    try setting(.strayFile, .off), try setting(.assetPackID, .warning),
  ]
  #expect(
    try found(settings, everything, in: folder, isStrict: true) == ["error asset-pack-id"])
}

@Test func packsAboveTheirBudgetAreFound() throws {
  let folder = try TemporaryFolder()
  try folder.writeSparse("Game/a", size: 200_000_001)
  func rules(_ policy: String, _ budgets: SizeBudgets = SizeBudgets()) throws -> [String] {
    let text = """
      { "assetPackID": "a", "downloadPolicy": { \(policy) },
        "fileSelectors": [{ "file": "a" }], "platforms": [] }
      """
    var options = ManifestCheck.Options(hosting: .apple, root: folder.path("Game"))
    options.sizeBudgets = budgets
    let source = SourceText(name: "p.json", bytes: Array(text.utf8))
    let check = ManifestCheck(of: source, readFrom: nil, options)
    let pack = try #require(check.pack)
    let together = AppCheck.findings(
      inPacks: [pack], Players([pack.manifest]), AppPaths([pack]), options)
    return (check.findings + together).map(\.message)
  }
  let essential = "\"essential\": { \"installationEventTypes\": [\"firstInstallation\"] }"
  #expect(
    try rules(essential) == [
      "the files have 200,000,001 bytes; the budget of 'essential' packs is 200,000,000 bytes"
    ])
  #expect(try rules("\"onDemand\": {}") == [])
  var budgets = SizeBudgets()
  budgets.policies["essential"] = 200_000_001
  #expect(try rules(essential, budgets) == [])
  budgets.packs["a"] = 1000
  #expect(
    try rules("\"onDemand\": {}", budgets) == [
      "the files have 200.0 MB; the budget of this pack is 1.0 kB"
    ])
}

@Test func sizesAreReadWithTheirUnits() {
  #expect(byteCount(reading: "0") == 0)
  #expect(byteCount(reading: "12 B") == 12)
  #expect(byteCount(reading: "1.5 kB") == 1500)
  #expect(byteCount(reading: "200MB") == 200_000_000)
  #expect(byteCount(reading: "1M") == byteCount(reading: "1 MB"))
  #expect(byteCount(reading: "1.25 GiB") == 1_342_177_280)
  #expect(byteCount(reading: "2 tb") == 2_000_000_000_000)
  #expect(byteCount(reading: "18446744073709551615") == .max)
  for text in [
    "", "MB", "-1", "1 XB", "1.2.3", "1.", "1 Mi", "18446744073709551616", "99999999 TiB", "1,5 MB",
    "0x10", "1 MB ",
  ] {
    #expect(byteCount(reading: text) == nil, "\(text)")
  }
}
