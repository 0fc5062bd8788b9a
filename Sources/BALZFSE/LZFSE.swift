#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif os(Windows)
  import ucrt
#endif

/// LZFSE: the compressed format of Apple's Compression library, which Apple's packaging tool uses
/// for the blocks of a pack.
///
/// A stream is a sequence of blocks and an end mark. Blocks are stored, LZVN (a byte code) or FSE
/// (matches and literals, entropy-coded); all share one history, so a match may reach 262,139 bytes
/// back, into blocks of any kind. The decoder supports all kinds. The encoder writes streams with
/// one kind of block, like Apple's: FSE, LZVN for less than 4 KiB, or stored if the result isn't
/// smaller. Its output is deterministic.
///
/// The stream contains neither its uncompressed size nor a checksum: the size must be known from
/// elsewhere, and so must a digest if errors are to be detected.
public enum LZFSE {
  /// The decoded `stream`, at most `limit` bytes.
  ///
  /// Memory for the result is reserved according to the block headers, and never beyond `limit`. To
  /// decode many streams, or to a given buffer, use a `Decoder`.
  /// - Throws: `Damage` unless it is exactly one stream with at most `limit` bytes of output, or
  ///   for lack of memory.
  public static func decode(_ stream: RawSpan, limit: Int) throws(Damage) -> [UInt8] {
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

  /// The bytes of `stream`, whose size must be at most `limit`.
  public static func decode(_ stream: [UInt8], limit: Int) throws(Damage) -> [UInt8] {
    // SAFETY: the span ends with the closure.
    try unsafe stream.withUnsafeBufferPointer { (buffer) throws(Damage) in
      try unsafe decode(buffer.span.bytes, limit: limit)
    }
  }

  /// A stream for `raw`, at most `Encoder.maximumSize(for:)` bytes long.
  ///
  /// To encode many streams, use an `Encoder`, which reuses its working memory.
  /// - Throws: `Damage` for lack of memory.
  public static func encode(
    _ raw: RawSpan, level: Int = Encoder.defaultLevel
  ) throws(Damage) -> [UInt8] {
    var encoder = try Encoder(level: level)
    let bound = Encoder.maximumSize(for: raw.byteCount)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: bound)
      // Never nil: `bound` bytes are enough for any input.
      count = unsafe raw.withUnsafeBytes { unsafe encoder.encode($0, into: target) } ?? 0
    }
  }

  /// A stream for `raw`.
  /// - Throws: `Damage` for lack of memory.
  public static func encode(
    _ raw: [UInt8], level: Int = Encoder.defaultLevel
  ) throws(Damage) -> [UInt8] {
    // SAFETY: the span ends with the closure.
    try unsafe raw.withUnsafeBufferPointer { (buffer) throws(Damage) in
      try unsafe encode(buffer.span.bytes, level: level)
    }
  }
}

extension RawSpan {
  /// The little-endian integer at `offset`. Traps if it is out of bounds.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Integer.Type = Integer.self
  ) -> Integer {
    // Any bytes are a valid integer, and the load itself checks its bounds.
    Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}

extension LZFSE {
  /// A fixed-size buffer, owned by its only copy: the working memory of the inner loops, allocated
  /// once and used for every block.
  ///
  /// Safe to own; each use of `start` is unsafe and documents why it stays within `count`.
  @safe struct Memory<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    // Failed allocations of the standard library would end the process.
    init(repeating element: Element, count: Int) throws(Damage) {
      guard let memory = unsafe malloc(max(1, count) * MemoryLayout<Element>.stride) else {
        throw Damage(.outOfMemory, at: 0)
      }
      unsafe start = memory.bindMemory(to: Element.self, capacity: count)
      unsafe start.initialize(repeating: element, count: count)
      self.count = count
    }

    deinit { unsafe free(start) }
  }
}
