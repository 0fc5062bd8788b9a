import BAPackCore
import BATestSupport
import Testing

/// Several packs made by the same threads.
@Suite struct PackBatchTests {
  let tree: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    out = try TemporaryFolder()
    var random = SeededGenerator(seed: 13)
    let sizes = [0, 1, 40_000, 1 << 20, 3 << 20, 70_000, (1 << 20) - 200, 2]
    for (index, size) in sizes.enumerated() {
      try tree.write("p\(index)/a", CodecInput.text.bytes(size, &random))
      try tree.write("p\(index)/b/c", CodecInput.noise.bytes(size / 3, &random))
    }
  }

  private var packager: Packager {
    var packager = Packager()
    packager.jobs = 3
    return packager
  }

  private func job(_ index: Int) throws -> PackBatch.Job {
    let manifest = try manifest("{directory: 'p\(index)'}")
    let root = SourceRoot(of: manifest, readFrom: nil, option: tree.filePath)
    let selection = Selection.resolve(manifest, in: root).value
    return PackBatch.Job(
      manifest, selection, modified: .constant, to: out.path("p\(index).aar"))
  }

  private func made(_ outcomes: [PackResult.State]) -> [Int] {
    outcomes.indices.filter { if case .made = outcomes[$0] { true } else { false } }
  }

  private func errors(_ outcomes: [PackResult.State]) -> [String] {
    outcomes.compactMap { outcome in
      if case .failed(let error) = outcome {
        "\(error)".replacing(tree.path, with: "TREE")
      } else {
        nil
      }
    }
  }

  @Test func aBuildThatIsCancelledOrHasNoDestinationMakesNothing() throws {
    let path = try tree.write(
      "m.json",
      #"""
      {"assetPackID": "m", "downloadPolicy": {"onDemand": {}}, "platforms": [],
      "fileSelectors": [{"directory": "p0"}]}
      """#.utf8)
    var options = ManifestCheck.Options()
    options.root = tree.filePath
    let builder = try AssetPackBuilder(reading: [path], to: .file(out.path("m.aar")), options)
    guard case .cancelled = try builder.build(Work(isCancelled: { true }))[0].state else {
      Issue.record("not cancelled")
      return
    }
    #expect(try FileStatus.ifPresent(out.path("m.aar")) == nil)
    let homeless = try AssetPackBuilder(reading: [path], options)
    #expect(throws: PackError.self) { try homeless.build() }
  }

  @Test(arguments: [1, 2, 7], [Compression.zlib(level: 5), .lzfse()])
  func eachPackIsAsIfItWereMadeAlone(jobs: Int, compression: Compression) throws {
    var packager = packager
    packager.jobs = jobs
    packager.compression = compression
    let jobs = try (0..<8).map(job)
    let outcomes = PackBatch(packager, keepsGoing: false).make(jobs)
    #expect(made(outcomes) == Array(0..<8))
    for (index, outcome) in outcomes.enumerated() {
      let together = try out.contents("p\(index).aar")
      let manifest = try manifest("{directory: 'p\(index)'}")
      let root = SourceRoot(of: manifest, readFrom: nil, option: tree.filePath)
      let layout = ArchiveLayout(
        Selection.resolve(manifest, in: root).value, manifest: manifest, modified: .constant)
      let counts = try packager.write(layout, root: tree.filePath, to: out.path("alone.aar"))
      #expect(try out.contents("alone.aar") == together, "pack \(index)")
      guard case .made(let sum, _, _) = outcome else { continue }
      #expect(sum == counts)
      try out.remove("alone.aar")
    }
    #expect(try out.names() == (0..<8).map { "p\($0).aar" })
  }

  /// More packs than may wait to be published.
  @Test func manySmallPacksAreAllMade() throws {
    let jobs = try (0..<60).map { index in
      let manifest = try manifest("{file: 'p1/a'}")
      let root = SourceRoot(of: manifest, readFrom: nil, option: tree.filePath)
      return PackBatch.Job(
        manifest, Selection.resolve(manifest, in: root).value, modified: .constant,
        to: out.path("n\(index).aar"))
    }
    #expect(made(PackBatch(packager, keepsGoing: false).make(jobs)).count == 60)
    #expect(try out.names().count == 60)
    let first = try out.contents("n0.aar")
    for index in 1..<60 { #expect(try out.contents("n\(index).aar") == first) }
  }

  @Test(arguments: [1, 4]) func aPackThatFailsEndsTheOthersOrNot(threads: Int) throws {
    var packager = packager
    packager.jobs = threads
    let jobs = try (0..<8).map(job)
    // The files of packs 2 and 4 have changed since they were selected.
    try tree.write("p2/b/c", "other".utf8)
    try tree.truncate("p4/a", to: 5)
    var outcomes = PackBatch(packager, keepsGoing: true).make(jobs)
    #expect(made(outcomes) == [0, 1, 3, 5, 6, 7])
    let messages = errors(outcomes)
    #expect(messages.count == 2)
    #expect(messages[0].hasPrefix("'TREE/p2/b/c' changed while it was packaged"))
    #expect(messages[1].hasPrefix("'TREE/p4/a' changed while it was packaged"))
    #expect(try out.names() == [0, 1, 3, 5, 6, 7].map { "p\($0).aar" })

    for index in [0, 1, 3, 5, 6, 7] { try out.remove("p\(index).aar") }
    outcomes = PackBatch(packager, keepsGoing: false).make(jobs)
    #expect(errors(outcomes).count == 1 && errors(outcomes) == [messages[0]])
    #expect(made(outcomes).allSatisfy { $0 < 2 })
    #expect(try out.names() == made(outcomes).map { "p\($0).aar" })
  }

  @Test func anOutputThatCanNotBeMadeFailsItsPackOnly() throws {
    var jobs = try (0..<3).map(job)
    let lost = jobs[1]
    jobs[1] = PackBatch.Job(
      try manifest("{directory: 'p1'}"), lost.selection, modified: .constant,
      to: out.path("gone/p1.aar"))
    let outcomes = PackBatch(packager, keepsGoing: true).make(jobs)
    #expect(made(outcomes) == [0, 2])
    #expect(errors(outcomes).count == 1)
    #expect(try out.names() == ["p0.aar", "p2.aar"])
  }

  @Test func noPackIsNoWork() { #expect(PackBatch(packager, keepsGoing: false).make([]).isEmpty) }
}
