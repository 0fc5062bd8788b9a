import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileDescriptorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 50_000, 3 << 20])
  func readsWholeFiles(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try folder.write("a", bytes)
    let path = folder.path("a")
    #expect(try path.contents(limit: size) == bytes)
    #expect(try path.contents(limit: .max) == bytes)
    if size > 0 {
      #expect(throws: SystemError(tooLarge: path, limit: size - 1)) {
        try path.contents(limit: size - 1)
      }
    }
  }

  @Test func reportsWhyAFileCannotBeRead() {
    #expect(
      throws: SystemError(.open, folder.path("x"), code: .noSuchFile)
    ) { try folder.path("x").contents(limit: 1) }
    #expect(
      throws: SystemError(.read, folder.filePath, code: .isDirectory)
    ) { try folder.filePath.contents(limit: 1) }
  }

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

  @Test func readsAtOffsets() throws {
    try folder.write("a", Array(0..<100))
    let file = try FileDescriptor.reading(folder.path("a"))
    func read(_ capacity: Int, atLeast count: Int, at offset: UInt64) throws -> [UInt8] {
      let buffer = try Buffer(size: capacity)
      let received = unsafe try file.read(
        into: buffer.bytes, atLeast: count, at: offset)
      return unsafe Array(buffer.bytes[..<received])
    }
    #expect(try read(10, atLeast: 10, at: 5) == Array(5..<15))
    #expect(try read(10, atLeast: 10, at: 95) == Array(95..<100))
    #expect(try read(10, atLeast: 5, at: 100) == [])
    #expect(try read(11, atLeast: 10, at: 90) == Array(90..<100))
    #expect(try read(11, atLeast: 10, at: 80) == Array(80..<91))
  }

  @Test func makesNewFilesOnly() throws {
    let path = folder.path("a")
    let file = try FileDescriptor.creating(path)
    try file.write(Array("x".utf8))
    try file.close()
    #expect(throws: Errno.fileExists) {
      _ = try FileDescriptor.creating(path)
    }
    #expect(try folder.contents("a") == Array("x".utf8))
  }

  @Test func opensBelowAFolder() throws {
    try folder.write("a/b")
    let root = try FileDescriptor.directory(folder.filePath)
    let path = try #require(RelativePath("a/b".utf8))
    #expect(try BytePath("b".utf8).contents(of: root.reading(path), limit: 10) == Array("a/b".utf8))
    #expect(try root.directory(.root).names() == [Array("a".utf8)])
    #expect(try root.directory(path.parent ?? .root).names() == [Array("b".utf8)])
    #expect(throws: Errno.notDirectory) {
      _ = try root.directory(path)
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

  @Test func keepsTheTimeOfTheLastWrite() throws {
    try folder.write("a", [1])
    for time in [0, 978_307_200.25, 4_000_000_000.125] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)],
        ofItemAtPath: "\(folder.path)/a")
      let modified = try FileStatus.following(folder.path("a")).modified
      // Foundation may round to microseconds.
      #expect(abs(modified - Int64(time * 1e9)) < 2000)
    }
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
