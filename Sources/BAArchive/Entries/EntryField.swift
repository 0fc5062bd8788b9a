/// A field of an entry's header: a key of three letters, a subtype letter and a value.
package struct EntryField: Hashable, Sendable {
  package let key: String
  package let value: FieldValue
}

package enum FieldValue: Hashable, Sendable {
  /// A flag, which is true if present.
  case flag
  /// An unsigned integer of any width.
  case integer(UInt64)
  /// Bytes without NUL, at most 65,535.
  case string([UInt8])
  case time(ArchiveTime)
  /// A CRC-32 or a hash.
  case digest([UInt8])
  /// The size of a blob, whose bytes follow the header.
  case blob(size: UInt64)

  /// The size in memory outside the value itself.
  var memory: Int {
    switch self {
    case .string(let bytes), .digest(let bytes): 32 + bytes.count
    case .flag, .integer, .time, .blob: 0
    }
  }
}

// Numbers have the smallest width that fits, as in Apple's archives.
extension EntryField {
  package static func integer(_ key: String, _ value: UInt64) -> EntryField {
    EntryField(key: key, value: .integer(value))
  }

  package static func string(_ key: String, _ bytes: [UInt8]) -> EntryField {
    EntryField(key: key, value: .string(bytes))
  }

  package static func time(_ key: String, _ time: ArchiveTime) -> EntryField {
    EntryField(key: key, value: .time(time))
  }

  package static func blob(_ key: String, size: UInt64) -> EntryField {
    EntryField(key: key, value: .blob(size: size))
  }

  /// The size of the field in bytes: key, subtype and value.
  var size: Int {
    switch value {
    case .flag: 4
    case .integer(let number): 4 + width(of: number)
    case .string(let bytes): 4 + 2 + bytes.count
    case .time(let time): 4 + 8 + (time.nanoseconds == 0 ? 0 : 4)
    case .digest(let bytes): 4 + bytes.count
    case .blob(let size): 4 + max(2, width(of: size))
    }
  }

  package func append(to header: inout [UInt8]) {
    header += key.utf8
    switch value {
    case .flag: header.append(UInt8(ascii: "*"))
    case .integer(let number):
      let width = width(of: number)
      header.append(UInt8(ascii: "0") + UInt8(width))
      appendLittleEndian(number, width, to: &header)
    case .string(let bytes):
      header.append(UInt8(ascii: "P"))
      appendLittleEndian(UInt64(bytes.count), 2, to: &header)
      header += bytes
    case .time(let time):
      header.append(time.nanoseconds == 0 ? UInt8(ascii: "S") : UInt8(ascii: "T"))
      appendLittleEndian(UInt64(bitPattern: time.seconds), 8, to: &header)
      if time.nanoseconds != 0 { appendLittleEndian(UInt64(time.nanoseconds), 4, to: &header) }
    case .digest(let bytes):
      let subtype = digestSizes.first { $0.value == bytes.count }?.key
      header.append(UInt8(ascii: subtype ?? "J"))
      header += bytes
    case .blob(let size):
      let width = max(2, width(of: size))
      header.append(UInt8(ascii: width == 2 ? "A" : width == 4 ? "B" : "C"))
      appendLittleEndian(size, width, to: &header)
    }
  }

  private func width(of number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }
}

/// The sizes in bytes of digests, by subtype.
let digestSizes: [Unicode.Scalar: Int] = ["F": 4, "G": 20, "H": 32, "I": 48, "J": 64]

package struct ArchiveTime: Hashable, Sendable {
  package var seconds: Int64
  package var nanoseconds: UInt32

  /// `seconds` and `nanoseconds` after 1970-01-01T00:00:00Z.
  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The default time of entries, without `SOURCE_DATE_EPOCH`: 2001-01-01T00:00:00Z, Apple's
  /// reference date. It is constant so that packs don't change if only times do.
  package static let constant = ArchiveTime(seconds: 978_307_200)
  /// The seconds that entries of packs may have: those that every reader knows.
  package static let seconds = 0...Int(Int32.max) * 1000
}

/// Appends the low `width` bytes of `value`, least significant first.
func appendLittleEndian(_ value: UInt64, _ width: Int, to bytes: inout [UInt8]) {
  for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
}

extension ArchiveTime: CustomStringConvertible {
  /// The time in UTC, to the second: `2001-01-01 00:00:00`.
  package var description: String {
    let clock = ((seconds % 86400) + 86400) % 86400
    // Of the Gregorian calendar, with years that start in March, so that the leap day comes last; 400
    // years have 146,097 days. No overflow: the divisor is 86,400.
    let days = (seconds - seconds % 86400) / 86400 - (seconds % 86400 < 0 ? 1 : 0) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    let digits = String(year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return (year < 0 ? "-" : "") + padded
      + "-\(twoDigits(month >= 10 ? month - 9 : month + 3))-\(twoDigits(day)) "
      + "\(twoDigits(clock / 3600)):\(twoDigits(clock / 60 % 60)):\(twoDigits(clock % 60))"
  }
}

private func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
