extension LZFSE {
  /// The second half of an FSE block: triplets of a literal length, a match length and a distance,
  /// carried out on the output.
  struct TripletDecoder: ~Copyable {
    private let literalLengths = Memory(
      repeating: ValueEntry(), count: Alphabet.literalLength.states)
    private let matchLengths = Memory(repeating: ValueEntry(), count: Alphabet.matchLength.states)
    private let distances = Memory(repeating: ValueEntry(), count: Alphabet.distance.states)

    /// Makes the bytes of a checked block at `position` of `output`, which has room for them.
    /// `payload` lies in `stream` behind a header, `literals` are those of the block.
    mutating func decode(
      _ header: FSEHeader, _ frequencies: [UInt16], _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>, literals: borrowing Memory<UInt8>,
      into output: UnsafeMutableRawBufferPointer, at position: Int
    ) throws(Damage) {
      guard let input = stream.baseAddress, let base = output.baseAddress else {
        return
      }
      if header.triplets > 0 {
        fill(literalLengths, .literalLength, frequencies)
        fill(matchLengths, .matchLength, frequencies)
        fill(distances, .distance, frequencies)
      }
      // Bounds. States: as with the literals, below 64, 64 and 256 by the checked header and sums.
      // Input: the reader keeps to the payload and the 16 bytes before it, where the header is or
      // the literals are. One triplet reads at most 14 + 17 + 23 bits. Literals and output: each
      // triplet is checked against what is left of both before anything is copied.
      let lTable = unsafe literalLengths.start
      let mTable = unsafe matchLengths.start
      let dTable = unsafe distances.start
      var reader = unsafe DescendingBits(input, payload, padding: header.tripletPadding)
      var lState = Int(header.literalLengthState)
      var mState = Int(header.matchLengthState)
      var dState = Int(header.distanceState)
      var source = unsafe UnsafeRawPointer(literals.start)
      var literalsLeft = header.literals
      var target = position
      let end = position + header.rawSize
      // Up to here, what is copied in words of 16 bytes stays inside the output.
      let wide = output.count &- 32
      var distance = 0
      var triplets = header.triplets
      while triplets > 0 {
        guard unsafe reader.refill() else { break }
        let l = unsafe lTable[lState]
        let m = unsafe mTable[mState]
        let d = unsafe dTable[dState]
        let lEnd = UInt64(l.bits)
        let mEnd = lEnd &+ UInt64(m.bits)
        let dEnd = mEnd &+ UInt64(d.bits)
        let lBits = reader.next(lEnd, UInt64(l.mask))
        let mBits = reader.next(mEnd, UInt64(m.mask))
        let dBits = reader.next(dEnd, UInt64(d.mask))
        reader.drop(dEnd)
        lState = (lBits &>> Int(l.extraBits)) &+ Int(l.base)
        mState = (mBits &>> Int(m.extraBits)) &+ Int(m.base)
        dState = (dBits &>> Int(d.extraBits)) &+ Int(d.base)
        let length = Int(l.value) &+ (lBits & Int(l.valueMask))
        let match = Int(m.value) &+ (mBits & Int(m.valueMask))
        let new = Int(d.value) &+ (dBits & Int(d.valueMask))
        if new != 0 { distance = new }

        let matchStart = target &+ length
        let matchEnd = matchStart &+ match
        // Any of these below 0 is damage. A distance of 0 is one that repeats none.
        let problem =
          (literalsLeft &- length) | (end &- matchEnd) | (matchStart &- distance)
          | (distance &- 1)
        if problem < 0 {
          throw Self.damage(
            literalsLeft &- length, end &- matchEnd, distance, at: reader.position)
        }
        literalsLeft &-= length
        if matchEnd <= wide {
          unsafe copyWide(source, base + target, length)
          unsafe copyMatchWide(base + matchStart, distance, match)
        } else {
          unsafe copyExactly(source, base + target, length)
          unsafe copyExactly(base + matchStart - distance, base + matchStart, match)
        }
        unsafe source += length
        target = matchEnd
        triplets &-= 1
      }
      try reader.checkEnd(at: 8 * Limit.tripletLead)
      guard lState | mState | dState == 0 else {
        throw Damage(.finalState, at: payload.lowerBound)
      }
      guard target == end, literalsLeft < 4 else {
        throw Damage(.blockSize, at: payload.lowerBound)
      }
    }

    private static func damage(
      _ literalsLeft: Int, _ outputLeft: Int, _ distance: Int, at offset: Int
    ) -> Damage {
      if literalsLeft < 0 { return Damage(.literalsRunOut, at: offset) }
      if outputLeft < 0 { return Damage(.blockOverrun, at: offset) }
      return Damage(distance == 0 ? .noDistance : .distance(distance), at: offset)
    }
  }
}

/// Copies `count` bytes that do not overlap, and up to 16 more: both sides must have these.
@inline(__always)
private func copyWide(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
  unsafe copy16(source, target)
  var index = 16
  while index < count {
    unsafe copy16(source + index, target + index)
    index &+= 16
  }
}

/// Repeats what lies `distance` bytes before `target` for `count` bytes, and up to 16 more, which
/// the output must have.
@inline(__always)
private func copyMatchWide(_ target: UnsafeMutableRawPointer, _ distance: Int, _ count: Int) {
  if distance >= 16 {
    unsafe copyWide(target - distance, target, count)
    return
  }
  var step = distance
  var index = 0
  if distance < 8 {
    // A near match repeats itself. After 8 bytes one by one, the least multiple of the distance
    // that is 8 or more does: 8, 8, 9, 8, 10, 12, 14 for 1 to 7.
    unsafe copyExactly(target - distance, target, 8)
    step = (0xECA8_9880 &>> (4 &* distance)) & 15
    index = 8
  }
  while index < count {
    let word = unsafe (target + (index &- step)).loadUnaligned(as: UInt64.self)
    unsafe target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
    index &+= 8
  }
}

@inline(__always)
private func copy16(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
  let word = unsafe source.loadUnaligned(as: SIMD16<UInt8>.self)
  unsafe target.storeBytes(of: word, as: SIMD16<UInt8>.self)
}

/// Byte after byte, so that a source less than `count` bytes before the target repeats itself.
@inline(__always)
private func copyExactly(
  _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
  var index = 0
  while index < count {
    let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
    unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    index &+= 1
  }
}
