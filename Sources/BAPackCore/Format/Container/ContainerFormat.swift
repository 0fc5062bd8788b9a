/// The layout of a container: a header, then blocks, each behind a header of its own. Integers are
/// big-endian; the end of the file is the end of the container.
package enum ContainerFormat {
  /// Raw bytes in every block but the last of the containers written here, as in the original's.
  package static let blockSize = 1 << 20
  /// Bytes of a block's header: raw size and stored size.
  package static let blockHeaderSize = 16

  /// The first bytes of a container of ``blockSize``.
  package static func header(_ algorithm: Algorithm) -> [UInt8] {
    Array("pbz".utf8) + [algorithm.rawValue] + bigEndian(UInt64(blockSize))
  }

  /// The header of a block. Equal sizes mark a stored block.
  package static func blockHeader(raw: Int, stored: Int) -> [UInt8] {
    bigEndian(UInt64(raw)) + bigEndian(UInt64(stored))
  }

  /// The most bytes that a compressed block may take: a block is stored unless compression saves
  /// more than a sixteenth of it, as Apple's writer has it.
  package static func mostPacked(raw: Int) -> Int { max(0, raw - raw / 16 - 1) }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
