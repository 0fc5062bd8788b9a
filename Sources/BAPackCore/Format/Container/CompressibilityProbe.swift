import CZlib

/// Tells from samples of a block how much of zlib's time each of its parts is worth.
///
/// Most of a game's bytes are compressed already (PNG, JPEG, Ogg). Deflating them is most of the
/// work of a pack, and for nothing: the format's own rule stores a block that does not shrink by
/// more than a sixteenth. A block is a row of small files, though, so it is judged in parts of
/// 128 KiB. From each part 512 bytes in every 16 KiB are taken, 4 KiB in all:
///
/// 1. Their bytes are counted. Where they hold less than 0.80 of the information that bytes can
///    hold, the part is worth the full effort, without a further look.
/// 2. Else the samples are deflated at level 1. What comes out below 0.85 of what went in is worth
///    the full effort; below 0.990, level 1: there are too few matches for a better search to find
///    more. The rest is carried along as it is.
/// 3. A block whose parts would be 0.985 of themselves on average is stored at once.
/// 4. Samples at fixed distances miss what small files share, such as the openings of Ogg files. So
///    in a block of 32 files or more with an average from 0.930 to 0.998 no part is carried along,
///    and the block is not stored at once.
///
/// Measured over all blocks of three games' data (`make bench` does it again), in time of deflating
/// everything at level 5, the probe included: SuperTuxKart 0.24, SuperTux 0.40, 0 A.D. 0.80; for
/// 0.14, 0.19 and 0.13 percent more bytes. Of 4,060 blocks 4 were stored that would have shrunk
/// enough, the worst of them by 7.7 percent. Many small samples judge better than few large ones at
/// the same cost: 8 × 4 KiB of a whole block miss blocks that would have saved 15 percent, 16 × 512
/// bytes of a part take twice the time, and parts of 64 KiB judge no better. Without step 4 there
/// are blocks stored that would have saved 13 percent.
package struct CompressibilityProbe: ~Copyable {
  private static let samples = 8
  private static let sampleSize = 512
  private static let interval = BlockPlan.partSize / samples
  // In thousandths of the samples' size.
  private static let plainlyCompressible = 800
  private static let wellCompressible = 850
  private static let hardlyCompressible = 990
  private static let notWorthPacking = 985
  private static let doubtful = 930..<998

  private var stream: ZStream
  private let input: Buffer
  private let output: Buffer
  private var histogram = [Int](repeating: 0, count: 256)

  /// Fails with ``Errno/outOfMemory``.
  package init() throws(Errno) {
    let input = try Buffer(size: Self.samples * Self.sampleSize)
    let output = try Buffer(size: Self.samples * Self.sampleSize)
    // What may fail comes first: a value is whole or not there.
    stream = try ZStream(.deflate(level: 1, windowBits: -MAX_WBITS))
    self.input = input
    self.output = output
  }

  /// The efforts that the parts of `raw` are worth.
  package mutating func plan(_ raw: UnsafeRawBufferPointer, _ plan: inout BlockPlan) {
    plan.clear()
    var weighted = 0
    var start = 0
    while start < raw.count {
      let size = min(BlockPlan.partSize, raw.count - start)
      let part = unsafe UnsafeRawBufferPointer(rebasing: raw[start..<(start + size)])
      let (effort, ratio) = unsafe judge(part)
      plan.append(effort, size)
      weighted += size * ratio
      start += size
    }
    let average = weighted / max(1, raw.count)
    plan.isWorthPacking = average < Self.notWorthPacking
    if Self.doubtful.contains(average), unsafe hasManyFiles(raw) {
      plan.isWorthPacking = true
      plan.leaveNoPartOut()
    }
  }

  /// The effort for a part, and its packed size in thousandths, as far as samples tell.
  private mutating func judge(
    _ part: UnsafeRawBufferPointer
  ) -> (effort: BlockPlan.Effort, ratio: Int) {
    // Less than this is deflated sooner than sampled.
    guard part.count >= 2 * Self.samples * Self.sampleSize else { return (.full, 0) }
    let count = unsafe takeSamples(part)
    let entropy = entropyOfSamples(count)
    if entropy < Self.plainlyCompressible { return (.full, entropy) }
    let ratio = deflateSamples(count)
    if ratio < Self.wellCompressible { return (.full, ratio) }
    if ratio < Self.hardlyCompressible { return (.fast, ratio) }
    return (.none, min(ratio, 1000))
  }

  /// Puts the samples of `part` side by side into `input`; returns their bytes.
  private func takeSamples(_ part: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for start in stride(from: 0, to: part.count, by: Self.interval) {
      let end = min(start + Self.sampleSize, part.count)
      // At most eight starts in a part, so that the samples fit.
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: input.bytes[count...])
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part[start..<end]))
      count += end - start
    }
    return count
  }

  /// The information in the samples by their bytes alone, in thousandths of 8 bits a byte.
  private mutating func entropyOfSamples(_ count: Int) -> Int {
    for byte in 0..<256 { histogram[byte] = 0 }
    for index in 0..<count { unsafe histogram[Int(input.bytes[index])] += 1 }
    let bits = histogram.reduce(FixedLogarithm.timesItself(count)) {
      $0 - FixedLogarithm.timesItself($1)
    }
    return (bits * 1000 / (8 * count)) >> FixedLogarithm.fractionBits
  }

  /// What level 1 makes of the samples, in thousandths of their size; 1000 where it gains nothing.
  private mutating func deflateSamples(_ count: Int) -> Int {
    guard unsafe stream.restart(into: output[..<count]),
      unsafe stream.deflate(UnsafeRawBufferPointer(input[..<count]), Z_FINISH) == Z_STREAM_END
    else { return 1000 }
    return (count - stream.room) * 1000 / count
  }
}
