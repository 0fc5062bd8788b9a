import BAArchive
import BATestSupport
import Testing

@Suite struct BlockCursorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The blocks of a file, up to its end or to the damage.
  private func blocks(
    _ bytes: [UInt8], rawLimit: UInt64 = .max
  ) throws -> (places: [BlockPlace], damage: ArchiveDamage?) {
    let archive = try OpenArchive(folder.write("a.aar", bytes))
    var cursor = BlockCursor(archive.input, archive.kind, rawLimit: rawLimit)
    var places: [BlockPlace] = []
    let damage = damage { while let place = try cursor.next() { places.append(place) } }
    return (places, damage)
  }

  private func container(blockSize: UInt8, _ blocks: [UInt8]...) -> [UInt8] {
    Array("pbzz".utf8) + [0, 0, 0, 0, 0, 0, 0, blockSize] + blocks.flatMap { $0 }
  }

  private func block(raw: Int, stored: Int, payload: Int? = nil) -> [UInt8] {
    ContainerFormat.blockHeader(raw: raw, stored: stored)
      + [UInt8](repeating: 0x61, count: payload ?? stored)
  }

  @Test func blocksFollowEachOther() throws {
    let (places, damage) = try blocks(ThreeBlocks.bytes)
    #expect(damage == nil)
    #expect(places.map(\.number) == [0, 1, 2])
    #expect(places.map { Int($0.fileOffset) } == ThreeBlocks.starts)
    #expect(places.map(\.rawRange) == [0..<64, 64..<128, 128..<168])
    #expect(places.map(\.isStored) == [false, true, false])
    #expect(places[1].payloadOffset == places[1].fileOffset + 16)
    #expect(
      places[2].payloadOffset + UInt64(places[2].storedSize) == UInt64(ThreeBlocks.bytes.count))
  }

  @Test func aContainerMayHaveNoBlocks() throws {
    let (places, damage) = try blocks(container(blockSize: 9))
    #expect(places.isEmpty && damage == nil)
  }

  @Test func bareStreamsCountAsStoredBlocks() throws {
    let bytes = Array("AA01".utf8) + [UInt8](repeating: 0, count: (1 << 20) + 3)
    let (places, damage) = try blocks(bytes)
    #expect(damage == nil)
    let ranges: [Range<UInt64>] = [0..<1_048_576, 1_048_576..<1_048_583]
    #expect(places.map(\.rawRange) == ranges)
    #expect(places.allSatisfy { $0.isStored && $0.payloadOffset == $0.rawOffset })
  }

  /// Each after one good block of 9 bytes, with the index and file offset of the damaged block.
  @Test(
    arguments: [
      ([UInt8](repeating: 0, count: 15), DamageReason.blockHeaderCut, 1, 37),
      (ContainerFormat.blockHeader(raw: 0, stored: 0), .blockEmpty, 1, 37),
      (ContainerFormat.blockHeader(raw: 10, stored: 9), .rawSize, 1, 37),
      ([UInt8](repeating: 0xFF, count: 16), .rawSize, 1, 37),
      (ContainerFormat.blockHeader(raw: 9, stored: 10), .storedSize, 1, 37),
      ([0, 0, 0, 0, 0, 0, 0, 9] + [UInt8](repeating: 0xFF, count: 8), .storedSize, 1, 37),
      (ContainerFormat.blockHeader(raw: 9, stored: 9), .blockCut, 1, 37),
      (
        ContainerFormat.blockHeader(raw: 9, stored: 9) + [1, 2, 3, 4, 5, 6, 7, 8], .blockCut, 1, 37
      ),
    ] as [([UInt8], DamageReason, Int, UInt64)])
  func damageHasItsBlock(bytes: [UInt8], reason: DamageReason, number: Int, offset: UInt64) throws {
    let first = block(raw: 9, stored: 9)
    let (places, damage) = try blocks(container(blockSize: 9, first, bytes))
    #expect(places.count == 1)
    #expect(damage?.reason == reason)
    #expect(damage?.place == ArchivePlace(block: number, file: offset))
  }

  @Test func onlyTheLastBlockMayBeShort() throws {
    let short = block(raw: 8, stored: 8)
    #expect(try blocks(container(blockSize: 9, short)).damage == nil)
    let (places, damage) = try blocks(container(blockSize: 9, short, short))
    #expect(places.count == 1)
    #expect(damage?.reason == .blockShort)
    #expect(damage?.place == ArchivePlace(block: 0, file: 12))
  }

  @Test func uncompressedBytesAreLimited() throws {
    let nine = block(raw: 9, stored: 9)
    #expect(try blocks(container(blockSize: 9, nine, nine), rawLimit: 18).damage == nil)
    let (places, damage) = try blocks(container(blockSize: 9, nine, nine), rawLimit: 17)
    #expect(places.count == 1)
    #expect(damage?.reason == .limit && damage?.place.block == 1)
    #expect(try blocks(Array("AA01abcd".utf8), rawLimit: 7).damage?.reason == .limit)
  }
}
