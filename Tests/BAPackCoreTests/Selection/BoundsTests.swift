import BAPackCore
import BATestSupport
import Testing

/// Errors come in thousands: a generated manifest in the wrong folder.
@Suite struct BoundsTests {
  let tree: TemporaryFolder

  init() throws { tree = try TemporaryFolder() }

  @Test func manyMissingFilesAreReportedInPart() throws {
    let selectors = (0..<50_000).map { "{file: 'Textures/Tiles/tile-\($0).png'}" }
      .joined(separator: ",")
    let result = try Selecting(selectors, in: tree)
    #expect(result.raw.count == 1000)
    #expect(result.raw.allSatisfy { $0.rule == .missingFile })
    #expect(
      result.raw.last?.notes.map(\.message).last == "49,000 more errors are not shown")
    // All are on one line of two million columns.
    #expect(Set(result.raw.compactMap { $0.location?.end }).count == 1000)
  }

  @Test func theSearchForOtherNamesIsLimited() throws {
    for file in 0..<150 { try tree.write("Tiles/tile-\(file).png") }
    let selectors = (0..<150).map { "{file: 'Tiles/Tile-\($0).png'}" }.joined(separator: ",")
    let result = try Selecting(selectors, in: tree)
    #expect(result.raw.count == 150)
    #expect(result.raw.count { $0.fix != nil } == 100)
    #expect(result.raw.prefix(100).allSatisfy { $0.fix != nil })
  }

  @Test func manyUnusedExclusionsAreReportedInPart() throws {
    try tree.write("a")
    let exclusions = (0..<20_000).map { "{fileExclusion: 'T/\($0)'}" }.joined(separator: ",")
    let used = (0..<20_000).map { "{file: 'U/\($0)/x'}, {fileExclusion: 'U/\($0)'}" }
    let result = try Selecting(
      "{directory: '.'}," + exclusions + "," + used.joined(separator: ","), in: tree)
    #expect(result.raw.count { $0.rule == .unusedExclusion } == 1000)
    #expect(result.raw.count { $0.rule == .nothingMatched } == 1000)
    #expect(result.files == ["a"])
  }

  @Test func longPathsAreRejectedWithoutReading() throws {
    let path = String(repeating: "a/", count: 500_000)
    let selectors =
      "{file: '\(path)x'}, {directory: '\(path)'}, {fileExclusion: '\(path)'}, {fileExclusion: 'a'}"
    let text = """
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [],
      "fileSelectors": [\(selectors)]}
      """
    let checked = ManifestDecoder.decode(SourceText(name: "m.json", bytes: Array(text.utf8)))
    #expect(checked.findings.map(\.rule) == [.pathTooLong, .pathTooLong, .pathTooLong])
    #expect(
      checked.findings.last?.notes.map(\.message) == [
        "it has 1,000,000 bytes; the maximum is 4,096"
      ])
    #expect(checked.value?.selectors.count == 1)
  }

  /// An error after a thousand warnings still prevents packaging.
  @Test func warningsHideNoErrors() {
    let source = SourceText(name: "m.json", bytes: Array("x".utf8))
    let location = SourceLocation(source, 0..<1)
    let warnings = (0..<1500).map { Finding(.unusedExclusion, "\($0)", at: location) }
    let errors = (0..<1200).map { Finding(.destinationClash, "\($0)", at: location) }
    #expect((warnings + errors.prefix(1)).limited().count == 1001)
    #expect((warnings + errors.prefix(1)).limited().hasErrors)
    let both = (warnings + errors).limited()
    #expect(both.count == 2000)
    #expect(
      both.flatMap(\.notes).map(\.message) == [
        "500 more warnings are not shown", "200 more errors are not shown",
      ])
    #expect(both.summary == "1,200 errors (1,000 shown), 1,500 warnings (1,000 shown)")
    #expect(
      (both + both).limited().summary == "2,400 errors (1,000 shown), 3,000 warnings (1,000 shown)")
    #expect(Array(errors.prefix(1000)).limited().allSatisfy { $0.notes.isEmpty })
    #expect(
      Array(errors.prefix(1001)).limited().last?.notes.map(\.message) == [
        "1 more error is not shown"
      ])
  }
}
