import CZlib

/// The CRC-32 of PNG and zip (ISO 3309), computed by zlib.
struct CRC32 {
  /// The CRC of the bytes so far.
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe update($0) }
  }

  mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Without a buffer, zlib returns the initial value.
    guard let start = bytes.baseAddress else { return }
    value = unsafe UInt32(truncatingIfNeeded: crc32_z(uLong(value), start, bytes.count))
  }
}

/// A CRC of up to 32 bits that is computed from the highest bit down and starts at 0. Values are
/// left-aligned in 32 bits.
package struct ForwardCRC: Sendable {
  /// For Ogg pages: 32 bits.
  package static let oggPage = ForwardCRC(polynomial: 0x04C1_1DB7)
  /// For FLAC frames: 16 bits.
  package static let flacFrame = ForwardCRC(polynomial: 0x8005 << 16)
  /// For headers of FLAC frames: 8 bits.
  package static let flacHeader = ForwardCRC(polynomial: 0x07 << 24)

  /// Eight tables of 256 values: table k has the CRC of each byte followed by k zero bytes.
  private let tables: [UInt32]

  private init(polynomial: UInt32) {
    var tables: [UInt32] = []
    for byte in 0..<256 as Range<UInt32> {
      tables.append(
        (0..<8).reduce(byte << 24) { crc, _ in
          crc << 1 ^ (crc & 1 << 31 == 0 ? 0 : polynomial)
        })
    }
    for index in 256..<8 * 256 {
      let last = tables[index - 256]
      tables.append(last << 8 ^ tables[Int(last >> 24)])
    }
    self.tables = tables
  }

  /// The CRC of a message with the CRC `crc`, followed by `bytes`.
  package func updated(_ crc: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
    // SAFETY: eight bytes are loaded only if eight are left, and a table has a value for each byte.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe tables.withUnsafeBufferPointer { tables in
        var crc = crc
        var index = 0
        while index + 8 <= bytes.count {
          let word = unsafe UInt64(
            bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
          let mixed = word ^ UInt64(crc) << 32
          crc = 0
          for table in 0..<8 {
            crc ^= unsafe tables[table << 8 | Int(truncatingIfNeeded: mixed >> (8 * table) & 0xFF)]
          }
          index += 8
        }
        while index < bytes.count {
          crc = unsafe crc << 8 ^ tables[Int(crc >> 24 ^ UInt32(bytes[index]))]
          index += 1
        }
        return crc
      }
    }
  }
}
