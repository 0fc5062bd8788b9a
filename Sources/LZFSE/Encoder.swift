extension LZFSE {
  /// Encodes one input after the other, with the same working memory.
  ///
  /// The same input gives the same stream, whatever was encoded before it.
  public struct Encoder: ~Copyable {
    /// By how many bytes a stream is at most longer than its input: a stored block and the end.
    public static let overhead = 12

    private var finder = MatchFinder()
    private var triplets = Triplets()
    private var coder = EntropyCoder()

    /// An encoder with its working memory.
    public init() {}

    /// Writes a stream that holds `raw` to the beginning of `output`, which must not overlap it.
    /// - Returns: the size of the stream, or nil when `output` is too small for it. Room for
    ///   `overhead` more bytes than `raw` has is always enough.
    public mutating func encode(
      _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
      var writer = unsafe StreamWriter(output)
      var rest = unsafe raw[...]
      while unsafe !rest.isEmpty {
        // Positions in the match finder have 32 bits.
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
        guard unsafe encode(piece, &writer) else { return nil }
        unsafe rest = rest.dropFirst(piece.count)
      }
      return writer.finish()
    }

    private mutating func encode(
      _ piece: UnsafeRawBufferPointer, _ writer: inout StreamWriter
    ) -> Bool {
      finder.begin()
      var position = 0
      while position < piece.count {
        triplets.clear()
        unsafe finder.find(piece, &triplets)
        let end = position + triplets.rawSize
        let size = coder.encode(&triplets)
        let raw = unsafe UnsafeRawBufferPointer(rebasing: piece[position..<end])
        let block = unsafe UnsafeRawBufferPointer(start: coder.block.start, count: size)
        guard unsafe writer.append(block, raw) else { return false }
        position = end
      }
      return true
    }
  }

  /// Puts blocks into an output of limited size.
  @safe struct StreamWriter {
    private let output: UnsafeMutableRawBufferPointer
    private let capacity: Int
    private var size = 0
    /// Where the header of the last block stands, and its raw size, if it is a stored one.
    private var stored: (header: Int, rawSize: Int)?

    private static let storedHeader = 8
    private static let endMark = 4

    @unsafe init(_ output: UnsafeMutableRawBufferPointer) {
      unsafe self.output = output
      capacity = output.count
    }

    /// Appends a block, or what it holds if that is not longer: neighbours are stored as one.
    /// - Returns: false when it does not fit.
    @unsafe mutating func append(
      _ block: UnsafeRawBufferPointer, _ raw: UnsafeRawBufferPointer
    ) -> Bool {
      // A block that pays for the header of a stored one keeps the stream within its bound.
      if block.count + Self.storedHeader <= raw.count {
        stored = nil
        return unsafe put(block)
      }
      if let (header, rawSize) = stored, rawSize + raw.count <= UInt32.max {
        put(UInt32(rawSize + raw.count), at: header + 4)
        stored = (header, rawSize + raw.count)
        return unsafe put(raw)
      }
      guard capacity - size >= Self.storedHeader + raw.count else { return false }
      stored = (size, raw.count)
      put(Magic.stored, at: size)
      put(UInt32(raw.count), at: size + 4)
      size += Self.storedHeader
      return unsafe put(raw)
    }

    /// Ends the stream.
    /// - Returns: its size, or nil when the end does not fit.
    mutating func finish() -> Int? {
      guard capacity - size >= Self.endMark else { return nil }
      put(Magic.end, at: size)
      size += Self.endMark
      return size
    }

    @unsafe private mutating func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard capacity - size >= bytes.count else { return false }
      unsafe UnsafeMutableRawBufferPointer(rebasing: output[size..<size + bytes.count])
        .copyMemory(from: bytes)
      size += bytes.count
      return true
    }

    private func put(_ value: UInt32, at offset: Int) {
      unsafe output.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}
