import BAArchive
import BATestSupport
import Foundation
import Testing

extension GoldenArchiveTests {
  @Test(arguments: GoldenArchive.good)
  func goodArchivesAreReadFromAPipe(_ archive: GoldenArchive) throws {
    let bytes = try Data(contentsOf: URL(filePath: archive.path.description))
    let (lines, facts) = try withPipe(bytes) { path in
      let input = try ArchiveInput(path, digestingPipe: true)
      #expect(input.size == nil)
      let describer = Describer()
      let facts = try scanArchive(input, limits: ReadingLimits(), jobs: 2, describer)
      #expect(input.pipeDigests?.md5 == MD5.digest(of: Array(bytes)))
      return (describer.lines, facts)
    }
    let entries = try #require(archive.fields["entries"] as? [[String: Any]])
    #expect(lines == entries.map(Describer.expected))
    #expect(facts.packedSize == UInt64(bytes.count))
  }

  @Test(arguments: GoldenArchive.damaged, [1, 3])
  func damageIsTheSameFromAPipe(_ archive: GoldenArchive, jobs: Int) throws {
    guard archive.fields["refuse"] as? String != "verify" else { return }
    let limits = ReadingLimits(
      rawSize: archive.fields["limit"] as? UInt64 ?? ReadingLimits.standardRawSize)
    let damage = try #require(damage { try readAll(archive.path, limits, jobs) })
    let bytes = try Data(contentsOf: URL(filePath: archive.path.description))
    let fromPipe = withPipe(bytes) { path in self.damage { try readAll(path, limits, jobs) } }
    #expect(fromPipe?.reason == damage.reason)
    #expect(fromPipe?.place == damage.place)
  }
}

extension PieceReaderTests {
  @Test func pipesCannotBeReadAgain() throws {
    let pipe = Pipe()
    let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
    pipe.fileHandleForWriting.write(Data(ThreeBlocks.bytes))
    try pipe.fileHandleForWriting.close()
    let archive = try OpenArchive(path)
    let facts = try archive.facts()
    let range = [StreamRange(id: 0, range: 0..<1)]
    #expect(throws: SystemError(.readAgain, path, code: .illegalSeek)) {
      try readPieces(range, of: archive.input, facts, jobs: 1, makeWorker: {})
    }
  }
}

extension ArchiveScanTests {
  @Test(arguments: [1, 8])
  func pipesAreReadOnce(jobs: Int) throws {
    let pipe = Pipe()
    let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(ThreeBlocks.bytes))
      try? pipe.fileHandleForWriting.close()
    }
    let recorder = Recorder()
    let facts = try scan(path, jobs: jobs, recorder)
    recorder.seen.withLock { #expect(Array($0.blocks.joined()) == ThreeBlocks.raw) }
    #expect(facts.blocks == 3 && facts.packedSize == UInt64(ThreeBlocks.bytes.count))
  }
}

/// Calls `body` with the path of a pipe that provides `bytes`.
func withPipe<Result>(_ bytes: Data, _ body: (BytePath) throws -> Result) rethrows -> Result {
  let pipe = Pipe()
  let writer = Thread {
    try? pipe.fileHandleForWriting.write(contentsOf: bytes)
    try? pipe.fileHandleForWriting.close()
  }
  writer.start()
  return try body(BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8))
}
