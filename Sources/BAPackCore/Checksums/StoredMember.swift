/// The data of a stored member of a zip file whose size follows it. The data ends where a data
/// descriptor follows that states its exact size.
struct StoredMember {
  private let descriptorSize: Int
  private let isZIP64: Bool
  /// The last 24 bytes as little-endian numbers, oldest first.
  private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
  /// The last bytes, which may be the descriptor.
  private var tail: [UInt8] = []
  private var count: UInt64 = 0
  private(set) var crc = CRC32()

  /// The size of the data, once its end is found.
  var size: UInt64 { count - UInt64(descriptorSize) }

  init(isZIP64: Bool) {
    self.isZIP64 = isZIP64
    descriptorSize = isZIP64 ? 24 : 16
  }

  /// Consumes bytes of `piece` up to the end of the descriptor; returns the CRC-32 in it, or nil if
  /// it is not complete yet.
  mutating func read(_ piece: inout ContentsPiece) -> UInt32? {
    var found: (index: Int, crc: UInt32)?
    for (index, byte) in piece.bytes.enumerated() {
      words.0 = words.0 >> 8 | words.1 << 56
      words.1 = words.1 >> 8 | words.2 << 56
      words.2 = words.2 >> 8 | UInt64(byte) << 56
      count += 1
      if let crc = statedCRC {
        found = (index, crc)
        break
      }
    }
    let taken = piece.take(UInt64(found.map { $0.index + 1 } ?? piece.bytes.count))
    if taken.count >= descriptorSize {
      crc.update(tail[...])
      crc.update(taken.dropLast(descriptorSize))
      tail = Array(taken.suffix(descriptorSize))
    } else {
      tail += taken
      let data = tail.dropLast(descriptorSize)
      crc.update(data)
      tail.removeFirst(data.count)
    }
    return found?.crc
  }

  /// The CRC-32 in the descriptor, if the last bytes are one.
  private var statedCRC: UInt32? {
    let (signature, packedSize, size) =
      isZIP64 ? words : (words.1, words.2 & 0xFFFF_FFFF, words.2 >> 32)
    guard signature & 0xFFFF_FFFF == ZIPRecord.descriptor, packedSize == size,
      count >= UInt64(descriptorSize), size == self.size
    else { return nil }
    return UInt32(signature >> 32)
  }
}
