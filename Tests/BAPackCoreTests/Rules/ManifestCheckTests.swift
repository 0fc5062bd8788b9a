import BAPackCore
import BATestSupport
import Testing

/// A manifest of the files below `Data`, in a folder with one such file.
private func folder(_ identifier: String) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  try folder.write("Data/a.txt")
  try folder.write("Packs/\(identifier).json", TestArchive.manifest(identifier))
  return folder
}

@Suite struct ManifestCheckTests {
  @Test func aManifestIsReadDecodedAndItsFilesSelected() throws {
    let folder = try folder("Harbour")
    let check = ManifestCheck(
      reading: folder.path("Packs/Harbour.json"), .init(root: folder.filePath))
    #expect(check.findings.isEmpty)
    #expect(check.pack?.manifest.assetPackID == "Harbour")
    #expect(check.pack?.selection?.files.map { "\($0.source)" } == ["Data/a.txt"])
  }

  @Test func withoutFilesOnlyTheTextIsChecked() throws {
    let folder = try folder("Harbour")
    let options = ManifestCheck.Options(root: folder.path("gone"), selectsFiles: false)
    let check = ManifestCheck(reading: folder.path("Packs/Harbour.json"), options)
    #expect(check.findings.isEmpty)
    #expect(check.pack != nil && check.pack?.selection == nil)
  }

  @Test func aFileThatCanNotBeReadIsAFinding() throws {
    let folder = try TemporaryFolder()
    let check = ManifestCheck(reading: folder.path("gone.json"))
    #expect(check.findings.map(\.rule) == [.unreadableFile])
    #expect(check.pack == nil)
  }

  /// Also of a pack that is larger than any manifest.
  @Test(arguments: [100, JSONDocument.maximumSize + 1])
  func aPackIsNotAManifest(size: Int) throws {
    let folder = try TemporaryFolder()
    let start = [UInt8]("pbzz".utf8) + [0, 0, 0, 0, 0, 0x10, 0, 0]
    let rest = [UInt8](repeating: 0, count: size)
    let file = try folder.write("pack.json", start + rest)
    let check = ManifestCheck(reading: file)
    #expect(check.findings.map(\.rule) == [.syntax])
    #expect(check.findings.first?.message.contains("is an asset pack") == true)
  }

  @Test func aTextThatIsTooLargeIsAFinding() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("large.json", size: UInt64(JSONDocument.maximumSize) + 1)
    let check = ManifestCheck(reading: folder.path("large.json"))
    #expect(check.findings.map(\.rule) == [.manifestTooLarge])
  }

  @Test func aFolderStandsForItsManifests() throws {
    let folder = try TemporaryFolder()
    try folder.write("b.json", "a.json", ".hidden.json", "c.txt", "d.json/x")
    try folder.makeFolder("empty")
    let found = try ManifestFiles(at: [folder.filePath, folder.path("./a.json")]).files.map(\.path)
    #expect(found == [folder.path("a.json"), folder.path("b.json")])
    let empty = folder.path("empty")
    #expect(throws: PackagingError.self) {
      try ManifestFiles(at: [empty])
    }
  }
}

@Suite struct PackVerificationTests {
  private func pack(
    _ folder: TemporaryFolder, _ name: String, _ files: [(String, [UInt8])]
  ) throws -> BytePath {
    try folder.write(name, TestArchive.pack(files, id: name).container(blockSize: 64))
  }

  private func verified(
    _ paths: [BytePath], against folder: BytePath? = nil
  ) throws -> PackVerification {
    try PackVerification(of: paths, against: folder, links: .inside, jobs: 2)
  }

  @Test func packsMustMergeToo() throws {
    let folder = try TemporaryFolder()
    let one = try pack(folder, "one.aar", [("Data/a", [1]), ("Data/b", [2])])
    let same = try pack(folder, "same.aar", [("Data/a", [1])])
    let other = try pack(folder, "other.aar", [("Data/a", [3])])
    #expect(try verified([one, same]).isSound)
    let clashing = try verified([one, other])
    #expect(clashing.reports.filter { !$0.isSound }.isEmpty)
    #expect(!clashing.isSound)
    let clash = try #require(clashing.clash)
    #expect("\(clash)".hasPrefix("'Data/a' is not the same in"))
    let problems = try PackVerification.problems(of: [one, other])
    #expect(problems.map(\.description) == ["\(clash)"] && problems[0].code == .clash)
  }

