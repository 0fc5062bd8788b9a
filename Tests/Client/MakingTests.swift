import BAPackCore
import Foundation
import Synchronization
import Testing

/// What tools do that make packs: each task as the guide shows it.
@Suite struct MakingTests {
  private let scratch: Scratch
  private var options = ManifestCheck.Options()

  init() throws {
    scratch = try Scratch()
    options.root = scratch.path("")
    try scratch.write(
      "Harbour/Waves.wav", (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 * ($0 >> 7)) })
    try scratch.write("Harbour/Credits.txt", "Thanks to all\n".utf8)
    try scratch.write("Harbour/Draft.psd", "layers".utf8)
  }

  private var harbour: Manifest {
    Manifest(
      assetPackID: "harbour", downloadPolicy: .onDemand,
      selectors: [.directory("Harbour"), .exclusion("*.psd"), .exclusion("**/*.psd")],
      platforms: [.iOS, .macOS])
  }

  @Test func findingsByRule() throws {
    let manifest = try scratch.write(
      "Packs/harbour.json",
      Manifest(
        assetPackID: "harbour", downloadPolicy: .onDemand,
        selectors: [.directory("Harbour"), .file("Harbour/Wave.wav")]
      ).encoded())
    let app = try AppCheck(reading: [manifest], options)
    let bad = app.findings.filter { ([.missingFile, .caseClash] as Set<Rule>).contains($0.rule) }
    #expect(bad.map(\.rule) == [.missingFile])
    #expect(bad.first?.location?.start.line == 11)
    #expect(bad.first.map { [$0.rule.title, $0.rule.remedy].allSatisfy { !$0.isEmpty } } == true)
    // A misspelled name is noticed.
    #expect(Rule(id: "missing-flie") == nil && Rule(id: "missing-file") == .missingFile)
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    let text = SourceText(name: "New.json", bytes: Array(#"{ "assetPackId": "new" }"#.utf8))
    let fixable = ManifestCheck(of: text, readFrom: nil).findings.compactMap(\.fix)
    #expect(fixable.contains { $0.isCertain && $0.replacement == "assetPackID" })
  }

  /// What takes two bytes in JSON5 can take a thousand in a pack, where each line is indented.
  @Test func aManifestThatNoPackCanHave() throws {
    let depth = 400
    let nested = String(repeating: "[", count: depth) + String(repeating: "1,", count: 21_000) + "1"
    let manifest = try scratch.write(
      "Packs/deep.json",
      Array(
        """
        { "assetPackID": "deep", "downloadPolicy": { "onDemand": {} }, "platforms": [],
          "fileSelectors": [{ "file": "Harbour/Credits.txt" }],
          "userInfo": { // JSON5
            "a": \(nested)\(String(repeating: "]", count: depth)) } }
        """.utf8))
    let builder = try AssetPackBuilder(
      reading: [manifest], to: .file(scratch.path("deep.aar")), options)
    var errors = [#expect(throws: PackError.self) { try builder.bytes(of: "deep") }]
    if case .failed(let error) = try builder.build()[0].state { errors.append(error) }
    #expect(errors.count == 2)
    for error in errors {
      #expect(error?.description.contains("nest 'userInfo' less deeply") == true)
    }
  }

  @Test func aManifestMadeInCode() throws {
    var manifest = harbour
    manifest.language = "de"
    manifest.userInfo = #"{"season": [3, null]}"#
    let text = manifest.encoded()
    let read = ManifestCheck(of: SourceText(name: "harbour.json", bytes: text), readFrom: nil)
    #expect(read.pack?.manifest == manifest)
    #expect(read.pack?.manifest.selectors.count == 3)
    for text in [#"{"season": 3} x"#, #"{"season": 3"#, "season: 3", ""] {
      manifest.userInfo = text
      let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      #expect(manifest.userInfo == quoted)
    }
  }

  @Test func packsWithProgressCancelledByTheirTask() async throws {
    let seen = Mutex<[Work.Progress]>([])
    let builder = try await AssetPackBuilder(
      of: [harbour], to: .folder(scratch.path("build")), options)
    let results = try await builder.build(
      Work(progress: { progress in seen.withLock { $0.append(progress) } }))
    guard case .made(let facts, _, _) = results[0].state else {
      Issue.record("\(results)")
      return
    }
    #expect(facts.packedSize == UInt64(try scratch.contents("build/harbour.aar").count))
    let progress = seen.withLock { $0 }
    #expect(progress.last?.done == results[0].size && progress.last?.total == results[0].size)
    #expect(progress.contains { $0.item == scratch.path("build/harbour.aar") })
    let bytes = try scratch.contents("build/harbour.aar")
    #expect(try await builder.bytes(of: "harbour") == bytes)
    var sink = Sink()
    try await builder.write("harbour", to: &sink)
    #expect(sink.bytes == bytes)
    // The task is cancelled while the first block is made.
    var again = builder
    again.replacesOutput = true
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [again] in
      try await again.build(
        Work(threads: 1, progress: { _ in start.yield() }))
    }
    for await _ in started { break }
    task.cancel()
    switch try await task.value[0].state {
    case .cancelled, .made: break
    case let state: Issue.record("\(state)")
    }
    #expect(try scratch.contents("build/harbour.aar") == bytes)
    #expect(scratch.names("build") == ["harbour.aar"])
  }

  /// Collects bytes, and fails at the write with a number.
  private struct Sink: ByteSink {
    struct Full: Error {}
    var bytes: [UInt8] = []
    var writes = 0
    var failsAt = Int.max

    mutating func write(_ bytes: [UInt8]) throws {
      writes += 1
      if writes >= failsAt { throw Full() }
      self.bytes += bytes
    }
  }

  @Test(arguments: [Compression.zlib(), .zlib(level: 1), .lzfse(), .lzfse(level: 9), .store])
  func memoryAndSinksHaveTheBytesOfAFile(_ compression: Compression) throws {
    var builder = try AssetPackBuilder(of: [harbour], to: .folder(scratch.path("build")), options)
    builder.compression = compression
    try builder.add(Array("1.4".utf8), at: "version.txt", to: "harbour")
    #expect(try builder.build().count == 1)
    let file = try scratch.contents("build/harbour.aar")
    for threads in [1, 3] {
      #expect(try builder.bytes(of: "harbour", Work(threads: threads)) == file)
    }
    var sink = Sink()
    try builder.write("harbour", to: &sink)
    #expect(sink.bytes == file)
    for number in 1...sink.writes {
      var failing = Sink(failsAt: number)
      let error = #expect(throws: PackError.self) { try builder.write("harbour", to: &failing) }
      #expect(error?.code == .external && error?.underlying is Sink.Full)
      #expect(failing.writes == number && file.starts(with: failing.bytes))
    }
    #expect(try builder.digest(of: "harbour") == builder.digest(of: "harbour"))
  }

  @Test func aFileThatIsNotOnDisk() throws {
    var other = harbour
    other.assetPackID = "other"
    other.selectors = [.file("Harbour/Credits.txt", to: "Names/List.txt")]
    var pack = try AssetPackBuilder(
      of: [harbour, other], to: .folder(scratch.path("out")), options)
    let key = try pack.digest(of: "harbour")
    try pack.add(Array("1.4".utf8), at: "version.txt", to: "harbour")
    try pack.add([], at: "A/empty", to: "harbour")
    #expect(try pack.digest(of: "harbour") != key)
    let results = try pack.build()
    #expect(results.map(\.files) == [4, 1])
    let read = try PackIndex(reading: scratch.path("out/harbour.aar"))
    let names = read.files.map { "\($0.path) \($0.size)" }
    #expect(
      names == [
        "A/empty 0", "Harbour/Credits.txt 14", "Harbour/Waves.wav 1200000", "version.txt 3",
      ])
    for (path, code) in [
      ("version.txt", .clash), ("VERSION.txt", .clash), ("version.txt/x", .clash),
      ("harbour/x", .clash), ("A", .clash), ("Names/list.txt", .clash), ("", .unsafeName),
      ("..", .unsafeName), ("a/../b", .unsafeName), ("/a", .unsafeName), ("a//b", .unsafeName),
      ("a\0b", .unsafeName), ("a/", .unsafeName),
      (String(repeating: "x", count: 2000), .unsafeName),
    ] as [(String, PackError.Code)] {
      let error = #expect(throws: PackError.self) {
        try pack.add([1], at: BytePath(path.utf8), to: "harbour")
      }
      #expect(error?.code == code, "\(path)")
    }
    #expect(throws: PackError.self) { try pack.add([1], at: BytePath([0xFF]), to: "harbour") }
    let gone = #expect(throws: PackError.self) { try pack.add([1], at: "x", to: "none") }
    #expect(gone?.code == .invalidArgument)
  }

  /// A key tells versions apart by all that the bytes depend on, and needs no destination.
  @Test func aKeyForACache() throws {
    var builder = try AssetPackBuilder(of: [harbour], options)
    var keys: Set<String> = []
    for compression in [Compression.zlib(), .zlib(level: 2), .lzfse(), .store] {
      builder.compression = compression
      keys.insert(try builder.digest(of: "harbour"))
    }
    builder.modificationTime += 1
    keys.insert(try builder.digest(of: "harbour"))
    try scratch.write("Harbour/Credits.txt", "Thanks to you\n".utf8)
    let changed = #expect(throws: PackError.self) { try builder.digest(of: "harbour") }
    #expect(changed?.code == .changed)
    keys.insert(try AssetPackBuilder(of: [harbour], options).digest(of: "harbour"))
    #expect(keys.count == 6)
  }

  /// Cancelled at any moment, every call ends as cancelled and leaves nothing but complete packs.
  @Test func cancellingLeavesNothing() throws {
    var random = Numbers(seed: 9)
    let manifests = (0..<4).map { number in
      var manifest = harbour
      manifest.assetPackID = "p\(number)"
      return manifest
    }
    var options = options
    options.hosting = .ownServer
    var outcomes: [String: Int] = [:]
    for round in 0..<100 {
      let left = Atomic(Int(random.next() % 24))
      let isCancelled: @Sendable () -> Bool = {
        left.subtract(1, ordering: .relaxed).newValue < 0
      }
      let work = Work(threads: round % 3 + 1, isCancelled: isCancelled)
      let out = "out\(round)"
      let made: [PackResult]
      do throws(PackError) {
        let builder = try AssetPackBuilder(
          of: manifests, to: .folder(scratch.path(out)), options, keepingUnchanged: round % 2 == 0,
          round % 4 == 0 ? work : Work())
        if round % 5 == 0 {
          let isWhole = try builder.bytes(of: "p1", work).count > 0
          outcomes[isWhole ? "bytes" : "none", default: 0] += 1
        }
        made = try builder.build(work)
      } catch {
        #expect(error.code == .cancelled, "\(error)")
        #expect(scratch.names(out) == [])
        outcomes["thrown", default: 0] += 1
        continue
      }
      var complete: Set<String> = []
      for result in made {
        switch result.state {
        case .made:
          let name = result.output.description.split(separator: "/").last.map(String.init) ?? ""
          complete.formUnion(round % 2 == 0 ? [name, name + ".record"] : [name])
          #expect(try PackIndex(reading: result.output).files.count == 2)
          outcomes["made", default: 0] += 1
        case .cancelled: outcomes["cancelled", default: 0] += 1
        case let state: Issue.record("\(state)")
        }
      }
      #expect(Set(scratch.names(out)) == complete)
    }
    #expect((outcomes["cancelled"] ?? 0) > 50 && (outcomes["thrown"] ?? 0) > 3, "\(outcomes)")
    #expect((outcomes["made"] ?? 0) > 3, "\(outcomes)")
  }

  /// Whatever a manifest made in code says, it is written, and read back equal if it is valid.
  @Test func anyManifestIsWrittenAndJudged() throws {
    var random = Numbers(seed: 4)
    let texts = [
      "", "a", "..", "a/b", "/a", "*", "**/x", "\0", "ä", "a\u{308}", "\"", "\\", "[", "de", "\n",
      "Harbour", "{}", "{\"a\": 1}", "{\"a\": 0x1F}", "[1]", "{", "null",
      String(repeating: "x", count: 1100),
    ]
    func text() -> String { texts[Int(random.next() % UInt64(texts.count))] }
    var (valid, invalid) = (0, 0)
    for _ in 0..<3000 {
      var manifest = Manifest(
        assetPackID: text(),
        downloadPolicy: [.onDemand, .essential([.firstInstallation]), .prefetch([])][
          Int(random.next() % 3)],
        selectors: (0..<random.next() % 4).map { _ in
          switch random.next() % 4 {
          case 0: .file(text(), to: random.next() % 2 == 0 ? nil : text())
          case 1: .directory(text(), to: random.next() % 2 == 0 ? nil : text())
          case 2: .pattern(text())
          default: .exclusion(text())
          }
        }, platforms: [[], [.macOS, .iOS], [Platform(rawValue: text())]][Int(random.next() % 3)])
      if random.next() % 2 == 0 { manifest.language = text() }
      if random.next() % 2 == 0 { manifest.sourceRoot = text() }
      if random.next() % 2 == 0 { manifest.userInfo = text() }
      let source = SourceText(name: "m.json", bytes: manifest.encoded())
      var options = options
      options.selectsFiles = false
      let check = ManifestCheck(of: source, readFrom: nil, options)
      guard !check.findings.hasErrors else {
        invalid += 1
        continue
      }
      #expect(
        check.pack?.manifest == manifest, "\(String(decoding: manifest.encoded(), as: UTF8.self))")
      valid += 1
      _ = try? AssetPackBuilder(of: [manifest], self.options).bytes(of: manifest.assetPackID)
    }
    #expect(valid > 30 && invalid > 1000, "\(valid) valid, \(invalid) invalid")
  }

  /// Nothing is overwritten that wasn't meant to be, and a full disk is told from others.
  @Test func outputsThatCannotBeWritten() throws {
    let manifest = try scratch.write("Packs/harbour.json", harbour.encoded())
    let kept = try scratch.contents("Packs/harbour.json")
    var builder = try AssetPackBuilder(reading: [manifest], to: .file(manifest), options)
    builder.replacesOutput = true
    let error = #expect(throws: PackError.self) { try builder.build() }
    #expect(error?.code == .outputIsInput && error?.path == manifest)
    #expect(try scratch.contents("Packs/harbour.json") == kept)
    func code(writing output: BytePath) throws -> PackError.Code? {
      let result = try AssetPackBuilder(of: [harbour], to: .file(output), options).build()[0]
      return if case .failed(let error) = result.state { error.code } else { nil }
    }
    let old = try scratch.write("old.aar", "kept".utf8)
    #expect(try code(writing: old) == .outputExists)
    #expect(try scratch.contents("old.aar") == Array("kept".utf8))
    if FileManager.default.fileExists(atPath: "/dev/full") {
      #expect(try code(writing: "/dev/full") == .noSpace)
    }
  }

  @Test func wrongArgumentsAreErrors() throws {
    func code(_ body: () throws -> Void) -> PackError.Code? {
      do { try body() } catch { return (error as? PackError)?.code }
      return nil
    }
    let out = scratch.path("x.aar")
    let builder = try AssetPackBuilder(of: [harbour], to: .file(out), options)
    #expect(code { _ = try AssetPackBuilder(of: [], to: .file(out)) } == .invalidArgument)
    #expect(code { _ = try AssetPackBuilder(reading: []) } == .invalidArgument)
    #expect(code { _ = try AssetPackBuilder(reading: [""]) } == .invalidArgument)
    #expect(code { _ = try AppCheck(reading: []) } == .invalidArgument)
    #expect(
      code { _ = try AssetPackBuilder(of: [harbour, harbour], to: .file(out)) } == .invalidArgument)
    #expect(code { _ = try AssetPackBuilder(of: [harbour], options).build() } == .invalidArgument)
    #expect(code { _ = try builder.bytes(of: "none") } == .invalidArgument)
    #expect(code { _ = try builder.digest(of: "") } == .invalidArgument)
    for seconds in [Int64.min, -1, .max] {
      var late = builder
      late.modificationTime = seconds
      #expect(code { _ = try late.build() } == .invalidArgument)
      #expect(code { _ = try late.bytes(of: "harbour") } == .invalidArgument)
      #expect(code { _ = try late.digest(of: "harbour") } == .invalidArgument)
    }
    var broken = harbour
    broken.selectors = [.file("gone")]
    let error = #expect(throws: PackError.self) {
      try AssetPackBuilder(of: [broken], options).bytes(of: "harbour")
    }
    #expect(error?.code == .findings && error?.findings.map(\.rule) == [.missingFile])
    // An identifier never leads out of the folder.
    for identifier in ["../up", "/up", "a/b", "a\0b", ".."] {
      var odd = harbour
      odd.assetPackID = identifier
      var options = options
      options.hosting = .ownServer
      let folder = scratch.path("in")
      let outputs = try AssetPackBuilder(of: [odd], to: .folder(folder), options).outputs
      #expect(
        outputs.allSatisfy {
          $0.bytes.split(separator: 0x2F).dropLast().elementsEqual(
            folder.bytes.split(separator: 0x2F))
        })
    }
    for threads in [Int.max, 1 << 36, 0, -1, .min] {
      #expect(try builder.bytes(of: "harbour", Work(threads: threads)).count > 1000)
    }
    for columns in [Int.min, -1, 0, .max] {
      #expect(!(error?.findings.rendered(as: .text, columns: columns).isEmpty ?? true))
    }
  }
}

/// Numbers that are the same in each run.
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}

extension Scratch {
  /// The names in a folder, sorted; none if it isn't there.
  func names(_ folder: String) -> [String] {
    let path = url.appending(path: folder).path(percentEncoded: false)
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
