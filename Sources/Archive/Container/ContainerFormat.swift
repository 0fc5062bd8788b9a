/// The layout of a container: a header, then blocks, each with its own header. Integers are
/// big-endian. The container ends at the end of the file.
package enum ContainerFormat {
  /// The uncompressed size of all blocks but the last in containers written here, and by Apple's
  /// tool.
  package static let blockSize = 1 << 20
  /// The size of a block's header: uncompressed size and stored size.
  package static let blockHeaderSize = 16

  /// The header of a container with blocks of ``blockSize``.
  package static func header(_ algorithm: Algorithm) -> [UInt8] {
    Array("pbz".utf8) + [algorithm.rawValue] + bigEndian(UInt64(blockSize))
  }

  /// The header of a block. The sizes of an uncompressed block are equal.
  package static func blockHeader(raw: Int, stored: Int) -> [UInt8] {
    bigEndian(UInt64(raw)) + bigEndian(UInt64(stored))
  }

  /// The maximum size of a compressed block: a block is stored unless compression saves more than a
  /// sixteenth, as in Apple's writer.
  package static func mostPacked(raw: Int) -> Int { max(0, raw - raw / 16 - 1) }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
