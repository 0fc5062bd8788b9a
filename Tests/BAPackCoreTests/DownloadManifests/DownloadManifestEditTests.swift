import BAPackCore
import Testing

@Suite struct DownloadManifestEditTests {
  let base: DownloadBaseURL

  init() throws { base = try DownloadBaseURL(Array("https://cdn.example.com/packs/".utf8)) }

  @Test func createListsPacksInOrderWithStableKeys() throws {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    let userInfo = JSONValue(.object([JSONMember("b", JSONValue(.null)), JSONMember("a", "x")]))
    edit.add(
      [
        facts("Tutorial", 1, policy: .essential([.firstInstallation]), size: 596),
        facts("Level 1", 2, platforms: [.iOS, .macOS], userInfo: userInfo),
      ], for: [.iOS, .macOS])
    #expect(edit.findings.isEmpty)
    #expect(
      text(edit.manifest.bytes) == """
        {
          "assetPacks": [
            {
              "id": "Tutorial",
              "url": "https://cdn.example.com/packs/Tutorial",
              "version": 0,
              "downloadSize": 596,
              "downloadPolicy": {
                "essential": {
                  "installationEventTypes": [
                    "firstInstallation"
                  ]
                }
              },
              "host": {
                "thirdParty": {}
              }
            },
            {
              "id": "Level 1",
              "url": "https://cdn.example.com/packs/Level%201",
              "version": 0,
              "downloadSize": 100,
              "downloadPolicy": {
                "onDemand": {}
              },
              "host": {
                "thirdParty": {}
              },
              "userInfo": {
                "b": null,
                "a": "x"
              }
            }
          ]
        }

        """)
    #expect(
      text(edit.records.bytes) == """
        {
          "schemaVersion": 1,
          "assetPacks": [
            {
              "id": "Level 1",
              "version": 0,
              "sha256": "\(hexadecimal(facts("", 2).contents))"
            },
            {
              "id": "Tutorial",
              "version": 0,
              "sha256": "\(hexadecimal(facts("", 1).contents))"
            }
          ]
        }

        """)
  }

  @Test func updateAfterCreateChangesOnlyTheChangedPack() throws {
    var create = DownloadManifestEdit(replacing: history(), base: base)
    create.add(["A", "B", "C"].map { facts($0, 1) }, versions: [4, 0, 7], for: [.iOS])
    var update = DownloadManifestEdit(
      updating: history(try reread(create.manifest), try reread(create.records)), base: base)
    update.add([facts("A", 1), facts("B", 2), facts("C", 1)], for: [.iOS])
    #expect(update.findings.isEmpty)
    #expect(versions(update) == "A=4 B=1 C=7")
    #expect(update.changes.map(\.keys) == [[], ["version"], []])
    #expect(update.changes.map(\.contents) == [.same, .other, .same])
    var again = DownloadManifestEdit(
      updating: history(try reread(update.manifest), try reread(update.records)), base: base)
    again.add([facts("A", 1), facts("B", 2), facts("C", 1)], for: [.iOS])
    #expect(again.manifest.bytes == update.manifest.bytes)
    #expect(again.records.bytes == update.records.bytes)
  }

  @Test func anotherCompressionChangesTheSizeAndNotTheVersion() throws {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add([facts("A", 1, size: 100)], versions: [3], for: [.iOS])
    var update = DownloadManifestEdit(updating: history(edit), base: base)
    update.add([facts("A", 1, size: 90)], for: [.iOS])
    #expect(update.changes.map(\.keys) == [["downloadSize"]])
    #expect(update.changes.map(\.to) == [3])
  }

  @Test func withoutRecordsListedPacksGetANewVersionAndNewOnesZero() throws {
    var edit = DownloadManifestEdit(
      updating: history(try manifest(#"{"assetPacks": [{"id": "A", "version": 2}]}"#)), base: base)
    edit.add([facts("A", 1), facts("B", 1)], for: [.iOS])
    #expect(versions(edit) == "A=3 B=0")
  }

  @Test func versionsNeverDecrease() throws {
    var old = DownloadManifestEdit(replacing: history(), base: base)
    old.add([facts("A", 1), facts("B", 1)], versions: [5, 6], for: [.iOS])

    var create = DownloadManifestEdit(replacing: history(old.manifest), base: base)
    create.add([facts("A", 1), facts("B", 1)], versions: [4, 7], for: [.iOS])
    #expect(create.findings.map(\.rule) == [.downloadVersion])
    #expect(
      create.findings[0].message
        == "the version of 'A' would drop from 5 to 4, and devices would ignore it: use 5 or more")

    // Removed from the manifest and added again: the records still have the version.
    var back = DownloadManifestEdit(updating: history(DownloadManifest(), old.records), base: base)
    back.add([facts("A", 1), facts("B", 2)], for: [.iOS])
    #expect(versions(back) == "A=5 B=7")

    // Reduced manually in the manifest.
    var edited = DownloadManifestEdit(
      updating: history(try manifest(#"{"assetPacks": [{"id": "A", "version": 1}]}"#), old.records),
      base: base)
    edited.add([facts("A", 1), facts("B", 2)], for: [.iOS])
    #expect(versions(edited) == "A=5 B=7")

    // Increased manually: the records of an older version are irrelevant.
    var raised = DownloadManifestEdit(
      updating: history(try manifest(#"{"assetPacks": [{"id": "A", "version": 9}]}"#), old.records),
      base: base)
    raised.add([facts("A", 1)], for: [.iOS])
    #expect(versions(raised) == "A=10")
  }

  @Test func theLargestVersionCannotIncrease() throws {
    let json = #"{"assetPacks": [{"id": "A", "version": 9223372036854775807}]}"#
    var edit = DownloadManifestEdit(updating: history(try manifest(json)), base: base)
    edit.add([facts("A", 1)], for: [.iOS])
    #expect(edit.findings.map(\.rule) == [.downloadVersion])
  }

  @Test func otherContentsUnderTheSameVersionAreAWarning() {
    var old = DownloadManifestEdit(replacing: history(), base: base)
    old.add([facts("A", 1)], for: [.iOS])
    var edit = DownloadManifestEdit(replacing: history(old), base: base)
    edit.add([facts("A", 2)], versions: [0], for: [.iOS])
    #expect(edit.findings.map(\.severity) == [.warning])
  }

  @Test func unknownContentsUnderTheSameVersionAreAWarning() {
    var old = DownloadManifestEdit(replacing: history(), base: base)
    old.add([facts("A", 1)], versions: [3], for: [.iOS])
    var edit = DownloadManifestEdit(replacing: history(old.manifest), base: base)
    edit.add([facts("A", 1)], versions: [3], for: [.iOS])
    #expect(
      edit.findings.map(\.message) == [
        "there is no record of version 3 of 'A': if the contents have changed, devices that have "
          + "it won't download it again"
      ])
    #expect(edit.findings.map(\.severity) == [.warning])
    #expect(edit.changes.map(\.needsUpload) == [true])
  }

  @Test func aListThatIsReplacedKeepsItsVersions() throws {
    var one = DownloadManifestEdit(replacing: history(), base: base)
    one.add([facts("A", 1), facts("B", 1), facts("C", 1)], versions: [2, 2, 2], for: [.iOS])
    var other = DownloadManifestEdit(replacing: history(), base: base)
    other.add(
      [facts("A", 2), facts("B", 1), facts("C", 3), facts("D", 1)], versions: [5, 5, 2, 7],
      for: [.iOS])
    // Different contents get a version above both, equal contents keep theirs, and a pack that
    // isn't given is an error if its version is lower.
    var edit = DownloadManifestEdit(updating: history(one), replacing: history(other), base: base)
    edit.add([facts("A", 1), facts("B", 1), facts("D", 2)], for: [.iOS])
    #expect(versions(edit) == "A=6 B=5 C=2 D=8")
    #expect(
      edit.findings.map(\.message) == [
        "the contents of 'C' differ from version 2 in the file that is replaced: devices that have "
          + "it won't download it again"
      ])
    var behind = DownloadManifestEdit(
      updating: history(one), replacing: history(other), base: base)
    behind.add([facts("B", 1), facts("C", 1)], for: [.iOS])
    #expect(versions(behind) == "A=2 B=5 C=3")
    #expect(behind.findings.hasErrors)
    #expect(
      behind.findings.map(\.message) == [
        "the version of 'A' is 2, but 5 in the file that is replaced, so devices would ignore it: "
          + "update that pack too"
      ])
    // What was only in the replaced list is still recorded.
    var later = DownloadManifestEdit(updating: history(behind), base: base)
    later.add([facts("D", 1)], for: [.iOS])
    #expect(versions(later) == "A=2 B=5 C=3 D=7")
  }

  @Test func aVersionMissingFromTheListIsAWarning() throws {
    let json = #"{"assetPacks": [{"id": "A", "version": 3}, {"id": "B", "version": 4}]}"#
    var old = DownloadManifestEdit(replacing: history(), base: base)
    old.add([facts("A", 1)], versions: [3], for: [.iOS])
    var edit = DownloadManifestEdit(
      replacing: history(try manifest(json), old.records), base: base)
    edit.add([facts("C", 1)], for: [.iOS])
    #expect(
      edit.findings.map(\.message) == [
        "'B' is no longer listed, and its version 4 is not recorded: use a higher version if you "
          + "add it again"
      ])
    #expect(edit.findings.map(\.severity) == [.warning])
  }

  @Test func anotherServerNeedsAllUploads() throws {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add([facts("Level 1", 1)], for: [.iOS])
    for (url, isNeeded) in [("https://cdn.example.com/packs", false), ("https://new-cdn", true)] {
      let base = try DownloadBaseURL(Array(url.utf8))
      var update = DownloadManifestEdit(updating: history(edit), base: base)
      update.add([facts("Level 1", 1)], for: [.iOS])
      #expect(update.changes.map(\.needsUpload) == [isNeeded])
      #expect(update.changes.map(\.fileName) == ["Level 1"])
    }
  }

  @Test(arguments: ["a/b", "../a", "a\tb", "a\n", "a\0", "\u{7F}"])
  func identifiersThatAreNotFileNamesCannotBeUploaded(identifier: String) {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add([facts(identifier, 1)], for: [.iOS])
    #expect(edit.findings.isEmpty)
    #expect(edit.changes.uploadFindings.map(\.rule) == [.downloadURL])
  }

  @Test func unknownKeysAndTheOrderAreKept() throws {
    let json = """
      {"z": [1e3, null], "assetPacks": [
        {"x": 1, "version": 0, "id": "B", "host": {"own": true}, "userInfo": {"old": 1}},
        {"id": "A", "version": 0, "url": "http://old", "note": "kept"}
      ], "a": "b"}
      """
    var edit = DownloadManifestEdit(updating: history(try manifest(json)), base: base)
    edit.add([facts("B", 1)], for: [.iOS])
    let compact = text(edit.manifest.bytes).filter { !$0.isWhitespace }
    #expect(
      compact == #"{"z":[1e3,null],"assetPacks":[{"x":1,"version":1,"id":"B","host":{"own":true},"#
        + #""url":"https://cdn.example.com/packs/B","downloadSize":100,"#
        + #""downloadPolicy":{"onDemand":{}}},"#
        + #"{"id":"A","version":0,"url":"http://old","note":"kept"}],"a":"b"}"#)
    #expect(
      edit.changes[0].keys == ["version", "url", "downloadSize", "downloadPolicy", "userInfo"])
  }

  @Test func packsForOtherPlatformsAreErrors() {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add(
      [
        facts("A", 1, platforms: [.iOS]), facts("B", 1),
        facts("C", 1, platforms: [.tvOS, .visionOS]),
      ], for: [.iOS, .macOS])
    #expect(
      edit.findings.map(\.message) == [
        "'A.aar' is not for macOS: its manifest lists iOS",
        "'C.aar' is not for iOS or macOS: its manifest lists tvOS, visionOS",
      ])
  }

  @Test func identifiersAreComparedByTheirBytes() {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add([facts("\u{E9}", 1), facts("e\u{301}", 1)], for: [.iOS])
    #expect(edit.findings.isEmpty)
    edit.add([facts("A", 1), facts("A", 1), facts("..", 1)], for: [.iOS])
    #expect(
      edit.findings.map(\.message) == [
        "'A.aar' and 'A.aar' have the same identifier 'A'",
        "'...aar' has the identifier '..', which can't be the last part of a URL",
      ])
  }

  @Test func aLanguageThatTheListCannotSayIsAWarning() throws {
    var edit = DownloadManifestEdit(replacing: history(), base: base)
    edit.add([facts("a", 1, language: "de-AT"), facts("b", 2)], for: [.iOS])
    #expect(edit.findings.map(\.rule) == [.downloadLanguage])
    #expect(!edit.findings.hasErrors)

    let json = #"{"assetPacks": [{"id": "a", "version": 0, "language": "de-AT"}]}"#
    edit = DownloadManifestEdit(updating: history(try manifest(json)), base: base)
    edit.add([facts("a", 1, language: "de-AT")], for: [.iOS])
    #expect(edit.findings.map(\.rule) == [.downloadRecords])
    #expect(text(edit.manifest.bytes).contains(#""language": "de-AT""#))
  }

  /// Names with digests identify the contents of packs in a list without records.
  @Test func namesWithDigestsTellTheContents() throws {
    var first = DownloadManifestEdit(replacing: history(), base: base)
    first.add([facts("Level 1", 1, archive: 1)], for: [.iOS])
    #expect(text(first.manifest.bytes).contains(#"/packs/Level%201-0101010101010101.aar""#))
    #expect(first.changes.map(\.fileName) == ["Level 1-0101010101010101.aar"])
    let live = history(first.manifest)

    // The same archive.
    var same = DownloadManifestEdit(updating: live, base: base)
    same.add([facts("Level 1", 1, archive: 1)], for: [.iOS])
    #expect(versions(same) == "Level 1=0")
    #expect(same.changes.map(\.needsUpload) == [false])

    // Another archive with the same contents, according to the records of the other list.
    var packed = DownloadManifestEdit(updating: live, replacing: history(first), base: base)
    packed.add([facts("Level 1", 1, archive: 2)], for: [.iOS])
    #expect(versions(packed) == "Level 1=0")
    #expect(packed.changes.map(\.needsUpload) == [true])

    // The contents of another archive, or of one without a digest in its name, are unknown.
    var unknown = DownloadManifestEdit(updating: live, base: base)
    unknown.add([facts("Level 1", 1, archive: 2)], for: [.iOS])
    #expect(versions(unknown) == "Level 1=1")
    var plain = DownloadManifestEdit(replacing: history(), base: base)
    plain.add([facts("Level 1", 1)], for: [.iOS])
    var named = DownloadManifestEdit(updating: history(plain.manifest), base: base)
    named.add([facts("Level 1", 1, archive: 1)], for: [.iOS])
    #expect(versions(named) == "Level 1=1")

    // A list that was pushed but not published: its version is used up, and the live one is older.
    var pushed = DownloadManifestEdit(updating: live, base: base)
    pushed.add([facts("Level 1", 2, archive: 2)], for: [.iOS])
    var again = DownloadManifestEdit(updating: live, replacing: history(pushed), base: base)
    again.add([facts("Level 1", 2, archive: 2)], for: [.iOS])
    #expect(versions(again) == "Level 1=1")
    #expect(again.changes.map(\.needsUpload) == [true])
  }

  @Test func baseURLsWithoutHTTPSAreAWarning() throws {
    let base = try DownloadBaseURL(Array("http://localhost:8000".utf8))
    let edit = DownloadManifestEdit(replacing: history(), base: base)
    #expect(edit.findings.map(\.severity) == [.warning])
  }
}