  @Test func aPackIsComparedWithWhatItsManifestSelects() throws {
    let folder = try TemporaryFolder()
    try folder.write("Data/a", [1])
    try folder.write("Data/new", [1])
    let one = try pack(folder, "one.aar", [("Data/a", [2]), ("Data/gone", [])])
    let verification = try verified([one], against: folder.filePath)
    let report = try #require(verification.reports.first)
    #expect(!report.isSound)
    #expect(
      report.differences.map { "\($0.path)" } == ["Data/a", "Data/gone", "Data/gone", "Data/new"])
    let problems = try PackVerification.problems(of: [one], against: folder.filePath)
    #expect(problems.map(\.code) == Array(repeating: .differs, count: 4))
    #expect(problems.compactMap(\.difference?.kind) == [.changed, .added, .added, .removed])
    #expect(problems.allSatisfy { $0.description.hasPrefix("'\(one)': ") })
    #expect(
      problems.last?.description
        == "'\(one)': 'Data/new' is selected by the manifest, but not in the pack")
  }

  @Test func aPackThatCanNotBeReadDoesNotStopTheOthers() throws {
    let folder = try TemporaryFolder()
    let one = try pack(folder, "one.aar", [("Data/a", [1])])
    let verification = try verified([folder.path("gone.aar"), one])
    #expect(!verification.isSound)
    #expect(verification.outcomes.count == 2 && verification.reports.count == 1)
    guard case .unreadable(let path, let error as SystemError) = verification.outcomes[0] else {
      Issue.record("\(verification.outcomes[0])")
      return
    }
    #expect(path == folder.path("gone.aar"))
    let problems = try PackVerification.problems(of: [path, one])
    #expect(problems.map(\.description) == [error.description] && problems[0].code == .notFound)
  }
}

@Suite struct DownloadManifestPlanTests {
  private let folder: TemporaryFolder
  private let packs: DownloadManifestPlan.Packs

  init() throws {
    folder = try TemporaryFolder()
    let path = try folder.write(
      "one.aar", TestArchive.pack([("Data/a", [1])], id: "one").container(blockSize: 64))
    packs = try DownloadManifestPlan.Packs(
      [path], platforms: [.iOS], base: "https://cdn.example.com")
  }

  @Test func aPlanWritesNothingUntilItIsSaved() throws {
    let output = folder.path("Downloads.json")
    let plan = try DownloadManifestPlan.creating(output, packs: packs)
    #expect(plan.edit?.changes.map(\.to) == [0])
    #expect(throws: SystemError.self) { try FileStatus.following(output) }
    try plan.save()
    let update = try DownloadManifestPlan.updating(output, packs: packs)
    #expect(update.isUnchanged && update.findings.isEmpty)
    let error = #expect(throws: PackError.self) {
      try DownloadManifestPlan.creating(output, packs: packs)
    }
    #expect(error?.code == .outputExists && error?.path == output)
  }

  @Test(arguments: [[], [-1], [1, 2]]) func eachPackNeedsAVersion(versions: [Int]) {
    let error = #expect(throws: PackError.self) {
      try DownloadManifestPlan.creating(
        folder.path("Downloads.json"), packs: packs, versions: versions)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.description == "each pack needs a version, a whole number of 0 or more")
  }

  @Test func aVersionThatGoesDownIsNotSaved() throws {
    let output = folder.path("Downloads.json")
    try DownloadManifestPlan.creating(output, packs: packs, versions: [3]).save()
    let old = try folder.files()
    let plan = try DownloadManifestPlan.creating(
      output, replacing: true, packs: packs, versions: [2])
    #expect(plan.edit != nil && plan.findings.hasErrors)
    let error = #expect(throws: PackError.self) { try plan.save() }
    #expect(error?.code == .findings)
    #expect(try folder.files() == old)
  }

  @Test func versionsThatCanNotBeReadAreNotReplaced() throws {
    let output = folder.path("Downloads.json")
    try folder.write("Downloads.json", "{\"assetPacks\": 1}".utf8)
    let plan = try DownloadManifestPlan.creating(output, replacing: true, packs: packs)
    #expect(plan.edit == nil && plan.findings.hasErrors)
    let error = #expect(throws: PackError.self) { try plan.save() }
    #expect(error?.code == .findings && error?.findings.hasErrors == true)
    #expect(try output.contents(limit: 100) == Array("{\"assetPacks\": 1}".utf8))
  }
}
