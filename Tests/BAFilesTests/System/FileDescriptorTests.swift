import BAFiles
import BATestSupport
import Foundation
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
      #expect(throws: SystemError(.read, path, code: .fileTooLarge, limit: size - 1)) {
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
}
