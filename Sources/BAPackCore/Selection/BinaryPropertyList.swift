/// Reads numbers from the top-level dictionary of a small binary property list, such as iCloud's
/// placeholders.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int

  /// Nil unless `bytes` have the header and trailer of a binary property list.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 8 + 32, bytes.count <= 1 << 16 else {
      return nil
    }
    let trailer = bytes.suffix(32)
    func field(at offset: Int) -> Int? {
      Int(exactly: integer(bigEndian: trailer.dropFirst(offset).prefix(8)))
    }
    guard let count = field(at: 8), let top = field(at: 16), let table = field(at: 24) else {
      return nil
    }
    self.bytes = bytes
    offsetSize = Int(trailer[trailer.startIndex + 6])
    referenceSize = Int(trailer[trailer.startIndex + 7])
    (self.count, self.top, self.table) = (count, top, table)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count else {
      return nil
    }
  }

  /// The number with this key; nil if there is none, or the list is damaged.
  func number(_ key: String) -> UInt64? {
    guard let top = object(top), bytes[top] >> 4 == 0xD, let (pairs, start) = length(at: top) else {
      return nil
    }
    for pair in 0..<min(pairs, count) {
      guard let name = reference(start, pair), bytes[name] >> 4 == 0x5,
        let (length, first) = length(at: name), let text = slice(first, length),
        text.elementsEqual(key.utf8)
      else { continue }
      guard let value = reference(start, pairs + pair), bytes[value] >> 4 == 0x1 else { return nil }
      return slice(value + 1, 1 << Int(bytes[value] & 0xF)).flatMap {
        $0.count <= 8 ? integer(bigEndian: $0) : nil
      }
    }
    return nil
  }

  /// The offset of the object with this index.
  private func object(_ number: Int) -> Int? {
    guard number < count, let field = slice(table, offsetSize, number),
      let offset = Int(exactly: integer(bigEndian: field)), offset < bytes.count
    else { return nil }
    return offset
  }

  /// The object that reference `index` of those at `start` refers to.
  private func reference(_ start: Int, _ index: Int) -> Int? {
    slice(start, referenceSize, index).flatMap { Int(exactly: integer(bigEndian: $0)) }
      .flatMap(object)
  }

  /// The count in the marker at `offset`, and the offset after it.
  private func length(at offset: Int) -> (Int, start: Int)? {
    let short = Int(bytes[offset] & 0xF)
    guard short == 0xF else { return (short, offset + 1) }
    guard let marker = slice(offset + 1, 1)?.first, marker >> 4 == 1, marker & 0xF <= 3,
      let field = slice(offset + 2, 1 << Int(marker & 0xF)),
      let length = Int(exactly: integer(bigEndian: field)), length <= bytes.count
    else { return nil }
    return (length, offset + 2 + field.count)
  }

  /// Field `index` of those with `size` bytes that begin at `start`; nil if it is out of bounds.
  private func slice(_ start: Int, _ size: Int, _ index: Int = 0) -> ArraySlice<UInt8>? {
    let (distance, overflow) = size.multipliedReportingOverflow(by: index)
    let (first, overflows) = start.addingReportingOverflow(distance)
    guard !overflow, !overflows, first >= 0, first <= bytes.count, size <= bytes.count - first
    else {
      return nil
    }
    return bytes[first..<(first + size)]
  }
}
