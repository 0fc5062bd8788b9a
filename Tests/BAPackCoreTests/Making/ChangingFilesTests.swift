import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Files that changed since they were selected end the run, and nothing is left behind.
@Suite struct ChangingFilesTests {
  static let block = 1 << 20
  let tree: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    out = try TemporaryFolder()
  }

  /// Packages the tree after `change`; the error of the run, which `running` may wrap.
  private func error(
    jobs: Int = 1, after change: () throws -> Void,
    running: (() throws -> Void) throws -> Void = { try $0() }
  ) throws -> (any Error)? {
    let layout = try layout(of: tree)
    try change()
    var packager = Packager()
    packager.jobs = jobs
    var failure: (any Error)?
    try running {
      do {
        _ = try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
      } catch {
        failure = error
      }
    }
    #expect(try out.names() == [])
    return failure
  }

  private func write(_ byte: UInt8, count: Int) throws {
    try tree.write("a", [UInt8](repeating: byte, count: count))
  }

  @Test(arguments: [0, 1, block - 1, block, block + 1, 3 * block], [1, 3])
  func aFileThatHasGrown(size: Int, jobs: Int) throws {
    try write(7, count: size)
    let error = try error(jobs: jobs) { try write(7, count: size + 1) }
    #expect(
      error as? PackagingError
        == .fileChanged(tree.path("a"), expected: UInt64(size), isShorter: false))
  }

  @Test(arguments: [1, block - 1, block, block + 1, 3 * block], [1, 3])
  func aFileThatHasShrunk(size: Int, jobs: Int) throws {
    try write(7, count: size)
    let error = try error(jobs: jobs) { try write(7, count: size - 1) }
    #expect(
      error as? PackagingError
        == .fileChanged(tree.path("a"), expected: UInt64(size), isShorter: true))
  }

  @Test(arguments: [0, 1, 2 * block])
  func aFileThatHasVanished(size: Int) throws {
    try write(7, count: size)
    let error = try #require(try error { try tree.remove("a") })
    #expect("\(error)" == "there is no '\(tree.path)/a'")
  }

  @Test(arguments: [0, 1, 2 * block])
  func aFileThatIsAFolderNow(size: Int) throws {
    try write(7, count: size)
    let error = try #require(
      try error {
        try tree.remove("a")
        try tree.makeFolder("a")
      })
    #expect("\(error)" == "can't read '\(tree.path)/a': is a directory")
  }

  @Test(arguments: [0, 1, 2 * block])
  func aFileThatIsANamedPipeNow(size: Int) throws {
    try write(7, count: size)
    let error = try error {
      try tree.remove("a")
      try tree.makePipe("a")
    }
    #expect(error as? PackagingError == .fileReplaced(tree.path("a")))
  }

  @Test func aFileThatCannotBeRead() async {
    await #expect(processExitsWith: .success) {
      umask(0o022)
      let test = try ChangingFilesTests()
      try test.write(7, count: 100)
      let error = try #require(
        try test.error {
          try test.tree.setMode("a", 0)
          try test.out.setMode(".", 0o777)
        } running: {
          try unprivileged($0)
        })
      #expect("\(error)" == "can't open '\(test.tree.path)/a': permission denied")
    }
  }

  /// A file is replaced by another of the same size between two of its blocks: the pack would
  /// contain the start of one and the end of the other.
  @Test(arguments: [false, true]) func aFileReplacedBetweenItsBlocks(inPlace: Bool) throws {
    try write(7, count: 3 * Self.block)
    let layout = try layout(of: tree)
    var packager = Packager()
    packager.jobs = 1
    let blocks = Monitor(0)
    packager.progress = { [tree] _, _ in
      let isFirst = blocks.withLock { blocks in
        blocks += 1
        return blocks == 1
      }
      guard isFirst else { return }
      do {
        if !inPlace { try tree.remove("a") }
        try tree.write("a", [UInt8](repeating: 8, count: 3 * Self.block))
        try makeNewer(tree, "a")
      } catch {
        Issue.record(error)
      }
    }
    #expect(throws: PackagingError.fileReplaced(tree.path("a"))) {
      try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
    }
    #expect(try out.names() == [])
  }

  /// Another file of the same size and time, put in place by a tool that sets times.
  @Test(arguments: [1000, 3 * block], [false, true])
  func aFileReplacedByOneOfTheSameTime(size: Int, isRewritten: Bool) throws {
    try write(7, count: size)
    let path = "\(tree.path)/a"
    let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let error = try error {
      if !isRewritten { try tree.remove("a") }
      try write(8, count: size)
      try FileManager.default.setAttributes([.modificationDate: time as Any], ofItemAtPath: path)
    }
    #expect(error as? PackagingError == .fileReplaced(tree.path("a")))
  }

  /// A folder that was listed has become a link to somewhere else when its files are read.
  @Test func aFolderExchangedForALinkToOutside() throws {
    try tree.write("folder/a", [1, 2, 3])
    let outside = try TemporaryFolder()
    try outside.write("a", [4, 5, 6])
    let error = try error {
      try tree.remove("folder")
      try tree.link("folder", to: outside.path)
    }
    #expect(error as? PackagingError == .fileReplaced(tree.path("folder/a")))
  }

  @Test func messagesSayWhatToDo() {
    #expect(
      "\(PackagingError.fileChanged("a/b", expected: 1, isShorter: false))"
        == "'a/b' changed while it was packaged: it had 1 byte and now has more. Run again when "
        + "nothing writes to the repository.")
    #expect(
      "\(PackagingError.fileChanged("a/b", expected: 2048, isShorter: true))"
        == "'a/b' changed while it was packaged: it had 2,048 bytes and now has fewer. Run again "
        + "when nothing writes to the repository.")
    #expect(
      "\(PackagingError.fileReplaced("a/b"))"
        == "'a/b' changed while it was packaged: it was written to or replaced. Run again when "
        + "nothing writes to the repository.")
  }
}

/// Gives a file a later modification time, whatever the resolution of the file system's clock.
private func makeNewer(_ folder: TemporaryFolder, _ name: String) throws {
  try FileManager.default.setAttributes(
    [.modificationDate: Date(timeIntervalSinceNow: 5)], ofItemAtPath: "\(folder.path)/\(name)")
}
