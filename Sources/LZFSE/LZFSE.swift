/// LZFSE: the compressed stream of Apple's Compression library, which is what Apple's packaging
/// tool puts into the blocks of a pack.
///
/// A stream is a row of blocks and an end mark. Blocks are stored, LZVN (a byte code) or FSE
/// (matches and literals, entropy-coded); all share one history, so a match may reach 262,139
/// bytes back into blocks of any kind. The decoder takes every kind. The encoder writes streams
/// of one kind of block, as Apple's does: FSE, LZVN for less than 4 KiB, or stored where neither is
/// shorter; always the same bytes for the same input.
///
/// The stream holds neither its raw size nor a checksum: the size must come from elsewhere, and so
/// must a digest if wrong bytes are to be told from right ones.
public enum LZFSE {
  /// The bytes that `stream` holds, at most `limit` of them.
  ///
  /// Memory for the result is reserved by what the block headers state and never beyond `limit`.
  /// To read many streams, or into memory of one's own, use a `Decoder`.
  /// - Throws: `Damage` for anything that is not one whole stream, or that makes more than `limit`
  ///   bytes; `OutOfMemory` where the system refuses working memory.
  public static func decode(_ stream: RawSpan, limit: Int) throws -> [UInt8] {
    let size = try rawSize(of: stream, limit: limit)
    var decoder = try Decoder()
    var failure: Damage?
    let raw = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      do throws(Damage) {
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
        try unsafe stream.withUnsafeBytes { input throws(Damage) in
          try unsafe decoder.decode(input, into: target)
        }
        count = size
      } catch { failure = error }
    }
    if let failure { throw failure }
    return raw
  }

  /// A stream that holds `raw`, at most `Encoder.maximumSize(for:)` bytes long.
  ///
  /// To write many streams, use an `Encoder`, which keeps its working memory.
  /// - Throws: `OutOfMemory` where the system refuses working memory.
  public static func encode(_ raw: RawSpan) throws(OutOfMemory) -> [UInt8] {
    var encoder = try Encoder()
    let bound = Encoder.maximumSize(for: raw.byteCount)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: bound)
      // Nil is not possible: `bound` bytes hold any input.
      count = unsafe raw.withUnsafeBytes { unsafe encoder.encode($0, into: target) } ?? 0
    }
  }
}

extension RawSpan {
  /// The little-endian integer at `offset`, which must be inside: that is checked.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Integer.Type = Integer.self
  ) -> Integer {
    // Any bytes are an integer, and the load itself checks its bounds.
    Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}
