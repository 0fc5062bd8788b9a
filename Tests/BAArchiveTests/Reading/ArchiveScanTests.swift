import BAArchive
import BATestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ArchiveScanTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records the bytes of every block, and any damage; wants no contents.
  final class Recorder: EntryVisitor, Sendable {
    let seen = Mutex<(blocks: [[UInt8]], contents: [Range<UInt64>], damage: [String])>(([], [], []))

    func begin(_ entry: PackEntry) -> Bool {
      seen.withLock { $0.contents += entry.contents.map { [$0] } ?? [] }
      return false
    }

    func found(_ damage: ArchiveDamage, in part: ArchivePart) -> Bool {
      seen.withLock { $0.damage.append(damage.reason.rawValue) }
      return part == .headers
    }

    func makeWorker() {}

    func endBlock() -> Int {
      seen.withLock { seen in
        seen.blocks.append([])
        return seen.blocks.count - 1
      }
    }

    func finish(_ block: Int, _ bytes: RawSpan, _ worker: inout Void) {
      let copy = bytes.array
      seen.withLock { $0.blocks[block] = copy }
    }
  }

  func scan(
    _ path: BytePath, jobs: Int, limits: ReadingLimits = ReadingLimits(), _ recorder: Recorder
  ) throws -> ContainerFacts {
    try scanArchive(ArchiveInput(path), limits: limits, jobs: jobs, recorder)
  }

  @Test(arguments: [1, 2, 8])
  func blocksComeDecodedAndInOrder(jobs: Int) throws {
    let recorder = Recorder()
    let facts = try scan(folder.write("a.aar", ThreeBlocks.bytes), jobs: jobs, recorder)
    recorder.seen.withLock { seen in
      #expect(seen.blocks.map(\.count) == [64, 64, 40])
      #expect(Array(seen.blocks.joined()) == ThreeBlocks.raw)
    }
    #expect(facts.blocks == 3 && facts.storedBlocks == 1 && facts.blocksWithoutChecksum == 1)
    #expect(facts.rawSize == 168 && facts.packedSize == UInt64(ThreeBlocks.bytes.count))
    #expect(facts.block(holding: 127).rawRange == 64..<128)
    #expect(facts.block(holding: 167).fileOffset == UInt64(ThreeBlocks.starts[2]))
  }

  @Test func blocksOfUnwantedContentsAreSkipped() throws {
    let archive = TestArchive.pack([("x", [UInt8](repeating: 7, count: 300))])
    let recorder = Recorder()
    let path = try folder.write("a.aar", archive.container(blockSize: 64))
    let size = try scan(path, jobs: 1, recorder).rawSize
    recorder.seen.withLock { seen in
      for (number, bytes) in seen.blocks.enumerated() {
        let start = UInt64(64 * number)
        let isSkipped = seen.contents.contains {
          $0.lowerBound <= start && min(start + 64, size) <= $0.upperBound
        }
        #expect(bytes.isEmpty == isSkipped)
      }
      #expect(seen.blocks.count { $0.isEmpty } >= 3)
    }
  }

  @Test(arguments: [1, 8])
  func damagedBlocksAreReportedAndTheRestIsRead(jobs: Int) throws {
    let recorder = Recorder()
    _ = try scan(folder.write("a.aar", ThreeBlocks.damagedFirst), jobs: jobs, recorder)
    recorder.seen.withLock { seen in
      #expect(seen.damage == ["zlib-checksum"])
      #expect(seen.blocks.map(\.count) == [0, 64, 40])
      #expect(Array(seen.blocks.joined()) == Array(ThreeBlocks.raw[64...]))
    }
  }

  @Test(arguments: [1, 8])
  func damageToTheContainerEndsReadingAfterTheBlocksBefore(jobs: Int) throws {
    let recorder = Recorder()
    let path = try folder.write("a.aar", ThreeBlocks.bytes.dropLast())
    let found = damage { _ = try scan(path, jobs: jobs, recorder) }
    #expect(found?.reason == .blockCut && found?.place.block == 2)
    recorder.seen.withLock { seen in
      #expect(seen.damage.last == DamageReason.blockCut.rawValue)
      #expect(seen.blocks.count == 2)
    }
  }

  @Test func uncompressedBytesAreLimited() throws {
    let path = try folder.write("a.aar", ThreeBlocks.bytes)
    let found = damage {
      _ = try scan(path, jobs: 1, limits: ReadingLimits(rawSize: 167), Recorder())
    }
    #expect(found?.reason == .limit && found?.place.block == 2)
  }

  @Test func jobsAreLimitedByMemory() {
    #expect(affordableJobs(8, pieceSize: 1 << 20) == 8)
    #expect(affordableJobs(8, pieceSize: ContainerKind.largestBlockSize) == 1)
    #expect(affordableJobs(0, pieceSize: 1) == 1)
  }
}
