/// A field of an entry's header: a key of three letters, a subtype letter and a value.
///
/// Numbers have the smallest width that fits, as in Apple's archives.
package struct HeaderField {
  private let key: String
  private let value: Value

  private enum Value {
    case integer(UInt64)
    case string([UInt8])
    case time(ArchiveTime)
    case blob(size: UInt64)
  }

  /// An unsigned integer.
  package static func integer(_ key: String, _ value: UInt64) -> Self {
    Self(key: key, value: .integer(value))
  }

  /// Bytes without NUL, at most 65,535.
  package static func string(_ key: String, _ bytes: [UInt8]) -> Self {
    Self(key: key, value: .string(bytes))
  }

  /// A point in time.
  package static func time(_ key: String, _ time: ArchiveTime) -> Self {
    Self(key: key, value: .time(time))
  }

  /// A blob of `size` bytes that follows the header.
  package static func blob(_ key: String, size: UInt64) -> Self {
    Self(key: key, value: .blob(size: size))
  }

  /// The size of the field in bytes: key, subtype and value.
  var size: Int {
    switch value {
    case .integer(0...0xFF): 4 + 1
    case .integer(0...0xFFFF), .blob(size: 0...0xFFFF): 4 + 2
    case .integer(0...0xFFFF_FFFF), .blob(size: 0...0xFFFF_FFFF): 4 + 4
    case .integer, .blob: 4 + 8
    case .string(let bytes): 4 + 2 + bytes.count
    case .time(let time): 4 + 8 + (time.nanoseconds == 0 ? 0 : 4)
    }
  }

  /// Appends the bytes of the field.
  package func append(to header: inout [UInt8]) {
    header += key.utf8
    switch value {
    case .integer(let value):
      switch value {
      case 0...0xFF: appendNumber(value, "1", 1, to: &header)
      case 0...0xFFFF: appendNumber(value, "2", 2, to: &header)
      case 0...0xFFFF_FFFF: appendNumber(value, "4", 4, to: &header)
      default: appendNumber(value, "8", 8, to: &header)
      }
    case .string(let bytes):
      appendNumber(UInt64(bytes.count), "P", 2, to: &header)
      header += bytes
    case .time(let time):
      let seconds = UInt64(bitPattern: time.seconds)
      appendNumber(seconds, time.nanoseconds == 0 ? "S" : "T", 8, to: &header)
      if time.nanoseconds != 0 { appendLittleEndian(UInt64(time.nanoseconds), 4, to: &header) }
    case .blob(let size):
      switch size {
      case 0...0xFFFF: appendNumber(size, "A", 2, to: &header)
      case 0...0xFFFF_FFFF: appendNumber(size, "B", 4, to: &header)
      default: appendNumber(size, "C", 8, to: &header)
      }
    }
  }
}

/// A point in time as stored in entries.
package struct ArchiveTime: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var seconds: Int64
  /// Nanoseconds, less than 1,000,000,000.
  package var nanoseconds: UInt32

  /// `seconds` and `nanoseconds` after 1970-01-01T00:00:00Z.
  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

private func appendNumber(
  _ value: UInt64, _ subtype: Unicode.Scalar, _ width: Int, to header: inout [UInt8]
) {
  header.append(UInt8(ascii: subtype))
  appendLittleEndian(value, width, to: &header)
}

/// Appends the low `width` bytes of `value`, least significant first.
func appendLittleEndian(_ value: UInt64, _ width: Int, to bytes: inout [UInt8]) {
  for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
}
