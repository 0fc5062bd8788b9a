extension LZFSE {
  /// Decodes streams one at a time, reusing its working memory of about 141 KB.
  ///
  /// Any input results in the decoded bytes or in a `Damage`. Memory doesn't depend on what a
  /// header states, and the time is proportional to the size of the stream and its output.
  public struct Decoder: ~Copyable {
    private var entropy: EntropyDecoder
    private var frequencies = [UInt16](repeating: 0, count: Alphabet.frequencyCount)

    /// A decoder with its working memory.
    /// - Throws: `OutOfMemory`.
    public init() throws(OutOfMemory) { entropy = try EntropyDecoder() }

    /// Fills `raw` with the decoded `stream`, which must have exactly that size.
    ///
    /// The two must not overlap.
    /// - Throws: `Damage` otherwise; the contents of `raw` are then undefined.
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
          // Both ranges were checked, by `Block` and above.
          let target = unsafe raw[position..<position + block.rawSize]
          unsafe UnsafeMutableRawBufferPointer(rebasing: target)
            .copyMemory(from: .init(rebasing: stream[block.payload]))
        case .lzvn:
          var decoder = LZVNDecoder(block, at: position)
          try unsafe decoder.decode(stream, into: raw)
        case .fsePlain, .fsePacked:
          try unsafe decode(block, stream, into: raw, at: position)
        }
        position += block.rawSize
        offset = block.range.upperBound
      }
    }

    /// Decodes an FSE block to `raw` at `position`, where there must be room.
    private mutating func decode(
      _ block: Block, _ stream: UnsafeRawBufferPointer,
      into raw: UnsafeMutableRawBufferPointer, at position: Int
    ) throws(Damage) {
      let header = try FSEHeader(unsafe stream.bytes, block, frequencies: &frequencies)
      let payload = block.payload
      let cut = payload.lowerBound + header.literalPayload
      let outcome = try unsafe entropy.decode(header, frequencies, stream, payload, cut: cut)
      let result: (end: Int, literalsLeft: Int)
      let range = position..<position + block.rawSize
      do throws(TripletPlayer.Failure) {
        result = try unsafe TripletPlayer.play(
          entropy.triplets, outcome.triplets, literals: entropy.literals, header.literals,
          into: raw, range)
      } catch {
        let offset = unsafe entropy.position(
          ofTriplet: error.index, header, stream, cut..<payload.upperBound)
        throw Damage(error.reason, at: offset)
      }
      if let damage = outcome.damage { throw damage }
      guard result.end == range.upperBound, result.literalsLeft < 4 else {
        throw Damage(.blockSize, at: cut)
      }
    }
  }
}
