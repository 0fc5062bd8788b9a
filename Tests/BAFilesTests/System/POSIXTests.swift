import BAFiles
import BATestSupport
import Foundation
import Testing

// Tests with pipes, links, names that not every system has, and the texts of its errors.

extension FileDescriptorTests {
  /// Pipes return small pieces; a reader waits for all of them, and for the end once.
  @Test func readsPipesToTheirEnd() throws {
    let pipe = Pipe()
    // A task would wait for a thread of the pool that this test blocks.
    Thread.detachNewThread {
      for byte in 0..<100 { pipe.fileHandleForWriting.write(Data([UInt8(byte), 7])) }
      try? pipe.fileHandleForWriting.close()
    }
    let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
    let bytes = try path.contents(limit: 1000)
    #expect(bytes == (0..<100).flatMap { [UInt8($0), 7] })
  }

  /// Opening a named pipe without a writer would block.
  @Test(.timeLimit(.minutes(1))) func namedPipesAreRefused() throws {
    try folder.makePipe("pipe")
    try folder.link("link", to: "pipe")
    for name in ["pipe", "link"] {
      let error = SystemError(.open, folder.path(name), code: .namedPipe)
      #expect(throws: error) { try folder.path(name).contents(limit: 1) }
      #expect(
        error.description
          == "'\(folder.path(name))' is a named pipe; pass its contents as '-' or by '<(cat ...)'")
    }
    let root = try FileDescriptor.directory(folder.filePath)
    #expect(throws: Errno.illegalSeek) {
      let pipe = try root.reading(#require(RelativePath("pipe".utf8)))
      let buffer = try Buffer(size: 1)
      _ = unsafe try pipe.read(into: buffer.bytes, atLeast: 1, at: 0)
    }
  }

  @Test func recognizesKindsOfFiles() throws {
    try folder.write("file", [1, 2, 3], executable: true)
    try folder.makePipe("pipe")
    try folder.makeSocket("socket")
    try folder.link("link", to: "file")
    try folder.link("other", to: "file")
    let status = { try FileStatus.notFollowing(folder.path($0)) }
    #expect(try status("file").kind == .file && status("file").size == 3)
    #expect(try status("file").isExecutable)
    #expect(try status(".").kind == .directory && status("pipe").kind == .fifo)
    #expect(try status("socket").kind == .socket && status("link").kind == .symbolicLink)
    #expect(try FileStatus.following("/dev/null").kind == .device)
    let behind = try FileStatus.following(folder.path("link"))
    #expect(try behind.identity == status("file").identity && behind.kind == .file)
    #expect(try status("link").identity != status("other").identity)
    #expect(
      throws: SystemError(.lookUp, folder.path("file/x"), code: .notDirectory)
    ) { try status("file/x") }
    #expect(
      [FileKind.file, .directory, .symbolicLink, .fifo, .socket, .device, .blockDevice]
        .map { "\($0)" }
        == [
          "a file", "a folder", "a symbolic link", "a named pipe", "a socket", "a device",
          "a block device",
        ])
  }

  @Test func listsManyAndOddNames() throws {
    var names = (0..<3000).map { Array("name\($0 * 7919 % 3000)".utf8) }
    names += ["...", "..a", ".a", " ", "\n", "\u{1B}[2J", "-rf", "a b", "ä", "o\u{308}"].map {
      Array($0.utf8)
    }
    names.append([UInt8](repeating: 0x78, count: 255))
    for name in names { try folder.writeNamed(name) }
    let listed = try folder.filePath.names()
    #expect(listed == names.sorted { $0.lexicographicallyPrecedes($1) })
    let empty = try TemporaryFolder()
    #expect(try empty.filePath.names() == [])
  }

  @Test func errorsNameTheOperationAndThePath() {
    #expect(
      "\(SystemError(.open, "Textures/a.png", code: Errno(rawValue: EACCES)))"
        == "can't open 'Textures/a.png': permission denied")
    #expect(
      "\(SystemError(.write, "a\nb", code: .noSpace))"
        == "can't write 'a\\nb': no space left on device")
    #expect("\(Errno.noSuchFile)" == "no such file or directory")
    #expect("\(Errno.inputOutput)" == "input/output error")
    #expect("\(Errno.brokenPipe)" == "broken pipe")
    #expect("\(Errno(rawValue: 99_999))".contains("99999"))
  }
}

extension AtomicOutputTests {
  @Test func leftoverFoldersAreRemovedWithAllInThem() throws {
    try folder.makeFolder(".a.ba-package-0000000000abc.tmp/b")
    try folder.write(".a.ba-package-0000000000abc.tmp/b/c", [1])
    try folder.write("d", [2])
    try folder.link(".a.ba-package-0000000000abc.tmp/b/link", to: "../../d")
    _ = try AtomicOutput(folder.path("a"), replacing: false)
    #expect(try folder.names() == ["d"])
  }
}

extension FilePathTests {
  @Test func resolvesLinks() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/b")
    try folder.link("l", to: "a/./../a/b")
    #expect(try folder.path("l").linkTarget() == "a/./../a/b")
    #expect(try folder.path("l").resolved() == folder.path("a/b"))
    #expect(throws: SystemError(.readLink, folder.path("a/b"), code: Errno(rawValue: 22))) {
      try folder.path("a/b").linkTarget()
    }
    #expect(throws: SystemError(.lookUp, folder.path("x"), code: .noSuchFile)) {
      try folder.path("x").resolved()
    }
    let long = String(repeating: "x/", count: 1500) + "y"
    try folder.link("long", to: long)
    #expect(try folder.path("long").linkTarget() == BytePath(long.utf8))
  }
}
