import BAPackCore
import CBAZlib
import Testing

/// A small reader for the output of `Packager`, independent of the library.
struct PackedEntries {
  struct Entry: Equatable {
    let path: String
    let type: Character
    let mode: Int
    let contents: [UInt8]
  }

  /// The algorithm of the container.
  let letter: Character
  /// The uncompressed size and the stored size of each block.
  private(set) var blocks: [[Int]] = []
  /// The archive stream.
  private(set) var stream: [UInt8] = []
  /// The entries in the order of the stream.
  private(set) var entries: [Entry] = []

  init(_ container: [UInt8]) throws {
    try #require(container.count >= 12)
    try #require(Array(container[..<3]) == Array("pbz".utf8))
    letter = Character(Unicode.Scalar(container[3]))
    try #require(Self.bigEndian(container[4..<12]) == 1 << 20)
    var rest = container[12...]
    while !rest.isEmpty {
      try #require(rest.count >= 16)
      let (raw, stored) = (
        Self.bigEndian(rest.prefix(8)), Self.bigEndian(rest.dropFirst(8).prefix(8))
      )
      rest = rest.dropFirst(16)
      try #require(stored <= rest.count && stored <= raw && raw <= 1 << 20)
      blocks.append([raw, stored])
      stream +=
        raw == stored ? Array(rest.prefix(stored)) : try Self.inflate(rest.prefix(stored), raw)
      rest = rest.dropFirst(stored)
    }
    try readEntries()
  }

  private mutating func readEntries() throws {
    var rest = stream[...]
    while !rest.isEmpty {
      try #require(rest.starts(with: "AA01".utf8))
      let size = Self.littleEndian(rest.dropFirst(4).prefix(2))
      var header = rest.prefix(size).dropFirst(6)
      rest = rest.dropFirst(size)
      var fields: [String: (number: Int, bytes: [UInt8])] = [:]
      while !header.isEmpty {
        let key = String(decoding: header.prefix(3), as: UTF8.self)
        let subtype = Character(Unicode.Scalar(header[header.startIndex + 3]))
        header = header.dropFirst(4)
        let widths: [Character: Int] = ["1": 1, "2": 2, "S": 8, "T": 12, "A": 2, "B": 4, "C": 8]
        if subtype == "P" {
          let length = Self.littleEndian(header.prefix(2))
          fields[key] = (0, Array(header.dropFirst(2).prefix(length)))
          header = header.dropFirst(2 + length)
        } else {
          let width = try #require(widths[subtype])
          fields[key] = (Self.littleEndian(header.prefix(min(width, 8))), [])
          header = header.dropFirst(width)
        }
      }
      let length = fields["DAT"]?.number ?? 0
      try #require(length <= rest.count)
      entries.append(
        Entry(
          path: String(decoding: try #require(fields["PAT"]).bytes, as: UTF8.self),
          type: Character(Unicode.Scalar(UInt8(try #require(fields["TYP"]).number))),
          mode: try #require(fields["MOD"]).number, contents: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
  }

  private static func inflate(_ packed: ArraySlice<UInt8>, _ size: Int) throws -> [UInt8] {
    let packed = Array(packed)
    var raw = [UInt8](repeating: 0, count: size)
    var count = uLong(size)
    try #require(unsafe uncompress(&raw, &count, packed, uLong(packed.count)) == Z_OK)
    try #require(count == size)
    return raw
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
