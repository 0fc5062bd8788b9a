extension LZFSE {
  /// Decodes streams one at a time, reusing its working memory of about 141 KB.
  ///
  /// Any input results in the decoded bytes or in a `Damage`. Memory doesn't depend on what a
  /// header states, and the time is proportional to the size of the stream and its output.
  public struct Decoder: ~Copyable {
    private var entropy: EntropyDecoder
    private var frequencies = [UInt16](repeating: 0, count: Alphabet.frequencyCount)

    /// A decoder with its working memory.
    /// - Throws: `Damage` for lack of memory.
    public init() throws(Damage) { entropy = try EntropyDecoder() }

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
      do {
        result = try unsafe Self.play(
          entropy.triplets, outcome.triplets, literals: entropy.literals, header.literals,
          into: raw, range)
      } catch {
        let offset = unsafe entropy.position(
          ofTriplet: error.offset, header, stream, cut..<payload.upperBound)
        throw Damage(error.reason, at: offset)
      }
      if let damage = outcome.damage { throw damage }
      guard result.end == range.upperBound, result.literalsLeft < 4 else {
        throw Damage(.blockSize, at: cut)
      }
    }

    /// The second stage of decoding an FSE block: executes triplets. Writes the output of a block
    /// to `range` of `output`, or stops at the first triplet that uses more literals than there
    /// are, exceeds the output, or has too large a distance.
    ///
    /// - Parameter literals: The first `literalCount` are those of the block.
    /// - Returns: The end of the output, and the number of unused literals.
    /// - Throws: Damage with the index of the triplet as its offset.
    private static func play(
      _ triplets: borrowing Memory<Triplet>, _ count: Int, literals: borrowing Memory<UInt8>,
      _ literalCount: Int, into output: UnsafeMutableRawBufferPointer, _ range: Range<Int>
    ) throws(Damage) -> (end: Int, literalsLeft: Int) {
      guard let base = output.baseAddress else { return (range.lowerBound, literalCount) }
      // SAFETY: Before a byte is copied, each triplet is checked against the remaining literals,
      // the end of the block and the start of the output.
      let triplets = unsafe triplets.start
      var source = unsafe UnsafeRawPointer(literals.start)
      var literalsLeft = literalCount
      var target = range.lowerBound
      let end = range.upperBound
      // After a triplet that ends here or before, there is room for copying whole words.
      let wide = output.count &- 32
      var distance = 0
      for index in 0..<count {
        let triplet = unsafe triplets[index]
        let length = Int(triplet.literals)
        let match = Int(triplet.match)
        if triplet.distance != 0 { distance = Int(triplet.distance) }
        let matchStart = target &+ length
        let matchEnd = matchStart &+ match
        // Any of these below 0 is damage. A distance of 0 repeats the previous one, if any.
        let problem =
          (literalsLeft &- length) | (end &- matchEnd) | (matchStart &- distance)
          | (distance &- 1)
        guard problem >= 0 else {
          throw Damage(reason(literalsLeft &- length, end &- matchEnd, distance), at: index)
        }
        literalsLeft &-= length
        if matchEnd <= wide {
          unsafe copyLiterals(source, base + target, length)
          unsafe copyMatch(base + matchStart, distance, match)
        } else {
          unsafe copyBytes(source, base + target, length)
          unsafe copyBytes(base + matchStart - distance, base + matchStart, match)
        }
        unsafe source += length
        target = matchEnd
      }
      return (target, literalsLeft)
    }

    private static func reason(
      _ literalsLeft: Int, _ outputLeft: Int, _ distance: Int
    ) -> Damage.Reason {
      if literalsLeft < 0 { return .literalsRunOut }
      if outputLeft < 0 { return .blockOverrun }
      return distance == 0 ? .noDistance : .distance(distance)
    }
  }
}

/// Copies `count` bytes between buffers that don't overlap, and up to 16 more, for which both have
/// room.
@inline(__always)
private func copyLiterals(
  _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
  var index = 0
  repeat {
    let word = unsafe (source + index).loadUnaligned(as: SIMD16<UInt8>.self)
    unsafe (target + index).storeBytes(of: word, as: SIMD16<UInt8>.self)
    index &+= 16
  } while index < count
}

/// Repeats what is `distance` bytes before `target` for `count` bytes, and up to 24 more, for which
/// the output must have room.
@inline(__always)
private func copyMatch(_ target: UnsafeMutableRawPointer, _ distance: Int, _ count: Int) {
  var step = distance
  var index = 0
  if distance < 8 {
    // After 8 single bytes, the smallest multiple of the distance that is at least 8 is equivalent:
    // 8, 8, 9, 8, 10, 12, 14 for 1 to 7.
    unsafe copyBytes(target - distance, target, 8)
    step = (0xECA8_9880 &>> (4 &* distance)) & 15
    index = 8
  }
  let source = unsafe UnsafeRawPointer(target - step)
  repeat {
    // One word after the other: the second may depend on the first.
    let first = unsafe (source + index).loadUnaligned(as: UInt64.self)
    unsafe (target + index).storeBytes(of: first, as: UInt64.self)
    let second = unsafe (source + (index &+ 8)).loadUnaligned(as: UInt64.self)
    unsafe (target + (index &+ 8)).storeBytes(of: second, as: UInt64.self)
    index &+= 16
  } while index < count
}

/// Copies byte by byte, so that a source close to the target repeats itself.
@inline(__always)
private func copyBytes(
  _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
  var index = 0
  while index < count {
    let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
    unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    index &+= 1
  }
}
