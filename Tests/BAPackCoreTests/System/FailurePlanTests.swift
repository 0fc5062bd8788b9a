import BAPackCore
import Foundation
import TestSupport
import Testing

/// Everything that writes files is repeated with a different failing system call each time, until
/// all have failed once. A run succeeds or ends with a typed error, and leaves only old or complete
/// new files.
@Suite struct FailurePlanTests {
  static let errors: [Errno] = [.inputOutput, .noSpace]
  static let old = Array("old".utf8)

  let folder: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    out = try TemporaryFolder()
  }

  /// Calls `body` once for each system call of that kind that it makes; `body` returns its error,
  /// if any.
  private func eachFailure(
    of call: SystemCall, _ error: Errno, _ body: (FailurePlan, String) throws -> Void
  ) rethrows {
    for number in 1...2000 {
      let plan = FailurePlan(call, number: number, error)
      try body(plan, "\(call) \(number): \(error)")
      if !plan.hasFailed { return }
    }
    Issue.record("no end of calls: \(call)")
  }

  /// The names in `out`, in which files that can't be removed may be left.
  private func expectNames(_ names: [String], _ call: SystemCall, _ context: String) throws {
    if call != .remove { #expect(try out.names() == names, "\(context)") }
  }

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
    for error in Self.errors {
      try eachFailure(of: call, error) { plan, context in
        try out.write("Pack.aar", Self.old)
        var isPublished = false
        do {
          try plan.run {
            let selected = Selection.resolve(manifest, in: root, outputs: [output])
            if selected.findings.hasErrors { return }
            let layout = ArchiveLayout(selected.value, manifest: manifest, modified: .constant)
            _ = try packager.write(layout, root: folder.filePath, to: output)
            isPublished = true
          }
        } catch let error as SystemError {
          // The file has been published.
          if error.operation == .syncFolder { isPublished = true }
        }
        #expect(try out.contents("Pack.aar") == (isPublished ? new : Self.old), "\(context)")
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
    try eachFailure(of: call, .inputOutput) { plan, context in
      var isDone = false
      do {
        try plan.run {
          var extraction = Extraction()
          extraction.jobs = jobs
          _ = try extraction.run([path], into: out.path("game"))
          isDone = true
        }
      } catch PackagingError.extracted {
        isDone = true
      } catch is SystemError {
      }
      try expectNames(isDone ? ["game"] : [], call, context)
      if isDone {
        #expect(out.tree("game").compactMapValues { $0 } == whole, "\(context)")
      }
      for name in try out.names() { try out.remove(name) }
    }
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
        let written = (error as? SystemError)?.written ?? []
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
      [pack], platforms: [.iOS], base: "https://example.com", jobs: 1)
    return mode == "update"
      ? try .updating(list, packs: packs)
      : try .creating(list, replacing: mode != "create", packs: packs, versions: [3])
  }

  /// The output of `template -o` and `convert -o`.
  @Test(arguments: SystemCall.allCases, [false, true])
  func writingOneFile(call: SystemCall, replaces: Bool) throws {
    let path = out.path("T.json")
    let new = Array(Manifest.template.utf8)
    for error in Self.errors {
      try eachFailure(of: call, error) { failure, context in
        for name in try out.names() { try out.remove(name) }
        if replaces { try out.write("T.json", Self.old) }
        var isDone = true
        do throws(SystemError) {
          try failure.run { () throws(SystemError) in
            try AtomicOutput.checkFolder(of: path)
            let output = try AtomicOutput(path, replacing: replaces)
            try output.write(new)
            _ = try output.publish()
          }
        } catch {
          isDone = error.operation == .syncFolder
        }
        let expected = isDone ? new : replaces ? Self.old : nil
        #expect(try out.files()["T.json"] == expected, "\(context)")
        try expectNames(expected == nil ? [] : ["T.json"], call, context)
      }
    }
  }

  /// The output of `template --from` and of converting a project: all of it or nothing, and the
  /// error states if something could not be undone.
  @Test(arguments: SystemCall.allCases, [false, true])
  func writingSeveralFiles(call: SystemCall, replaces: Bool) throws {
    let names = ["a.json", "b.json", "c.json"]
    let new = Dictionary(uniqueKeysWithValues: names.map { ($0, Array($0.utf8)) })
    let before = replaces ? ["b.json": Self.old, "c.json": Self.old] : [:]
    for error in Self.errors {
      try eachFailure(of: call, error) { failure, context in
        for name in try out.names() { try out.remove(name) }
        for (name, bytes) in before { try out.write(name, bytes) }
        let group = FileGroup(
          names.map { (path: out.path($0), bytes: new[$0] ?? [], replaces: replaces) })
        var expected = new
        do {
          try failure.run { try group.write() }
        } catch {
          expected = before
          let written = try #require((error as? SystemError)?.written, "\(error)")
          for path in written {
            let name = String(decoding: path.name, as: UTF8.self)
            expected[name] = new[name]
          }
          #expect(written.isEmpty || call == .remove, "\(context)")
        }
        var files = try out.files()
        if call == .remove { files = files.filter { !$0.key.hasSuffix(".tmp") } }
        #expect(files == expected, "\(context)")
      }
    }
  }

  /// A file appears at the third of several names during the run: nothing is written, and that file
  /// stays.
  @Test func aFileThatAppearsStopsAllOfAGroup() throws {
    try out.write("c.json", Self.old)
    let group = FileGroup(
      ["a.json", "b.json", "c.json"].map { (path: out.path($0), bytes: [1], replaces: false) })
    let error = #expect(throws: SystemError.self) { try group.write() }
    #expect(try out.files() == ["c.json": Self.old])
    #expect(
      error?.description == "can't create '\(out.path)/c.json': file exists; nothing was written")
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

extension TemporaryFolder {
  /// The files in the folder, with their contents.
  fileprivate func files() throws -> [String: [UInt8]] {
    try Dictionary(uniqueKeysWithValues: names().map { ($0, try contents($0)) })
  }
}
