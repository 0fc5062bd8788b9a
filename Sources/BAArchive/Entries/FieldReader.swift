/// Reads the fields of one header in order.
///
/// Unknown keys are read like all others, since the subtype determines the length.
struct FieldReader {
  private let header: [UInt8]
  private var position: Int
  private let place: ArchivePlace

  /// The fields of `header`, starting at `start`; `place` is that of the entry.
  init(_ header: [UInt8], from start: Int, at place: ArchivePlace) {
    self.header = header
    position = start
    self.place = place
  }

  /// The next field; nil at the end of the header.
  mutating func next() throws(ArchiveDamage) -> (
    key: String, value: FieldValue, place: ArchivePlace
  )? {
    guard position < header.count else { return nil }
    let start = position
    let name = try take(4, "a field's name", from: start)
    guard name.prefix(3).allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw damage(
        .fieldKey, "the field key '\(printable(name.prefix(3)))' is not printable ASCII", at: start)
    }
    let key = String(decoding: name.prefix(3), as: UTF8.self)
    let subtype = name[name.startIndex + 3]
    let value = try value(key, Unicode.Scalar(subtype), from: start)
    if let allowed = subtypes(of: key), !allowed.utf8.contains(subtype) {
      throw damage(
        .fieldType, "the field \(key) can't have the subtype '\(printable([subtype]))'", at: start)
    }
    return (key, value, shifted(start))
  }

  private mutating func value(
    _ key: String, _ subtype: Unicode.Scalar, from start: Int
  ) throws(ArchiveDamage) -> FieldValue {
    if let size = digestSizes[subtype] { return .digest(Array(try take(size, key, from: start))) }
    switch subtype {
    case "*": return .flag
    case "1", "2", "4", "8":
      return .integer(try number(Int(subtype.value) - 0x30, key, start))
    case "P":
      let bytes = try take(Int(try number(2, key, start)), key, from: start)
      guard !bytes.contains(0) else {
        throw damage(
          .stringNUL, "the field \(key) holds a NUL byte: '\(printable(bytes))'", at: start)
      }
      return .string(Array(bytes))
    case "S", "T":
      let seconds = Int64(bitPattern: try number(8, key, start))
      let nanoseconds = subtype == "T" ? UInt32(try number(4, key, start)) : 0
      guard nanoseconds < 1_000_000_000 else {
        throw damage(
          .nanoseconds, "the field \(key) has \(grouped(nanoseconds)) nanoseconds in a second",
          at: start)
      }
      return .time(ArchiveTime(seconds: seconds, nanoseconds: nanoseconds))
    case "A": return .blob(size: try number(2, key, start))
    case "B": return .blob(size: try number(4, key, start))
    case "C": return .blob(size: try number(8, key, start))
    default:
      throw damage(
        .unknownSubtype,
        "the field \(key) has the unknown subtype '\(printable(Array(String(subtype).utf8)))', "
          + "so its length is unknown",
        at: start)
    }
  }

  /// A little-endian number of `width` bytes, at most eight.
  private mutating func number(
    _ width: Int, _ key: String, _ start: Int
  ) throws(ArchiveDamage) -> UInt64 {
    try take(width, key, from: start).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(
    _ count: Int, _ what: String, from start: Int
  ) throws(ArchiveDamage) -> ArraySlice<UInt8> {
    guard count <= header.count - position else {
      throw damage(.fieldCut, "\(what) is cut by the end of its header", at: start)
    }
    defer { position += count }
    return header[position..<position + count]
  }

  private func shifted(_ offset: Int) -> ArchivePlace {
    var place = place
    // Headers have at most 65,535 bytes, and a stream too long for this can't be read.
    place.stream = place.stream.map { $0 &+ UInt64(offset) }
    return place
  }

  private func damage(_ reason: DamageReason, _ message: String, at offset: Int) -> ArchiveDamage {
    ArchiveDamage(reason, message, at: shifted(offset))
  }
}

/// The subtypes that a key of the format may have; nil for other keys, which may have any.
func subtypes(of key: String) -> String? {
  switch key {
  case "TYP", "UID", "GID", "MOD", "FLG", "SIZ", "DUZ", "IDX", "IDZ", "INO", "NLK", "HLC", "CLC",
    "SLC", "DEV":
    "1248"
  case "PAT", "LNK": "P"
  case "MTM", "CTM", "BTM": "ST"
  case "DAT", "XAT", "ACL", "YAF", "YEC": "ABC"
  case "CKS": "F"
  case "SH1": "G"
  case "SH2": "H"
  case "SH3": "I"
  case "SH5": "J"
  default: nil
  }
}
