/// A field of an entry's header: a key of three letters, a subtype letter and a value.
///
/// Numbers have the smallest width that fits, as in Apple's archives.
package enum HeaderField {
  /// An unsigned integer.
  case integer(String, UInt64)
  /// Bytes without NUL, at most 65,535.
  case string(String, [UInt8])
  case time(String, ArchiveTime)
  /// A blob of this size, which follows the header.
  case blob(String, size: UInt64)

  private var key: String {
    switch self {
    case .integer(let key, _), .string(let key, _), .time(let key, _), .blob(let key, _): key
    }
  }

  /// The size of the field in bytes: key, subtype and value.
  var size: Int {
    switch self {
    case .integer(_, 0...0xFF): 4 + 1
    case .integer(_, 0...0xFFFF), .blob(_, size: 0...0xFFFF): 4 + 2
    case .integer(_, 0...0xFFFF_FFFF), .blob(_, size: 0...0xFFFF_FFFF): 4 + 4
    case .integer, .blob: 4 + 8
    case .string(_, let bytes): 4 + 2 + bytes.count
    case .time(_, let time): 4 + 8 + (time.nanoseconds == 0 ? 0 : 4)
    }
  }

  package func append(to header: inout [UInt8]) {
    header += key.utf8
    switch self {
    case .integer(_, let value):
      switch value {
      case 0...0xFF: appendNumber(value, "1", 1, to: &header)
      case 0...0xFFFF: appendNumber(value, "2", 2, to: &header)
      case 0...0xFFFF_FFFF: appendNumber(value, "4", 4, to: &header)
      default: appendNumber(value, "8", 8, to: &header)
      }
    case .string(_, let bytes):
      appendNumber(UInt64(bytes.count), "P", 2, to: &header)
      header += bytes
    case .time(_, let time):
      let seconds = UInt64(bitPattern: time.seconds)
      appendNumber(seconds, time.nanoseconds == 0 ? "S" : "T", 8, to: &header)
      if time.nanoseconds != 0 { appendLittleEndian(UInt64(time.nanoseconds), 4, to: &header) }
    case .blob(_, let size):
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

  /// The default time of entries, without `SOURCE_DATE_EPOCH`: 2001-01-01T00:00:00Z, Apple's
  /// reference date. It is constant so that packs don't change if only times do.
  package static let constant = ArchiveTime(seconds: 978_307_200)
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

extension ArchiveTime: CustomStringConvertible {
  /// The time in UTC, to the second: `2001-01-01 00:00:00`.
  package var description: String {
    let (date, clock) = dateAndSecond
    return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day)) "
      + "\(twoDigits(clock / 3600)):\(twoDigits(clock / 60 % 60)):\(twoDigits(clock % 60))"
  }

  /// The day in the Gregorian calendar, and the second of the day. Years start in March, so that
  /// the leap day comes last; 400 years have 146,097 days.
  private var dateAndSecond: (date: (year: String, month: Int64, day: Int64), second: Int64) {
    let second = ((seconds % 86400) + 86400) % 86400
    // No overflow: the divisor is 86,400.
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
    return (((year < 0 ? "-" : "") + padded, month >= 10 ? month - 9 : month + 3, day), second)
  }
}

private func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
