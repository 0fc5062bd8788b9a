extension LZFSE {
  /// The second half of reading an FSE block: triplets carried out on the output.
  struct TripletPlayer {
    /// Why a triplet cannot be carried out.
    struct Failure: Error {
      let reason: Damage.Reason
      /// The number of the triplet.
      let index: Int
    }

    /// Makes the bytes of a block at `range` of `output`, or stops at the first triplet that takes
    /// more literals than there are, makes more bytes than the block has, or reaches back too far.
    ///
    /// - Parameter literals: the first `literalCount` are those of the block.
    /// - Returns: where the output ends, and how many literals were not used.
    static func play(
      _ triplets: borrowing Memory<Triplet>, _ count: Int, literals: borrowing Memory<UInt8>,
      _ literalCount: Int, into output: UnsafeMutableRawBufferPointer, _ range: Range<Int>
    ) throws(Failure) -> (end: Int, literalsLeft: Int) {
      guard let base = output.baseAddress else { return (range.lowerBound, literalCount) }
      // Bounds. Each triplet is checked against the literals that are left, the end of the block
      // and the beginning of the output before a byte is copied.
      let triplets = unsafe triplets.start
      var source = unsafe UnsafeRawPointer(literals.start)
      var literalsLeft = literalCount
      var target = range.lowerBound
      let end = range.upperBound
      // A triplet that ends here or before has room behind it for what copies in words write too.
      let wide = output.count &- 32
      var distance = 0
      for index in 0..<count {
        let triplet = unsafe triplets[index]
        let length = Int(triplet.literals)
        let match = Int(triplet.match)
        if triplet.distance != 0 { distance = Int(triplet.distance) }
        let matchStart = target &+ length
        let matchEnd = matchStart &+ match
        // Any of these below 0 is damage. A distance of 0 repeats one where there is none.
        let problem =
          (literalsLeft &- length) | (end &- matchEnd) | (matchStart &- distance)
          | (distance &- 1)
        guard problem >= 0 else {
          throw Failure(
            reason: reason(literalsLeft &- length, end &- matchEnd, distance), index: index)
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

/// Copies `count` bytes between memories that do not overlap, and up to 16 more: both have these.
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

/// Repeats what lies `distance` bytes before `target` for `count` bytes, and up to 24 more, which
/// the output must have.
@inline(__always)
private func copyMatch(_ target: UnsafeMutableRawPointer, _ distance: Int, _ count: Int) {
  var step = distance
  var index = 0
  if distance < 8 {
    // After 8 bytes one by one, the least multiple of the distance that is 8 or more does as well:
    // 8, 8, 9, 8, 10, 12, 14 for 1 to 7.
    unsafe copyBytes(target - distance, target, 8)
    step = (0xECA8_9880 &>> (4 &* distance)) & 15
    index = 8
  }
  let source = unsafe UnsafeRawPointer(target - step)
  repeat {
    // One word after the other: the second may be made of the first.
    let first = unsafe (source + index).loadUnaligned(as: UInt64.self)
    unsafe (target + index).storeBytes(of: first, as: UInt64.self)
    let second = unsafe (source + (index &+ 8)).loadUnaligned(as: UInt64.self)
    unsafe (target + (index &+ 8)).storeBytes(of: second, as: UInt64.self)
    index &+= 16
  } while index < count
}

/// Copies byte after byte, so that a source close before the target repeats itself.
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
