import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Everything that writes packs, files of packs and lists is repeated with a different failing system call each time, until
/// all have failed once. A run succeeds or ends with a typed error, and leaves only old or complete
/// new files.
@Suite struct FailingCallsTests {
  static let errors: [Errno] = [.inputOutput, .noSpace]
  static let old = Array("old".utf8)

  let folder: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    out = try TemporaryFolder()
  }

  /// The names in `out`, in which files that can't be removed may be left.
  private func expectNames(_ names: [String], _ call: SystemCall, _ context: String) throws {
    if call != .remove { #expect(try out.names() == names, "\(context)") }
  }

  /// The old file differs at once, or only at the end, so that what is equal is taken over.
  @Test(arguments: SystemCall.allCases, [1, 3])
  func packaging(call: SystemCall, jobs: Int) throws {
    var random = SeededGenerator(seed: 9)
    try folder.write("noise", CodecInput.noise.bytes(1 << 20, &random))
    try folder.write("b/c", "text".utf8)
    try folder.write("b/empty", [])
    let manifest = try manifest("{directory: '.'}")
    let root = SourceRoot(of: manifest, readFrom: nil, option: folder.filePath)
    var packager = Packager()
    packager.jobs = jobs
    packager.replacesOutput = true
    let output = out.path("Pack.aar")
    _ = try packager.write(layout(of: folder), root: folder.filePath, to: output)
    let new = try out.contents("Pack.aar")
    for (error, old) in Self.errors.flatMap({ [($0, Self.old), ($0, new + [0])] }) {
      try eachFailure(of: call, error) { plan, context in
        try out.write("Pack.aar", old)
        var isPublished = false
        do {
          try plan.run {
            let selected = Selection.resolve(manifest, in: root, outputs: PresentOutputs([output]))
            if selected.findings.hasErrors { return }
            let layout = ArchiveLayout(selected.value, manifest: manifest, modified: .constant)
            _ = try packager.write(layout, root: folder.filePath, to: output)
            isPublished = true
          }
        } catch let error as SystemError {
          // The file has been published.
          if error.operation == .syncFolder { isPublished = true }
        } catch PackagingError.outOfMemory {
        }
        #expect(try out.contents("Pack.aar") == (isPublished ? new : old), "\(context)")
        try expectNames(["Pack.aar"], call, context)
      }
    }
  }

  @Test(arguments: SystemCall.allCases, [1, 3])
  func extracting(call: SystemCall, jobs: Int) throws {
    let files: [(String, [UInt8])] = [
      ("a", [1]), ("b/c", Array(repeating: 2, count: 300)), ("b/d/e", []), ("z", [3, 4]),
    ]
    let bytes = TestArchive.pack(files).container(blockSize: 100)
    let path = try folder.write("a.aar", bytes)
    let whole = Dictionary(uniqueKeysWithValues: files)
    var failures = 0
    try eachFailure(of: call, .inputOutput) { plan, context in
      var isDone = false
      do {
        try plan.run {
          var extraction = Extraction()
          extraction.jobs = jobs
          _ = try extraction.run([path], into: out.path("game"))
          isDone = true
        }
      } catch let error as SystemError {
        // The folder is in place.
        isDone = error.operation == .syncFolder
        failures += 1
      }
      try expectNames(isDone ? ["game"] : [], call, context)
      if isDone {
        #expect(out.tree("game").compactMapValues { $0 } == whole, "\(context)")
      }
      for name in try out.names() { try out.remove(name) }
    }
    // With threads, the calls have another order each time.
    if call == .close, jobs == 1 { #expect(failures == files.count, "what was written is closed") }
  }

  /// The two files of `download-manifest`: created, replaced, or updated.
  @Test(arguments: SystemCall.allCases, ["create", "create --force", "update"])
  func writingLists(call: SystemCall, mode: String) throws {
    let old = try folder.write(
      "old.aar", TestArchive.pack([("a", [1])]).container(blockSize: 100))
    let new = try folder.write(
      "new.aar", TestArchive.pack([("a", [2])]).container(blockSize: 100))
    let list = out.path("D.json")
    let names = mode == "create" ? [] : ["D.digests.json", "D.json"]
    if mode != "create" { try plan(mode: "create", list, old).save() }
    let before = try out.files()
    try plan(mode: mode, list, new).save()
    let after = try out.files()
    #expect(after.keys.sorted() == ["D.digests.json", "D.json"] && after != before)
    try eachFailure(of: call, .inputOutput) { failure, context in
      for name in try out.names() { try out.remove(name) }
      for name in names { try out.write(name, before[name] ?? []) }
      var expected = after
      do {
        try failure.run { try plan(mode: mode, list, new).save() }
      } catch {
        expected = before
        let written = ((error as? PackError)?.underlying as? SystemError)?.written ?? []
        #expect(written.isEmpty, "\(context)")
      }
      var files = try out.files()
      if call == .remove { files = files.filter { !$0.key.hasSuffix(".tmp") } }
      #expect(files == expected, "\(context)")
    }
  }

  private func plan(
    mode: String, _ list: BytePath, _ pack: BytePath
  ) throws -> DownloadManifestPlan {
    let packs = try DownloadManifestPlan.Packs(
      [pack], platforms: [.iOS], base: "https://example.com")
    return mode == "update"
      ? try .updating(list, packs: packs, Work(threads: 1))
      : try .creating(
        list, replacing: mode != "create", packs: packs, versions: [3], Work(threads: 1))
  }

  /// A signal that isn't a request to stop ends no call: every kind is repeated.
  @Test(arguments: SystemCall.allCases) func interruptedCallsAreRepeated(call: SystemCall) throws {
    if call == .allocate || call == .thread { return }
    try folder.write("a", "text".utf8)
    let layout = try layout(of: folder)
    var packager = Packager()
    packager.jobs = 1
    packager.replacesOutput = true
    try eachFailure(of: call, .interrupted) { plan, context in
      try plan.run { _ = try packager.write(layout, root: folder.filePath, to: out.path("P.aar")) }
      #expect(try out.names() == ["P.aar"], "\(context)")
    }
  }
}
