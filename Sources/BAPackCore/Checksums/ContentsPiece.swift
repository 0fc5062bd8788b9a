/// The next bytes of a file that arrives in pieces.
struct ContentsPiece {
  /// The offset of `bytes` in the file.
  private(set) var position: UInt64
  /// The bytes that were not consumed yet.
  private(set) var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>, at position: UInt64) {
    self.bytes = bytes
    self.position = position
  }

  /// Consumes the next bytes, at most `count`.
  mutating func take(_ count: UInt64) -> ArraySlice<UInt8> {
    let taken = bytes.prefix(Int(clamping: count))
    bytes = bytes[taken.endIndex...]
    position += UInt64(taken.count)
    return taken
  }

  /// Consumes all bytes.
  mutating func takeAll() -> ArraySlice<UInt8> { take(UInt64(bytes.count)) }
}

/// A part of a file with a known size, collected from one or more pieces.
struct FilePart {
  private(set) var bytes: [UInt8] = []
  /// The offset in the file.
  private(set) var start: UInt64 = 0

  /// Adds bytes of `piece` until there are `count`; returns whether it is complete.
  mutating func fill(_ count: Int, from piece: inout ContentsPiece) -> Bool {
    if bytes.isEmpty { start = piece.position }
    bytes += piece.take(UInt64(max(0, count - bytes.count)))
    return bytes.count >= count
  }

  /// Begins the next part with `bytes`, at offset `start` of the file.
  mutating func begin(with bytes: [UInt8], at start: UInt64) {
    self.bytes = bytes
    self.start = start
  }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// The little-endian number of `width` bytes at `offset`; missing bytes are 0.
  func number(_ width: Int, at offset: Int) -> UInt64 {
    bytes.dropFirst(offset).prefix(width).littleEndian
  }
}

/// Searches for a signature of four bytes, which may span several pieces.
struct SignatureSearch {
  /// The last four bytes as a little-endian number: the signature after a successful search.
  private(set) var last: UInt64 = 0

  /// Starts a search after `bytes`; the last three may be the start of the signature.
  init(after bytes: some Collection<UInt8> = []) { last = Array(bytes.suffix(4)).littleEndian }

  /// Consumes bytes of `piece` up to the end of a signature, four bytes whose little-endian number
  /// satisfies `isWanted`, and returns whether there is one.
  mutating func find(in piece: inout ContentsPiece, where isWanted: (UInt64) -> Bool) -> Bool {
    var last = last
    defer { self.last = last }
    for (index, byte) in piece.bytes.enumerated() {
      last = last >> 8 | UInt64(byte) << 24
      if isWanted(last) {
        _ = piece.take(UInt64(index + 1))
        return true
      }
    }
    _ = piece.takeAll()
    return false
  }
}

extension Sequence<UInt8> {
  /// The number encoded in at most eight little-endian bytes.
  var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// A CRC as text for messages.
func hexadecimal(_ crc: UInt32) -> String {
  hexadecimal((0..<4).map { UInt8(truncatingIfNeeded: crc >> (24 - 8 * $0)) })
}
