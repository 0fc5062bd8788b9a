import LZFSE

/// How the blocks of a container are compressed: the letter after `pbz`.
package enum Algorithm: UInt8, Sendable, CaseIterable {
  /// zlib streams (RFC 1950).
  case zlib = 0x7A
  /// Apple's LZFSE, which Apple's ba-package uses.
  case lzfse = 0x65
  /// LZ4 frames.
  case lz4 = 0x34
  /// Whole `.xz` files.
  case lzma = 0x78
  /// Apple's LZBITMAP.
  case lzbitmap = 0x62
  /// No compression: every block is stored.
  case none = 0x2D

  /// The usual name.
  package var name: String {
    switch self {
    case .zlib: "zlib"
    case .lzfse: "LZFSE"
    case .lz4: "LZ4"
    case .lzma: "LZMA"
    case .lzbitmap: "LZBITMAP"
    case .none: "none"
    }
  }
}

extension Algorithm {
  /// The algorithms in Apple's manual pages that can't be read here, by letter.
  static let unreadable: [UInt8: String] = [
    UInt8(ascii: "f"): "LZVN", UInt8(ascii: "m"): "lzraven",
  ]
}

/// A compressor of blocks, one at a time, which reuses its memory.
package protocol BlockEncoder: ~Copyable {
  /// Compresses `raw` into `output` and returns the size; nil if it doesn't fit, so that the block
  /// is to be stored.
  mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int?
}

extension LZFSE.Decoder {
  /// A decoder. Fails with ``Errno/outOfMemory``.
  static func orOutOfMemory() throws(Errno) -> LZFSE.Decoder {
    return try mapping({ (_: LZFSE.OutOfMemory) in Errno.outOfMemory }, LZFSE.Decoder())
  }
}

/// A decompressor of blocks, one at a time, which reuses its memory.
package protocol BlockDecoder: AnyObject {
  /// Decompresses `payload`, which must fill `raw` exactly.
  func decode(
    _ payload: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage)
}

/// Why the payload of a block can't be decompressed.
package struct BlockDamage: Error {
  /// The kind of damage.
  package let reason: DamageReason
  /// The description.
  let detail: ArchiveDamage.Detail
  /// The offset in the payload where it was found.
  package let offset: Int

  init(_ reason: DamageReason, _ message: String, at offset: Int) {
    self.reason = reason
    detail = .words(message)
    self.offset = offset
  }

  init(_ damage: LZFSE.Damage) {
    reason = .lzfse
    detail = .lzfse(damage.reason)
    offset = damage.offset
  }
}
