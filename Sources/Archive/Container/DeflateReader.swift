import CZlib

/// Inflates raw deflate data (RFC 1951) that is read piece by piece, as in zip archives.
package final class DeflateReader {
  private var stream: ZStream
  private let nextPiece: () throws -> [UInt8]
  private var piece: [UInt8] = []
  /// The number of bytes of `piece` that were inflated.
  private var used = 0
  private var isAtEnd = false

  /// Reads from `nextPiece`, which returns no bytes at the end. Fails with ``Errno/outOfMemory``.
  package init(_ nextPiece: @escaping () throws -> [UInt8]) throws(Errno) {
    stream = try ZStream(.inflate)
    self.nextPiece = nextPiece
  }

  /// The next `count` bytes, or fewer at the end of the stream.
  package func read(_ count: Int) throws -> [UInt8] {
    try unsafe [UInt8](upTo: count) { (buffer: UnsafeMutableRawBufferPointer) throws -> Int in
      var done = 0
      while done < buffer.count, !isAtEnd {
        if used == piece.count {
          (piece, used) = (try nextPiece(), 0)
          if piece.isEmpty { throw damage(.zlibCut, "is cut") }
        }
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let status = unsafe piece.withUnsafeBytes { bytes in
          unsafe stream.inflate(piece: UnsafeRawBufferPointer(rebasing: bytes[used...]), into: rest)
        }
        used = piece.count - stream.unreadInput
        done = buffer.count - stream.room
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isAtEnd = true
        default:
          throw damage(.zlibData, "is damaged (\(stream.message ?? "zlib error \(status)"))")
        }
      }
      return done
    }
  }

  private func damage(_ reason: DamageReason, _ message: String) -> ArchiveDamage {
    ArchiveDamage(reason, "the deflate data \(message)", at: ArchivePlace())
  }
}
