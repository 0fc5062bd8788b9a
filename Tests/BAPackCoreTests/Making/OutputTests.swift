import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Outputs that can't be written; existing files are left unchanged.
@Suite struct OutputTests {
  let tree: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    out = try TemporaryFolder()
    try tree.write("a", "b")
  }

  private func write(to output: String, replacing: Bool = false) throws {
    var packager = Packager()
    packager.replacesOutput = replacing
    let layout = try layout(of: tree)
    _ = try packager.write(layout, root: tree.filePath, to: out.path(output))
  }

  private func message(_ output: String, replacing: Bool = false) throws -> String? {
    do {
      try write(to: output, replacing: replacing)
      return nil
    } catch {
      return "\(error)".replacing(out.path, with: "OUT")
    }
  }

  @Test func anExistingOutputIsRefusedOrReplaced() throws {
    try out.write("Pack.aar", "old".utf8)
    #expect(try message("Pack.aar") == "'OUT/Pack.aar' already exists")
    #expect(try out.contents("Pack.aar") == Array("old".utf8))
    try write(to: "Pack.aar", replacing: true)
    #expect(try PackedEntries(out.contents("Pack.aar")).entries.count == 5)
    #expect(try out.names() == ["Pack.aar"])
  }

  /// As an editor would, and with the mode that the file had.
  @Test func theFileBehindALinkIsReplaced() throws {
    try out.write("target", "old".utf8)
    try out.setMode("target", 0o640)
    try out.link("Pack.aar", to: "target")
    #expect(
      try message("Pack.aar") == "'OUT/Pack.aar' already exists")
    try write(to: "Pack.aar", replacing: true)
    #expect(try FileStatus.notFollowing(out.path("Pack.aar")).kind == .symbolicLink)
    #expect(try PackedEntries(out.contents("target")).entries.count == 5)
    let attributes = try FileManager.default.attributesOfItem(atPath: out.path + "/target")
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try out.names() == ["Pack.aar", "target"])
  }

  @Test func theFileThatALinkLeadsToIsMade() throws {
    try out.link("Dangling.aar", to: "nowhere")
    try write(to: "Dangling.aar", replacing: true)
    #expect(try FileStatus.notFollowing(out.path("Dangling.aar")).kind == .symbolicLink)
    #expect(try FileStatus.notFollowing(out.path("nowhere")).kind == .file)
    #expect(try out.names() == ["Dangling.aar", "nowhere"])
  }

  /// An output that another process creates during the run is still not replaced.
  @Test func anOutputThatAppearsMeanwhileIsRefused() throws {
    var packager = Packager()
    packager.progress = { [out] _, _ in _ = try? out.write("Pack.aar", "new".utf8) }
    let layout = try layout(of: tree)
    #expect(throws: PackagingError.outputExists(out.path("Pack.aar"))) {
      try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
    }
    #expect(try out.contents("Pack.aar") == Array("new".utf8))
    #expect(try out.names() == ["Pack.aar"])
  }

  @Test(arguments: [false, true]) func aFolderIsNotAValidOutput(replacing: Bool) throws {
    try out.makeFolder("Pack.aar")
    #expect(
      try message("Pack.aar", replacing: replacing)
        == "'OUT/Pack.aar' is a folder; name the file to write")
    #expect(
      try message("New.aar/", replacing: replacing)
        == "'OUT/New.aar/' is a folder; name the file to write")
    #expect(try out.names() == ["Pack.aar"] && out.names(in: "Pack.aar") == [])
  }

  @Test func theFolderOfTheOutputMustExist() throws {
    #expect(
      try message("no/where/Pack.aar")
        == "can't create 'Pack.aar': the folder 'OUT/no/where' does not exist; create it first")
    try out.write("file")
    #expect(try message("file/Pack.aar") == "can't create 'OUT/file/Pack.aar': not a directory")
    #expect(try out.names() == ["file"])
  }

  @Test func aNameThatIsTooLongIsAnError() throws {
    let longest = String(repeating: "é", count: 125) + "x.aar"
    try write(to: longest)
    #expect(try out.names() == [longest])
    #expect(
      try message(longest + "x")
        == "can't create 'OUT/\(longest)x': file name too long")
    #expect(try out.names() == [longest])
  }

  /// All temporary names are UTF-8, as some file systems require.
  @Test func temporaryNamesAreWholeCharacters() {
    for shift in 0..<4 {
      let name = String(repeating: "x", count: shift) + String(repeating: "🎮", count: 60) + ".aar"
      let bytes = [temporaryName(for: Array(name.utf8)[...])]
      #expect(bytes.allSatisfy { String(validating: $0, as: UTF8.self) != nil && $0.count <= 255 })
      #expect(bytes.allSatisfy { $0.starts(with: ".\(name.prefix(20))".utf8) })
      #expect(bytes.allSatisfy(isTemporaryName))
    }
  }

  @Test(arguments: [1, 3], [Compression.store, .zlib(level: 5)])
  func aWriteThatFailsEndsTheRun(jobs: Int, compression: Compression) throws {
    var random = SeededGenerator(seed: 4)
    try tree.write("noise", CodecInput.noise.bytes(5 << 20, &random))
    var packager = Packager()
    packager.jobs = jobs
    packager.compression = compression
    let layout = try layout(of: tree)
    let output = out.path("Pack.aar")
    let error = SystemError(.write, output, code: .noSpace)
    var number = 1
    while true {
      let plan = FailurePlan(.write, number: number, .noSpace, isLasting: true)
      let result = Result {
        try plan.run { try packager.write(layout, root: tree.filePath, to: output) }
      }
      if !plan.hasFailed { break }
      #expect(throws: error, "write \(number)") { try result.get() }
      // A thread whose write failed begins no other: the disk is full for all of them.
      #expect(plan.callsAfterFailure < jobs, "after write \(number)")
      #expect(try out.names() == [])
      number += 1
    }
    // The header and a block of noise each for five MiB and the rest.
    #expect(number > 6)
    #expect(try out.names() == ["Pack.aar"])
  }

  /// The file size limit of the process: as on a full disk, the run ends with a message.
  @Test func aFullDiskLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      let tree = try TemporaryFolder()
      let out = try TemporaryFolder()
      var random = SeededGenerator(seed: 5)
      try tree.write("noise", CodecInput.noise.bytes(3 << 20, &random))
      let layout = try layout(of: tree)
      Interruption.turnWriteSignalsIntoErrors()
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      #if canImport(Darwin)
        let result = unsafe setrlimit(RLIMIT_FSIZE, &limit)
      #else
        let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #endif
      #expect(result == 0)
      do {
        _ = try Packager().write(layout, root: tree.filePath, to: out.path("Pack.aar"))
        Issue.record("nothing was refused")
      } catch {
        #expect("\(error)" == "can't write '\(out.path)/Pack.aar': file too large")
      }
      #expect(try out.names() == [])
    }
  }
}
