import BAArchive
import BATestSupport
import Foundation
import Testing

@Suite struct PieceReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The pieces of each range, both as they arrive and in order.
  private func pieces(
    _ bytes: [UInt8], _ ranges: [Range<UInt64>], jobs: Int = 1
  ) throws -> [Int: [UInt8]] {
    let archive = try OpenArchive(folder.write("a.aar", bytes))
    let ranges = ranges.enumerated().map { StreamRange(id: 10 + $0.offset, range: $0.element) }
    let found = Monitor((pieces: [Int: [UInt8]](), ordered: [Int: [UInt8]]()))
    try readPieces(
      ranges, of: archive.input, archive.facts(), jobs: jobs, makeWorker: {},
      piece: { range, offset, bytes, _ in
        let copy = bytes.array
        found.withLock { found in
          var whole = found.pieces[range.id] ?? [UInt8](repeating: 0xEE, count: range.range.count)
          whole.replaceSubrange(Int(offset)..<Int(offset) + copy.count, with: copy)
          found.pieces[range.id] = whole
        }
      },
      orderedPiece: { range, offset, bytes in
        let copy = bytes.array
        found.withLock { found in
          #expect(found.ordered[range.id, default: []].count == Int(offset))
          found.ordered[range.id, default: []] += copy
        }
      })
    return found.withLock { found in
      #expect(found.pieces == found.ordered)
      return found.pieces
    }
  }

  @Test(arguments: [1, 8])
  func rangesAreReadFromTheirBlocks(jobs: Int) throws {
    let ranges: [Range<UInt64>] = [0..<1, 1..<63, 63..<65, 100..<168]
    let found = try pieces(ThreeBlocks.bytes, ranges, jobs: jobs)
    #expect(found.count == ranges.count)
    for (index, range) in ranges.enumerated() {
      #expect(
        found[10 + index] == Array(ThreeBlocks.raw[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    #expect(try pieces(ThreeBlocks.bytes, [0..<168], jobs: jobs) == [10: ThreeBlocks.raw])
    #expect(try pieces(ThreeBlocks.bytes, [], jobs: jobs).isEmpty)
  }

  @Test func otherBlocksAreNotDecoded() throws {
    let found = try pieces(ThreeBlocks.damagedFirst, [64..<65, 167..<168])
    #expect(found == [10: [0], 11: [0x62]])
    let damage = damage { _ = try pieces(ThreeBlocks.damagedFirst, [63..<65]) }
    #expect(damage?.reason == .zlibChecksum && damage?.place.block == 0)
  }

  @Test func bareStreamsAreRead() throws {
    let bytes = Array("AA01".utf8) + ThreeBlocks.raw
    #expect(try pieces(bytes, [0..<2, 4..<172]) == [10: [0x41, 0x41], 11: ThreeBlocks.raw])
  }
}
