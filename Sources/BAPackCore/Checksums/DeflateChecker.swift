import CZlib

/// Inflates members of zip files piece by piece, and computes only their size and CRC-32.
///
/// Unchecked: used by one thread at a time, the one that reads the contents of a pack.
package final class DeflateChecker: @unchecked Sendable {
  /// The result for a piece.
  enum Outcome {
    /// More data is expected.
    case unfinished
    /// The deflate data is complete.
    case finished
    /// It can't be inflated, with the reason.
    case damaged(String)
    /// The output exceeds the limit.
    case limited
  }

  private var stream: ZStream
  private let output: Buffer
  /// The remaining limit for all members together.
  private var allowed: UInt64
  /// The uncompressed size of the member so far.
  private(set) var size: UInt64 = 0
  /// The CRC-32 of the member so far.
  private(set) var crc = CRC32()

  /// A checker that inflates at most `limit` bytes in all.
  package init(limit: UInt64) throws(Errno) {
    allowed = limit
    stream = try ZStream(.inflate)
    output = try Buffer(size: 1 << 16)
    // zlib allocates its window before the first output; only here may that fail.
    _ = stream.restart()
    var isAllocated = false
    unsafe ([0, 1, 0, 0xFE, 0xFF, 0] as [UInt8]).withUnsafeBytes { block in
      isAllocated = unsafe stream.inflate(part: block, by: output.bytes) { _ in true } == Z_OK
    }
    guard isAllocated else { throw .outOfMemory }
  }

  /// Begins a member.
  func restart() {
    _ = stream.restart()
    size = 0
    crc = CRC32()
  }

  /// Inflates bytes of `piece`, at most `count`.
  func inflate(_ piece: inout ContentsPiece, atMost count: UInt64) -> Outcome {
    let input = piece.bytes.prefix(Int(clamping: count))
    var isLimited = false
    let status = unsafe input.withUnsafeBytes { input in
      unsafe stream.inflate(part: input, by: output.bytes) { bytes in
        isLimited = UInt64(bytes.count) > allowed
        if isLimited { return false }
        allowed -= UInt64(bytes.count)
        size += UInt64(bytes.count)
        unsafe crc.update(bytes.assumingMemoryBound(to: UInt8.self))
        return true
      }
    }
    _ = piece.take(UInt64(input.count - stream.unreadInput))
    switch status {
    case _ where isLimited: return .limited
    case Z_STREAM_END: return .finished
    case Z_OK, Z_BUF_ERROR: return .unfinished
    default: return .damaged(stream.message ?? "zlib error \(status)")
    }
  }
}
