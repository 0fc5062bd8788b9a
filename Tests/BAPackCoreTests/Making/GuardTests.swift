import BAPackCore
import BATestSupport
import Foundation
import Testing

/// What the library refuses whoever calls it, by what is public.
@Suite struct GuardTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(manifest name: String, _ identifier: String, selecting: String) throws {
    let text = """
      {"assetPackID": "\(identifier)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
      "fileSelectors": [{"directory": "\(selecting)"}]}
      """
    try folder.write(name, text.utf8)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: target)
  }

  @Test func whatTheSystemRefusesHasACode() throws {
    let pack = try #require(GoldenArchive.good.first).path
    let codes: [(SystemCall, Errno, PackError.Code)] = [
      (.read, .permissionDenied, .permissionDenied), (.read, .noSpace, .noSpace),
      (.read, .inputOutput, .system), (.allocate, .outOfMemory, .outOfMemory),
    ]
    for (call, error, code) in codes {
      let thrown = #expect(throws: PackError.self) {
        try FailurePlan(call, number: 1, error, isLasting: true).run {
          try PackIndex(reading: pack)
        }
      }
      #expect(thrown?.code == code)
    }
  }

  /// An output by any name and way that leads to an input is refused, or leaves it alone.
  @Test func noInputIsEverOverwritten() throws {
    var random = SeededGenerator(seed: 21)
    var (made, refused) = (0, 0)
    for round in 0..<500 {
      let folder = try TemporaryFolder()
      let (test, path) = (GuardTests(folder), folder.path)
      try folder.write("Files/x.txt", "x".utf8)
      try folder.write("Other/y.txt", "y".utf8)
      try test.write(manifest: "a.json", "a", selecting: "Files")
      try test.write(manifest: "b.json", "b", selecting: "Other")
      try test.write(manifest: "c.aar.record", "c", selecting: "Other")
      try test.write(manifest: "d.aar", "d", selecting: "Files")
      try test.write(manifest: "unread.json", "u", selecting: "Other")
      try folder.write(".ba-package.json", #"{"compression": "store"}"#.utf8)
      try folder.write("old.aar", "old".utf8)
      for (name, target) in [
        ("La.aar", "a.json"), ("LLa.aar", "La.aar"), ("Lp.aar", "\(path)/.ba-package.json"),
        ("Lx.aar", "Files/x.txt"), ("Lu.aar", "unread.json"), ("Lr.aar.record", "b.json"),
        ("Here", "."), ("Ld", "d.aar"), ("Lc.aar", "c.aar.record"),
      ] { try test.link(name, to: target) }
      for (name, other) in [
        ("Ha.aar", "a.json"), ("Hx.aar", "Files/x.txt"), ("Hp", ".ba-package.json"),
      ] {
        try FileManager.default.linkItem(atPath: "\(path)/\(other)", toPath: "\(path)/\(name)")
      }
      let ways = ["", "./", "Files/../", ".//", "Here/", "Here/Here/./"]
      func any(_ name: String) -> BytePath {
        folder.path((ways.randomElement(using: &random) ?? "") + name)
      }
      let names = [
        "a.json", "b.json", "c.aar.record", "d.aar", "c.aar", "La.aar", "LLa.aar", "Lp.aar",
        "Lx.aar", "Lu.aar", "Lr.aar", "Ld", "Lc.aar", "Ha.aar", "Hx.aar", "Hp", "old.aar",
        "new.aar", "new", ".ba-package.json", "Files/x.txt", "Files/new.aar", "unread.json",
      ]
      let isFolder = Int.random(in: 0..<5, using: &random) == 0
      let read = ["a.json", "b.json", "c.aar.record", "d.aar"].shuffled(using: &random)
        .prefix(isFolder ? Int.random(in: 1...4, using: &random) : 1)
      let manifests = read.map { any($0) }
      let files =
        (read.contains { "ad".contains($0.prefix(1)) } ? ["Files/x.txt"] : [])
        + (read.contains { "bc".contains($0.prefix(1)) } ? ["Other/y.txt"] : [])
      let inputs =
        ["a.json", "b.json", "c.aar.record", "d.aar", "unread.json", ".ba-package.json"] + files
      let before = try inputs.map { try folder.contents($0) }
      var options = ManifestCheck.Options(
        Bool.random(using: &random) ? Project.find(for: [folder.path("a.json")]) : Project.find())
      options.root = folder.filePath
      options.outputs =
        Int.random(in: 0..<6, using: &random) == 0
        ? [any(names.randomElement(using: &random) ?? "")] : []
      let output = any(names.randomElement(using: &random) ?? "")
      do {
        var builder = try AssetPackBuilder(
          reading: manifests, to: isFolder ? .folder(any("")) : .file(output), options,
          keepingUnchanged: Bool.random(using: &random))
        builder.replacesOutput = Bool.random(using: &random)
        builder.keepsGoing = Bool.random(using: &random)
        for result in try builder.build(Work(threads: 1)) {
          if case .made = result.state { made += 1 } else { refused += 1 }
        }
      } catch {
        refused += 1
      }
      #expect(
        try inputs.map { try folder.contents($0) } == before,
        "round \(round): \(manifests) to \(isFolder ? "." : output.description)")
    }
    #expect(made > 50 && refused > 100, "\(made) made, \(refused) refused")
  }

  private init(_ folder: TemporaryFolder) { self.folder = folder }

  @Test func aBrokenProjectFileIsAnErrorOfTheCheck() throws {
    try write(manifest: "a.json", "a", selecting: "Files")
    try folder.write("Files/x.txt", "x".utf8)
    for text in [
      #"{"hosting": "aple"}"#, #"{"hosting": apple}"#, "{", #"{"compression": "lzma"}"#,
      #"{"compression": "store", "compressionLevel": 9}"#, #"{"rules": {"empty-file": "of"}}"#,
    ] {
      try folder.write(".ba-package.json", text.utf8)
      let manifest = folder.path("a.json")
      let project = Project.find(for: [manifest])
      #expect(project.findings.hasErrors)
      var options = ManifestCheck.Options(project)
      options.root = folder.filePath
      #expect(ManifestCheck(reading: manifest, options).findings.hasErrors)
      #expect(
        try AppCheck(reading: [manifest], options).findings.count { $0.severity == .error }
          == project.findings.count { $0.severity == .error })
      for keepsGoing in [false, true] {
        var builder = try AssetPackBuilder(
          reading: [manifest], to: .file(folder.path("a.aar")), options)
        builder.keepsGoing = keepsGoing
        #expect(builder.check.findings.hasErrors)
        guard case .invalid(let errors) = try builder.build()[0].state else {
          Issue.record("made with \(text)")
          continue
        }
        #expect(errors > 0)
      }
      #expect(!(try folder.names().contains("a.aar")))
    }
    // Other tools check rules that the library doesn't know.
    try folder.write(".ba-package.json", #"{"rules": {"depot-size": "off"}, "strict": true}"#.utf8)
    let project = Project.find(for: [folder.path("a.json")])
    #expect(project.findings.map(\.severity) == [.note])
  }

  /// Versions of a pack with the same paths and sizes, the same file read twice, and other packs.
  @Test func anEntryOfAnotherIndexIsRefused() throws {
    var random = SeededGenerator(seed: 5)
    var packs: [PackIndex] = []
    for version in 0..<4 {
      for name in ["a", "b"] {
        try write(manifest: "\(name).json", name, selecting: name)
        for file in ["x", "y", "z"] {
          try folder.write("\(name)/\(file)", repeatElement(UInt8(version), count: 100))
        }
        var options = ManifestCheck.Options()
        options.root = folder.filePath
        let output = folder.path("\(name)\(version).aar")
        let results = try AssetPackBuilder(
          reading: [folder.path("\(name).json")], to: .file(output), options
        ).build()
        guard case .made = results[0].state else {
          Issue.record("\(results)")
          return
        }
        packs += [try PackIndex(reading: output), try PackIndex(reading: output)]
      }
    }
    for _ in 0..<400 {
      let (from, other) = (
        Int.random(in: packs.indices, using: &random), Int.random(in: packs.indices, using: &random)
      )
      let entry = try #require(packs[from].files.randomElement(using: &random))
      let version = UInt8(from / 4)
      if from == other {
        let copy = packs[other]
        try copy.readContents(of: entry) { bytes in
          for index in 0..<bytes.byteCount
          where unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) != version {
            Issue.record("byte \(index)")
          }
        }
      } else {
        #expect(throws: PackError.self) { try packs[other].bytes(of: entry) }
      }
    }
    let difference = try packs[4].difference(from: packs[0])
    let old = try #require(difference.changes.first?.old)
    #expect(throws: PackError.self) { try packs[4].bytes(of: old) }
  }

  @Test func anyNumberIsPossibleOrRefused() throws {
    try write(manifest: "a.json", "a", selecting: "Files")
    try folder.write("Files/x.txt", repeatElement(7, count: 3 << 20))
    let (manifest, output) = (folder.path("a.json"), folder.path("a.aar"))
    var options = ManifestCheck.Options()
    options.root = folder.filePath
    for jobs in [Int.max, 1 << 36, 1025, 0, -1, .min] {
      var builder = try AssetPackBuilder(
        reading: [manifest], to: .file(output), options, keepingUnchanged: jobs < 0)
      builder.replacesOutput = true
      switch try builder.build(Work(threads: jobs))[0].state {
      case .made, .unchanged: break
      default: Issue.record("\(jobs) jobs")
      }
      let pack = try PackIndex(reading: output, Work(threads: jobs))
      let file = try #require(pack.files.first)
      _ = try pack.bytes(of: file, nil, Work(threads: jobs))
      #expect(try pack.difference(from: PackIndex(reading: output), Work(threads: jobs)).isEmpty)
      #expect(
        try PackVerification.problems(
          of: [output], against: folder.filePath, Work(threads: jobs)
        ).isEmpty)
      let target = folder.path("out\(jobs)")
      let extracted = try Extraction().extract([output], to: target, Work(threads: jobs))
      #expect(extracted.files.count == 1)
      let packs = try DownloadManifestPlan.Packs(
        [output], platforms: [.iOS], base: "https://example.com")
      _ = try DownloadManifestPlan.creating(
        folder.path("list\(jobs).json"), packs: packs, Work(threads: jobs))
    }
    var limits = ReadingLimits()
    limits.entries = .min
    #expect {
      try PackIndex(reading: output, limits: limits)
    } throws: {
      "\($0)".contains("more than 0 entries")
    }
    for seconds in [Int64.min, -1, .max] {
      var builder = try AssetPackBuilder(reading: [manifest], to: .file(output), options)
      builder.modificationTime = seconds
      builder.replacesOutput = true
      #expect(throws: PackError.self) { try builder.build() }
    }
    let findings = ManifestCheck(
      of: SourceText(name: "m", bytes: Array("{assetPackID: 1}".utf8)), readFrom: nil
    ).findings
    for columns in [Int.min, -1, 0, 1, .max] {
      #expect(!findings.rendered(as: .text, columns: columns).isEmpty)
    }
  }

  @Test func nothingToDoIsAnError() throws {
    #expect(throws: PackError.self) { try AppCheck(reading: []) }
    for paths in [[], [""]] as [[BytePath]] {
      #expect(throws: PackError.self) {
        try AssetPackBuilder(reading: paths, to: .folder(folder.filePath))
      }
    }
    #expect(throws: PackError.self) { try PackVerification.problems(of: []) }
  }

  /// Nothing has a path with a NUL: not the file whose name ends there.
  @Test func aPathWithANulNamesNothing() throws {
    try write(manifest: "a.json", "a", selecting: ".")
    let manifest = folder.path("a.json\0.json")
    #expect(ManifestCheck(reading: manifest).findings.hasErrors)
    #expect(manifest != folder.path("a.json"))
    #expect(throws: PackError.self) { try PackIndex(reading: folder.path("a.json\0")) }
    var options = ManifestCheck.Options()
    options.root = folder.path("\0")
    #expect(ManifestCheck(reading: folder.path("a.json"), options).findings.hasErrors)
    options.root = folder.filePath
    let before = folder.tree()
    for output in ["a.json\0.aar", "b\0.aar", "b.aar\0"] {
      var builder = try AssetPackBuilder(
        reading: [folder.path("a.json")], to: .file(folder.path(output)), options)
      builder.replacesOutput = true
      let results = try? builder.build()
      if case .made? = results?[0].state { Issue.record("made '\(output)'") }
      #expect(folder.tree() == before)
    }
  }
}
