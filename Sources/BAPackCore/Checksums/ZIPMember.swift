/// A member of a zip file, as one of its two headers describes it.
struct ZIPMember {
  /// Compression methods that can be checked.
  enum Method { case stored, deflated, other }

  let method: Method
  /// Whether a data descriptor with sizes and CRC-32 follows the data.
  let hasDescriptor: Bool
  /// Whether the data is encrypted.
  let isEncrypted: Bool
  /// Whether sizes in a data descriptor have 64 bits.
  let isZIP64: Bool
  let crc: UInt32
  private(set) var packedSize: UInt64
  private(set) var size: UInt64
  /// The offset of the local header in the file; 0 in a local header.
  private(set) var headerOffset: UInt64 = 0
  let name: ArraySlice<UInt8>

  /// Parses the header in `part`, which is complete including its extra fields: a local header, or
  /// one of the central directory, which has two more bytes before the same fields.
  init(_ part: FilePart, isCentral: Bool) {
    let shift = isCentral ? 2 : 0
    let flags = part.number(2, at: 6 + shift)
    isEncrypted = flags & 1 != 0
    hasDescriptor = flags & 8 != 0
    method =
      switch part.number(2, at: 8 + shift) {
      case 0: .stored
      case 8: .deflated
      default: .other
      }
    crc = UInt32(part.number(4, at: 14 + shift))
    packedSize = part.number(4, at: 18 + shift)
    size = part.number(4, at: 22 + shift)
    let nameSize = Int(part.number(2, at: 26 + shift))
    let extraSize = Int(part.number(2, at: 28 + shift))
    let start = isCentral ? ZIPRecord.centralSize : ZIPRecord.localSize
    name = part.bytes[start..<start + nameSize]
    let extra = part.bytes[(start + nameSize)..<(start + nameSize + extraSize)]
    if isCentral { headerOffset = part.number(4, at: 42) }
    var large = Self.field(1, of: extra)
    isZIP64 = large != nil
    // The extra field contains only those sizes that don't fit in the header.
    for value in [\ZIPMember.size, \.packedSize, \.headerOffset]
    where self[keyPath: value] == 0xFFFF_FFFF {
      guard let bytes = large?.prefix(8), bytes.count == 8 else { break }
      self[keyPath: value] = bytes.littleEndian
      large = large?.dropFirst(8)
    }
  }

  /// The contents of the extra field with this number.
  private static func field(_ number: UInt64, of extra: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var extra = extra
    while extra.count >= 4 {
      let size = Int(extra.dropFirst(2).prefix(2).littleEndian)
      let contents = extra.dropFirst(4).prefix(size)
      if extra.prefix(2).littleEndian == number { return contents }
      extra = extra.dropFirst(4 + size)
    }
    return nil
  }

  /// The name in messages.
  var shownName: String {
    let longest = 200
    return name.count > longest
      ? "\(printable(name.prefix(longest)))..." : printable(name)
  }
}

/// Signatures and fixed sizes of the records of a zip file.
enum ZIPRecord {
  /// `PK\3\4`, little-endian, like the others.
  static let local: UInt64 = 0x0403_4B50
  static let localSize = 30
  /// `PK\1\2`.
  static let central: UInt64 = 0x0201_4B50
  static let centralSize = 46
  /// `PK\7\8`.
  static let descriptor: UInt64 = 0x0807_4B50
  /// `PK\5\6`.
  static let end: UInt64 = 0x0605_4B50
  /// `PK\6\6`.
  static let end64: UInt64 = 0x0606_4B50
  /// `PK\6\7`.
  static let locator: UInt64 = 0x0706_4B50

  /// The size of the record that begins with `part`, as far as it is known; nil if it isn't a
  /// record.
  static func size(_ part: FilePart) -> Int? {
    guard part.bytes.count >= 4 else { return 4 }
    let signature = part.number(4, at: 0)
    switch signature {
    case local where part.bytes.count < localSize: return localSize
    case local: return localSize + Int(part.number(2, at: 26) + part.number(2, at: 28))
    case central where part.bytes.count < centralSize: return centralSize
    case central: return centralSize + Int(part.number(2, at: 28) + part.number(2, at: 30))
    case end: return 22
    case end64: return 56
    case locator: return 20
    default: return nil
    }
  }

  /// Whether `signature` begins a record other than a data descriptor.
  static func begins(with signature: UInt64) -> Bool {
    [local, central, end, end64].contains(signature)
  }
}

/// The local headers and data of a zip file's members, for comparison with its central directory.
/// Limited to the first members, so that memory is bounded.
struct ZIPDirectory {
  /// The values that both headers of a member contain.
  struct Entry {
    let crc: UInt32
    let packedSize: UInt64
    let size: UInt64
    /// The CRC-32 of the name.
    let name: UInt32
    /// Whether the data was checked and is correct.
    let isComparable: Bool
  }

  /// The offsets of local headers in the file, in order.
  private var starts: [UInt64] = []
  private var entries: [Entry] = []
  /// The number of members.
  private(set) var count: UInt64 = 0

  private static let maximumEntries = 1 << 16

  /// Whether all members were recorded.
  var isComplete: Bool { count == entries.count }

  mutating func append(_ entry: Entry, at start: UInt64) {
    count += 1
    guard entries.count < Self.maximumEntries else { return }
    starts.append(start)
    entries.append(entry)
  }

  /// The member whose local header is at `start`.
  func entry(at start: UInt64) -> Entry? {
    let index = starts.partitioningIndex { $0 >= start }
    return index < starts.count && starts[index] == start ? entries[index] : nil
  }
}