private func facts(
  _ id: String, _ contents: UInt8, policy: DownloadPolicy = .onDemand, platforms: [Platform] = [],
  language: String? = nil, userInfo: JSONValue? = nil, size: UInt64 = 100,
  archive: UInt8? = nil
) -> PackFacts {
  var digest = ContentsDigest()
  if let path = RelativePath("a".utf8) { digest.add(path, sha256: SHA256.digest(of: [contents])) }
  return PackFacts(
    path: BytePath((id + ".aar").utf8),
    Manifest(
      assetPackID: id, policy, platforms: platforms, language: language, userInfo: userInfo),
    downloadSize: size, contents: digest.finalize(),
    sha256: archive.map { [UInt8](repeating: $0, count: 32) })
}

private func history(
  _ manifest: DownloadManifest = DownloadManifest(), _ records: ContentsRecords = ContentsRecords()
) -> DownloadHistory {
  DownloadHistory(manifest, records)
}

private func history(_ edit: DownloadManifestEdit) -> DownloadHistory {
  DownloadHistory(edit.manifest, edit.records)
}

extension DownloadManifestEdit {
  /// Adds `packs` with these versions, or the next ones.
  fileprivate mutating func add(
    _ packs: [PackFacts], versions: [Int]? = nil, for platforms: [Platform]
  ) {
    add(packs.enumerated().map { ($1, versions?[$0]) }, for: platforms)
  }
}

private func versions(_ edit: DownloadManifestEdit) -> String {
  edit.manifest.identifiers.map { "\($0)=\(edit.manifest.version(of: $0) ?? -1)" }
    .joined(separator: " ")
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

private func document(_ bytes: [UInt8]) -> JSONDocument {
  JSONDocument(reading: SourceText(name: "d.json", bytes: bytes))
}

private func manifest(_ text: String) throws -> DownloadManifest {
  var findings: [Finding] = []
  let manifest = DownloadManifest(document(Array(text.utf8)), findings: &findings)
  return try #require(manifest, "\(findings.map(\.message))")
}

private func reread(_ manifest: DownloadManifest) throws -> DownloadManifest {
  var findings: [Finding] = []
  return try #require(DownloadManifest(document(manifest.bytes), findings: &findings))
}

private func reread(_ records: ContentsRecords) throws -> ContentsRecords {
  var findings: [Finding] = []
  return try #require(ContentsRecords(document(records.bytes), findings: &findings))
}
