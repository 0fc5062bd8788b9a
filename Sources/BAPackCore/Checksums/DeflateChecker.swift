import CZlib

/// Inflates members of zip files piece by piece, and keeps nothing of them but size and CRC-32.
///
/// Unchecked: it is used by one thread at a time, the one that reads the contents of a pack.
package final class DeflateChecker: @unchecked Sendable {
  /// What became of a piece.
  enum Outcome {
    /// There is more to come.
    case unfinished
    /// The deflate data is complete.
    case finished
    /// It can't be inflated; why.
    case damaged(String)
    /// More bytes come of it than are allowed.
    case limited
  }

  private var stream: ZStream
  private let output: Buffer
  /// Bytes that may still come of all members together.
  private var allowed: UInt64
  /// The size of what the member holds, so far.
  private(set) var size: UInt64 = 0
  /// The CRC-32 of what the member holds, so far.
  private(set) var crc = CRC32()

  /// One that inflates at most `limit` bytes in all.
  package init(limit: UInt64) throws(Errno) {
    allowed = limit
    stream = try ZStream(.inflate)
    output = try Buffer(size: 1 << 16)
    // zlib allocates its window with the first output, which may fail only here.
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
