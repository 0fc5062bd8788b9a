import CBAZlib

/// Decompresses the blocks of zlib containers, separate zlib streams (RFC 1950).
///
/// The deflate data is inflated raw, and the header and checksum are checked here: Apple's older
/// encoder is said to omit the Adler-32, which zlib itself would report as a truncated stream.
package final class Inflater: BlockDecoder {
  private var stream: ZStream

  package init() throws(Errno) { stream = try ZStream(.inflate) }

  /// Fills `raw` exactly from the payload of the block at `place`: a valid zlib header, complete
  /// deflate data, and optionally the Adler-32 of `raw`.
  package func decode(
    _ payload: UnsafeRawBufferPointer, of place: BlockPlace,
    into raw: UnsafeMutableRawBufferPointer
  ) throws(ArchiveDamage) {
    // SAFETY: there are bytes of a header where one is read.
    guard payload.count >= headerSize, unsafe isHeader(payload[0], payload[1]) else {
      let bytes = unsafe hexadecimal(payload.prefix(headerSize))
      throw place.damage(.zlibHeader, "'\(bytes)' is not a zlib header")
    }
    let deflated = unsafe UnsafeRawBufferPointer(rebasing: payload[headerSize...])
    let rest = try unsafe inflate(deflated, of: place, into: raw)
    let end = payload.count - rest
    switch rest {
    case 0:
      return
    case checksumSize:
      // SAFETY: there are exactly four bytes from `end` on.
      let stated = unsafe payload[end...].reduce(0) { $0 << 8 | UInt32($1) }
      let computed = unsafe adler(raw)
      guard stated == computed else {
        throw place.damage(
          .zlibChecksum,
          "the Adler-32 of the block's bytes is \(hex(computed)), but the block states \(hex(stated))",
          at: end)
      }
    case ..<checksumSize:
      throw place.damage(
        .zlibChecksum, "the Adler-32 is cut: expected 4 bytes or none, not \(grouped(rest))",
        at: end)
    default:
      throw place.damage(
        .zlibTrailing, "\(counted(rest, "byte")) after the deflate data; expected 4 or none",
        at: end)
    }
  }

  /// Fills `raw` from the deflate data at the start of `deflated`; returns the number of bytes
  /// after it.
  private func inflate(
    _ deflated: UnsafeRawBufferPointer, of place: BlockPlace,
    into raw: UnsafeMutableRawBufferPointer
  ) throws(ArchiveDamage) -> Int {
    guard unsafe stream.restart(into: raw) else {
      throw place.damage(.zlibData, "the block is larger than zlib takes")
    }
    let status = unsafe stream.process(deflated, Z_FINISH)
    let (rest, missing) = (stream.unreadInput, stream.room)
    let offset = headerSize + deflated.count - rest
    switch status {
    case Z_STREAM_END where missing == 0:
      return rest
    case Z_STREAM_END:
      throw place.damage(
        .zlibShort,
        "the deflate data ends after \(grouped(raw.count - missing)) of \(counted(raw.count, "byte"))",
        at: offset)
    case Z_BUF_ERROR where rest == 0:
      throw place.damage(.zlibCut, "the deflate data is cut", at: offset)
    case Z_BUF_ERROR:
      throw place.damage(
        .zlibLong, "the deflate data has more than the block's \(counted(raw.count, "byte"))",
        at: offset)
    default:
      throw place.damage(
        .zlibData, "the deflate data is damaged (\(stream.message ?? "zlib error \(status)"))",
        at: offset)
    }
  }
}

private let headerSize = 2
private let checksumSize = 4

/// RFC 1950: deflate, a window of at most 32 KiB, no preset dictionary, a multiple of 31.
private func isHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
  method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
    && (UInt16(method) << 8 | UInt16(flags)).isMultiple(of: 31)
}

/// The Adler-32 of `bytes`, which must be less than 4 GiB.
private func adler(_ bytes: UnsafeMutableRawBufferPointer) -> UInt32 {
  // SAFETY: zlib reads as many bytes as there are.
  let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
  return unsafe UInt32(truncatingIfNeeded: adler32_z(1, start, bytes.count))
}

private func hex(_ value: UInt32) -> String {
  hexadecimal((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
}
