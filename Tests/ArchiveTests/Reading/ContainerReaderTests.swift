import Archive
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ContainerReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records every block it receives, and requests bytes from `neededFrom` on.
  private final class Recorder: BlockSink {
    let neededFrom: UInt64
    let seen = Mutex<(raw: [UInt8], blocks: [String])>(([], []))

    init(neededFrom: UInt64 = 0) { self.neededFrom = neededFrom }

    func receive(
      _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
    ) -> (neededFrom: UInt64, rest: Void) {
      let copy = bytes.array
      let word =
        switch outcome {
        case .decoded: "decoded"
        case .skipped: "skipped"
        case .damaged(let damage): damage.reason.rawValue
        }
      seen.withLock { seen in
        seen.raw += copy
        seen.blocks.append("\(place.number) \(word)")
      }
      return (neededFrom, ())
    }
  }

  private func read(
    _ path: BytePath, jobs: Int, limits: ReadingLimits = ReadingLimits(), into recorder: Recorder
  ) throws -> ContainerFacts {
    let archive = try OpenArchive(path)
    return try readBlocks(archive.input, archive.kind, limits: limits, jobs: jobs, into: recorder)
  }

  @Test(arguments: [1, 2, 8])
  func blocksComeDecodedAndInOrder(jobs: Int) throws {
    let recorder = Recorder()
    let facts = try read(folder.write("a.aar", ThreeBlocks.bytes), jobs: jobs, into: recorder)
    recorder.seen.withLock { seen in
      #expect(seen.raw == ThreeBlocks.raw)
      #expect(seen.blocks == ["0 decoded", "1 decoded", "2 decoded"])
    }
    #expect(facts.blocks == 3 && facts.storedBlocks == 1 && facts.blocksWithoutChecksum == 1)
    #expect(facts.rawSize == 168 && facts.packedSize == UInt64(ThreeBlocks.bytes.count))
    #expect(facts.block(holding: 127).rawRange == 64..<128)
    #expect(facts.block(holding: 167).fileOffset == UInt64(ThreeBlocks.starts[2]))
  }

  @Test(arguments: [1, 8])
  func pipesAreReadOnce(jobs: Int) throws {
    let pipe = Pipe()
    let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(ThreeBlocks.bytes))
      try? pipe.fileHandleForWriting.close()
    }
    let recorder = Recorder()
    let facts = try read(path, jobs: jobs, into: recorder)
    recorder.seen.withLock { #expect($0.raw == ThreeBlocks.raw) }
    #expect(facts.blocks == 3 && facts.packedSize == UInt64(ThreeBlocks.bytes.count))
  }

  @Test func blocksThatNobodyNeedsAreSkipped() throws {
    let recorder = Recorder(neededFrom: 128)
    _ = try read(folder.write("a.aar", ThreeBlocks.bytes), jobs: 1, into: recorder)
    recorder.seen.withLock { seen in
      // The first block is claimed before the sink can request anything.
      #expect(seen.blocks == ["0 decoded", "1 skipped", "2 decoded"])
    }
  }

  @Test(arguments: [1, 8])
  func damagedBlocksAreReportedAndTheRestIsRead(jobs: Int) throws {
    let recorder = Recorder()
    _ = try read(folder.write("a.aar", ThreeBlocks.damagedFirst), jobs: jobs, into: recorder)
    recorder.seen.withLock { seen in
      #expect(seen.blocks == ["0 zlib-checksum", "1 decoded", "2 decoded"])
      #expect(seen.raw == Array(ThreeBlocks.raw[64...]))
    }
  }

  @Test(arguments: [1, 8])
  func damageToTheContainerEndsReadingAfterTheBlocksBefore(jobs: Int) throws {
    let recorder = Recorder()
    let path = try folder.write("a.aar", ThreeBlocks.bytes.dropLast())
    let found = damage { _ = try read(path, jobs: jobs, into: recorder) }
    #expect(found?.reason == .blockCut && found?.place.block == 2)
    recorder.seen.withLock { #expect($0.raw == Array(ThreeBlocks.raw[..<128])) }
  }

  @Test func uncompressedBytesAreLimited() throws {
    let path = try folder.write("a.aar", ThreeBlocks.bytes)
    let found = damage {
      _ = try read(path, jobs: 1, limits: ReadingLimits(rawSize: 167), into: Recorder())
    }
    #expect(found?.reason == .limit && found?.place.block == 2)
  }

  @Test func jobsAreLimitedByMemory() {
    #expect(affordableJobs(8, pieceSize: 1 << 20) == 8)
    #expect(affordableJobs(8, pieceSize: ContainerKind.largestBlockSize) == 1)
    #expect(affordableJobs(0, pieceSize: 1) == 1)
  }
}
