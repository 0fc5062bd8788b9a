extension LZFSE {
  /// Decodes streams one after the other, with the same working memory of about 60 KB.
  ///
  /// Any bytes end in the raw bytes or in a `Damage`. Memory does not grow with what a header says,
  /// and the work is in proportion to the stream and its raw bytes.
  public struct Decoder: ~Copyable {
    private var literals = LiteralDecoder()
    private var triplets = TripletDecoder()
    private var frequencies = [UInt16](repeating: 0, count: Alphabet.frequencyCount)

    /// A decoder with its working memory.
    public init() {}

    /// Fills `raw` with what `stream` holds, which must be exactly as many bytes.
    ///
    /// The two must not overlap.
    /// - Throws: `Damage` for anything else; the contents of `raw` are then undefined.
    public mutating func decode(
      _ stream: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer
    ) throws(Damage) {
      let bytes = unsafe stream.bytes
      var offset = 0
      var position = 0
      while true {
        let block = try Block(bytes, at: offset)
        guard block.rawSize <= raw.count - position else {
          throw Damage(.tooMuchOutput, at: offset + 4)
        }
        switch block.kind {
        case .end:
          guard block.range.upperBound == stream.count else {
            throw Damage(.trailingBytes, at: block.range.upperBound)
          }
          guard position == raw.count else { throw Damage(.tooLittleOutput, at: offset) }
          return
        case .stored:
          // Both ranges were checked: by `Block` and above.
          let target = unsafe raw[position..<position + block.rawSize]
          unsafe UnsafeMutableRawBufferPointer(rebasing: target)
            .copyMemory(from: .init(rebasing: stream[block.payload]))
        case .lzvn:
          var decoder = LZVNDecoder(block, at: position)
          try unsafe decoder.decode(stream, into: raw)
        case .fsePlain, .fsePacked:
          let header = try FSEHeader(bytes, block, frequencies: &frequencies)
          let cut = block.payload.lowerBound + header.literalPayload
          try unsafe literals.decode(header, frequencies, stream, block.payload.lowerBound..<cut)
          try unsafe triplets.decode(
            header, frequencies, stream, cut..<block.payload.upperBound,
            literals: literals.literals, into: raw, at: position)
        }
        position += block.rawSize
        offset = block.range.upperBound
      }
    }
  }
}
