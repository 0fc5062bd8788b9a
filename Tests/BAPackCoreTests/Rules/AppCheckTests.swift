import BAPackCore
import BATestSupport
import Testing

/// The packs of a folder of fixtures, with files from `repository`.
private func packs(_ fixtures: [MarkedFixture], _ repository: BytePath) throws -> [CheckedPack] {
  try fixtures.map { fixture in
    let decoded = ManifestDecoder.decode(fixture.source)
    #expect(decoded.findings.isEmpty, "\(fixture.path)")
    let manifest = try #require(decoded.value)
    let root = SourceRoot(of: manifest, readFrom: nil, option: repository)
    let selection = Selection.resolve(manifest, in: root)
    #expect(selection.findings.isEmpty, "\(fixture.path)")
    return CheckedPack(manifest, selection.value)
  }
}

@Test(arguments: try Fixtures.names(in: "manifests/packs"))
func packsAreCheckedTogether(folder: String) throws {
  let fixtures = try MarkedFixture.all(in: "manifests/packs/" + folder, ending: "json")
  try withOddRepository { repository in
    let found = together(try packs(fixtures, repository))
    for fixture in fixtures {
      let here = found.filter { $0.location?.source.name == fixture.source.name }
      #expect(MarkedFixture.marks(here) == fixture.expected, "\(fixture.path)")
    }
    #expect(found.allSatisfy { $0.location != nil && !$0.notes.isEmpty })
  }
}

/// A manifest for a test, with a nonexistent file of `size` bytes.
private func pack(
  _ identifier: String, size: UInt64 = 1, platforms: String = "", destination: String = "a",
  language: String = ""
) throws -> CheckedPack {
  let text = """
    { "assetPackID": "\(identifier)", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "file": "a" }], "platforms": [\(platforms)]
      \(language.isEmpty ? "" : ", \"language\": \"\(language)\"") }
    """
  let source = SourceText(name: identifier + ".json", bytes: Array(text.utf8))
  let manifest = try #require(ManifestDecoder.decode(source).value)
  let path = try #require(RelativePath(destination.utf8))
  let file = SelectedFile(
    destination: path, source: path, size: size, isExecutable: false, version: 0, selector: 0)
  return CheckedPack(
    manifest, Selection(root: BytePath("/nowhere/\(identifier)".utf8), files: [file]))
}

private func together(_ packs: [CheckedPack], _ hosting: Hosting = .apple) -> [Finding] {
  AppCheck.findings(
    inPacks: packs, Players(packs.map(\.manifest)), AppPaths(packs),
    ManifestCheck.Options(hosting: hosting))
}

private func rules(_ packs: [CheckedPack], _ hosting: Hosting = .apple) -> [Rule] {
  together(packs, hosting).map(\.rule)
}

@Test func packsForOtherPlatformsDoNotConflict() throws {
  let mobile = try pack("mobile", platforms: "\"iOS\"")
  let desk = try pack("desk", size: 2, platforms: "\"macOS\"")
  let every = try pack("every", size: 3)
  #expect(rules([mobile, desk]) == [])
  let found = together([mobile, desk, every])
  #expect(found.map(\.message) == ["'a' has different contents in the pack 'mobile'"])
  #expect(found.flatMap(\.notes).last?.message == "also 'desk'")
  #expect(found.map(\.manifests) == [[2, 0, 1]])
}

/// A mistake that is in every pack is one finding, and one for each path that others have, too.
@Test func manyPacksWithOnePathMakeOneFinding() throws {
  let many = try (0..<150).map { try pack("p\($0)", size: UInt64($0 + 1)) }
  let found = together(many)
  #expect(found.map(\.rule) == [.contentsClash])
  #expect(found.first?.manifests.sorted() == Array(0..<150))
  #expect(
    found.first?.notes.last?.message == "also 'p2', 'p3', 'p4', 'p5', 'p6' and 143 more packs")
  // A file in the place of a folder.
  let inside = try (0..<20).map { try pack("i\($0)", destination: "b/\($0)") }
  let files = try (0..<20).map { try pack("f\($0)", size: UInt64($0 + 2), destination: "b") }
  #expect(
    together(inside + files).map(\.message)
      == [
        "'b' has different contents in the pack 'f0'",
        "'b' is a folder for 'b/0', and a file in the pack 'f0'",
      ])
  // Spellings of a name, each in a pack of its own.
  let names = try (0..<64).map { number in
    let name = "abcdef".enumerated().map {
      number >> $0.offset & 1 == 1 ? $0.element.uppercased() : "\($0.element)"
    }
    return try pack("n\(number)", destination: name.joined())
  }
  let spelled = together(names)
  #expect(spelled.map(\.rule) == [.caseClash])
  #expect(spelled.first?.message == "'abcdef' in the pack 'n0' and 'Abcdef' differ only in case")
  #expect(spelled.first?.notes.last?.message.hasSuffix(" and 57 more names") == true)
}

