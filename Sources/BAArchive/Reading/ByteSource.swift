/// Bytes that can be read anywhere: those behind a URL that serves ranges, for example.
///
/// What it returns is trusted no more than a file: fewer or other bytes than it promises are errors.
public protocol ByteSource: Sendable {
  /// The number of bytes. It is asked for once, when a pack is opened.
  var size: UInt64 { get throws }
  /// The bytes of `range`, all of them, which is within the size and not empty. Several threads may
  /// ask at once.
  func read(_ range: Range<UInt64>) throws -> [UInt8]
}

/// Bytes in memory.
package struct BytesInMemory: ByteSource {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var size: UInt64 { UInt64(bytes.count) }

  package func read(_ range: Range<UInt64>) -> [UInt8] {
    Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

extension ByteSource {
  /// The bytes of `range`; fails if there are more or fewer.
  func all(_ range: Range<UInt64>) throws -> [UInt8] {
    if range.isEmpty { return [] }
    let bytes = try read(range)
    guard bytes.count == range.count else {
      throw PackagingError.source(
        "the source gave \(counted(bytes.count, "byte")) for \(grouped(range.count)) from byte "
          + "\(grouped(range.lowerBound)) on")
    }
    return bytes
  }

  /// Fills `buffer` from `offset`, up to the `size`; returns the number of bytes. Those of `start`,
  /// which begins the source, aren't read again.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64, size: UInt64, start: [UInt8]
  ) throws -> Int {
    guard offset < size else { return 0 }
    let end = offset + min(size - offset, UInt64(buffer.count))
    let known = min(max(offset, UInt64(start.count)), end)
    let first = offset < known ? start[Int(offset)..<Int(known)] : []
    // SAFETY: both parts together are `end - offset` bytes, which is at most the buffer's count.
    unsafe buffer.copyBytes(from: first)
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...])
      .copyBytes(from: try all(known..<end))
    return Int(end - offset)
  }
}
