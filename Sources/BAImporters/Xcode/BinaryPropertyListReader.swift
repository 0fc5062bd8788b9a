import BAPackCore

/// Parses binary property lists, version 00, as in built apps.
///
/// Objects refer to each other by number, so a small file may contain a large tree, or none that
/// ends: the depth, the number of values and the size of all strings are limited.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objects: Int
  private let offsets: Int
  private var valuesLeft = 1 << 16
  private var textLeft = 1 << 22

  /// Parses `source`. Values have no range in it. Throws its first error.
  static func read(_ source: SourceText) throws(Finding) -> JSONValue {
    var reader = try BinaryPropertyListReader(source)
    return try reader.value(Int(clamping: reader.number(at: source.bytes.count - 16, 8)), depth: 0)
  }

  static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  private init(_ source: SourceText) throws(Finding) {
    bytes = source.bytes
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
      throw Self.damage("it is cut, or of another version than 00")
    }
    // The trailer has 32 bytes.
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    objects = Int(clamping: integer(bigEndian: bytes[trailer + 8..<trailer + 16]))
    offsets = Int(clamping: integer(bigEndian: bytes[trailer + 24..<trailer + 32]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), offsets <= trailer,
      objects > 0, objects <= (trailer - offsets) / offsetSize
    else { throw Self.damage("the table of its objects is outside the file") }
  }

  private mutating func value(_ index: Int, depth: Int) throws(Finding) -> JSONValue {
    guard depth <= PropertyListLimits.depth else {
      throw Self.damage("values are nested more than \(PropertyListLimits.depth) deep")
    }
    guard valuesLeft > 0 else { throw Self.damage("it has too many values") }
    valuesLeft -= 1
    guard index >= 0, index < objects else { throw Self.damage("an object is missing") }
    let place = number(at: offsets + index * offsetSize, offsetSize)
    // After the first eight bytes, and before the table.
    guard place >= 8, place < offsets else { throw Self.damage("an object is outside the file") }
    return JSONValue(try content(at: Int(place), depth), range: 0..<0)
  }

  private mutating func content(
    at place: Int, _ depth: Int
  ) throws(Finding) -> JSONValue.Content {
    let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 15))
    switch (kind, low) {
    case (0, 8): return .bool(false)
    case (0, 9): return .bool(true)
    case (0, _): return .null
    case (1, 0...4):
      let size = 1 << low
      let range = try range(from: place + 1, size)
      let number = integer(bigEndian: bytes[range].suffix(8))
      // Only integers of eight bytes have a sign; larger ones are unsigned.
      return .number(size == 8 ? JSONNumber(Int64(bitPattern: number)) : JSONNumber(number))
    case (2, 2):
      let bits = UInt32(integer(bigEndian: bytes[try range(from: place + 1, 4)]))
      return .number(JSONNumber(text: "\(Float(bitPattern: bits))"))
    case (2, 3):
      let bits = integer(bigEndian: bytes[try range(from: place + 1, 8)])
      return .number(JSONNumber(text: "\(Double(bitPattern: bits))"))
    case (3, 3): return .null
    case (8, _): return .null
    default: break
    }
    let (count, start) = try count(at: place, low)
    switch kind {
    case 4:
      _ = try range(from: start, count)
      return .null
    case 5, 6:
      let size = try range(from: start, kind == 5 ? count : 2 * count)
      textLeft -= size.count
      guard textLeft >= 0 else { throw Self.damage("its strings are too long") }
      if kind == 5 { return .string(String(decoding: bytes[size], as: UTF8.self)) }
      let units = stride(from: size.lowerBound, to: size.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0xA, 0xC:
      var elements: [JSONValue] = []
      for element in try references(at: start, count) {
        elements.append(try value(element, depth: depth + 1))
      }
      return .array(elements)
    case 0xD:
      let references = try references(at: start, 2 * count)
      var members: [JSONMember] = []
      for (key, element) in zip(references[..<count], references[count...]) {
        guard let name = try value(key, depth: depth + 1).string else {
          throw Self.damage("a key is not a string")
        }
        members.append(
          JSONMember(name, try value(element, depth: depth + 1)))
      }
      return .object(members)
    default: throw Self.damage("an object has an unknown type")
    }
  }

  /// The number of elements of the object at `place`, and where they start. 15 means that an integer
  /// with the number follows.
  private func count(at place: Int, _ low: Int) throws(Finding) -> (Int, Int) {
    guard low == 15 else { return (low, place + 1) }
    let marker = try range(from: place + 1, 1).lowerBound
    guard bytes[marker] >> 4 == 1, bytes[marker] & 15 <= 3 else {
      throw Self.damage("a length is not an integer")
    }
    let size = try range(from: marker + 1, 1 << Int(bytes[marker] & 15))
    let count = integer(bigEndian: bytes[size])
    guard count <= bytes.count else { throw Self.damage("an object is longer than the file") }
    return (Int(count), size.upperBound)
  }

  private func references(at start: Int, _ count: Int) throws(Finding) -> [Int] {
    guard count <= 2 * valuesLeft else { throw Self.damage("it has too many values") }
    let range = try range(from: start, count * referenceSize)
    return (0..<count).map {
      Int(clamping: number(at: range.lowerBound + $0 * referenceSize, referenceSize))
    }
  }

  /// The range of `count` bytes, which are before the table.
  private func range(from start: Int, _ count: Int) throws(Finding) -> Range<Int> {
    guard start <= offsets, count <= offsets - start else {
      throw Self.damage("an object is longer than the file")
    }
    return start..<(start + count)
  }

  private func number(at offset: Int, _ size: Int) -> UInt64 {
    integer(bigEndian: bytes[offset..<offset + size])
  }

  private static func damage(_ reason: String) -> Finding {
    Finding(.propertyListSyntax, "the binary property list is damaged: \(reason)", at: nil)
  }
}