/// With many packs, no pairs are compared, but the answer is the same.
@Test func packsThatMeetAreFoundWithoutPairs() throws {
  var random = SeededGenerator(seed: 51)
  for _ in 0..<60 {
    let packs = try (0..<Int.random(in: 16...40, using: &random)).map { number in
      let platforms = ["iOS", "macOS", "tvOS", "visionOS"].filter { _ in
        Int.random(in: 0..<4, using: &random) == 0
      }
      let language = ["", "de", "en", "fr", "ja"].randomElement(using: &random) ?? ""
      return try pack(
        "p\(number)", platforms: platforms.map { "\"\($0)\"" }.joined(separator: ", "),
        language: language)
    }
    let players = Players(packs.map(\.manifest))
    let groups = Int.random(in: 1...6, using: &random)
    let items = packs.indices.map { index in
      Players.Item(
        AppPaths.Owner(pack: index, file: 0), group: Int.random(in: 0..<groups, using: &random))
    }
    let expected = items.filter { one in
      items.contains { $0.group != one.group && players.meet(one.owner.pack, $0.owner.pack) }
    }
    #expect(players.meeting(items).map(\.owner) == expected.map(\.owner))
  }
}

@Test func theStoreAcceptsTwoHundredPacks() throws {
  let many = try (0...200).map { try pack("p\($0)", destination: "a\($0)") }
  #expect(rules(many) == [.tooManyPacks])
  #expect(together(many).first?.location?.source.name == Array("p200.json".utf8))
  #expect(rules(Array(many.dropLast())) == [])
  #expect(rules(many, .ownServer) == [])
}

@Test func theStoreAcceptsTwoHundredGigabytes() throws {
  let half = try pack("half", size: 100_000_000_000)
  let rest = try pack("rest", size: 100_000_000_000, destination: "b")
  let more = try pack("more", destination: "c")
  #expect(rules([half, rest]) == [])
  #expect(rules([half, rest, more]) == [.packTooLarge])
  #expect(rules([half, rest, more], .ownServer) == [])
  #expect(rules([try pack("all", size: .max), half]).contains(.packTooLarge))
  #expect(
    together([try pack("one", size: 200_000_000_001)]).map(\.message) == [
      "the pack's files have 200.0 GB before compression; App Store Connect accepts 200.0 GB for "
        + "an app"
    ])
}

@Test func filesSelectedThroughALinkAreCovered() throws {
  let folder = try TemporaryFolder()
  try folder.write("game/real/a", "game/real/deep/b", "game/loose", "game/c", "game/other")
  try folder.link("game/linked/folder", to: "../real")
  try folder.link("game/linked/file", to: "../c")
  let linked = try Selecting("{directory: 'game/linked'}", in: folder)
  #expect(linked.files.count == 3)
  let gone = try manifest("{file: 'x'}")
  let nothing = Selection.resolve(
    gone, in: SourceRoot(of: gone, readFrom: nil, option: folder.path("gone")))
  #expect(nothing.findings.map(\.rule) == [.missingRoot])
  // A missing root selects nothing, which is reported elsewhere.
  let left = try Coverage(of: folder.path("game"), in: [nothing.value, linked.selection]).files
  #expect(left.map(\.path.description) == ["loose", "other"])
}

@Test func filesInNoPackAreListed() throws {
  try withOddRepository { repository in
    let fixtures = try MarkedFixture.all(in: "manifests/packs/contents-clash", ending: "json")
    let selections = try packs(fixtures, repository).compactMap(\.selection)
    let dialogue = repository.appending("Dialogue".utf8)
    #expect(
      try Coverage(of: dialogue, in: selections).files.map(\.path.description)
        == ["de/Begrüßung.txt"])
    #expect(
      try Coverage(
        of: dialogue, in: selections, except: [dialogue.appending("de/Begrüßung.txt".utf8)]
      ).files.isEmpty)
    let all = try Coverage(of: repository, in: selections).files.map(\.path.description)
    #expect(all.contains("Levels/order.txt"))
    #expect(!all.contains("Credits.txt"))
    #expect(throws: SystemError.self) {
      try Coverage(of: repository.appending("Nowhere".utf8), in: [])
    }
  }
}
