import BALZFSE
import CBAZlib

/// Estimates from samples how much of zlib's time each part of a block is worth.
///
/// Most of a game's data is already compressed (PNG, JPEG, Ogg). Deflating it is most of the work
/// of making a pack, and useless: the format stores a block that doesn't shrink by more than a
/// sixteenth. But a block may be a series of small files, so it is divided into parts of 128 KiB.
/// From each part, 512 bytes of every 16 KiB are sampled, 4 KiB in all:
///
/// 1. The entropy of the samples' bytes is computed. Below 0.80 of the maximum, the part is worth
///    the full effort.
/// 2. Otherwise the samples are deflated at level 1. A ratio below 0.85 is worth the full effort,
///    one below 0.990 level 1: there are too few matches for a better search to find more. Other
///    parts are copied uncompressed.
/// 3. A block whose average ratio is at least 0.985 is stored without further work.
/// 4. Samples at fixed distances miss what small files have in common, such as the headers of Ogg
///    files. So in a block of 32 files or more with an average from 0.930 to 0.998, every part is
///    compressed, and the block isn't stored at once.
///
/// Measured on all blocks of three games' data (reproduced by `make bench`), as a fraction of the
/// time of deflating everything at level 5, including the probe: SuperTuxKart 0.24, SuperTux 0.40,
/// 0 A.D. 0.80; the packs were 0.14, 0.19 and 0.13 percent larger. Of 4,060 blocks, 4 were stored
/// that would have shrunk enough, one of them by 7.7 percent. Many small samples are better than
/// few large ones at the same cost: 8 × 4 KiB of a whole block miss blocks that would have saved 15
/// percent, 16 × 512 bytes per part take twice the time, and parts of 64 KiB are no better. Without
/// step 4, blocks are stored that would have saved 13 percent.
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

  package init() throws(Errno) {
    let input = try Buffer(size: Self.samples * Self.sampleSize)
    let output = try Buffer(size: Self.samples * Self.sampleSize)
    // What may fail comes first: a noncopyable value can't be partially initialized.
    stream = try ZStream(.deflate(level: 1, windowBits: -MAX_WBITS))
    self.input = input
    self.output = output
  }

  /// Determines the effort for each part of `raw`.
  package mutating func plan(_ raw: UnsafeRawBufferPointer) -> BlockPlan {
    var parts: [(effort: BlockPlan.Effort, size: Int)] = []
    var weighted = 0
    var start = 0
    while start < raw.count {
      let size = min(BlockPlan.partSize, raw.count - start)
      // SAFETY: parts end where `raw` does, or before.
      let part = unsafe UnsafeRawBufferPointer(rebasing: raw[start..<(start + size)])
      let (effort, ratio) = unsafe judge(part)
      parts.append((effort, size))
      weighted += size * ratio
      start += size
    }
    let average = weighted / max(1, raw.count)
    let compressesAll = unsafe Self.doubtful.contains(average) && hasManyFiles(raw)
    var plan = BlockPlan()
    plan.isWorthPacking = compressesAll || average < Self.notWorthPacking
    for (effort, size) in parts {
      plan.append(compressesAll && effort == .none ? .fast : effort, size)
    }
    return plan
  }

  /// The effort for a part, and its estimated compressed size in thousandths.
  private mutating func judge(
    _ part: UnsafeRawBufferPointer
  ) -> (effort: BlockPlan.Effort, ratio: Int) {
    // Deflating less than this is faster than sampling.
    guard part.count >= 2 * Self.samples * Self.sampleSize else { return (.full, 0) }
    let count = unsafe input.takeSamples(
      of: part, size: Self.sampleSize, interval: Self.interval)
    let entropy = entropyOfSamples(count)
    if entropy < Self.plainlyCompressible { return (.full, entropy) }
    let ratio = deflateSamples(count)
    if ratio < Self.wellCompressible { return (.full, ratio) }
    if ratio < Self.hardlyCompressible { return (.fast, ratio) }
    return (.none, min(ratio, 1000))
  }

  /// The byte entropy of the samples, in thousandths of 8 bits per byte.
  private mutating func entropyOfSamples(_ count: Int) -> Int {
    for byte in 0..<256 { histogram[byte] = 0 }
    // SAFETY: `takeSamples` has filled this many bytes.
    for index in 0..<count { unsafe histogram[Int(input.bytes[index])] += 1 }
    let bits = histogram.reduce(xLog2x[count]) { $0 - xLog2x[$1] }
    return (bits * 1000 / (8 * count)) >> 16
  }

  /// The size of the samples at level 1, in thousandths; 1000 if they don't shrink.
  private mutating func deflateSamples(_ count: Int) -> Int {
    // SAFETY: the buffers check the ranges.
    guard unsafe stream.restart(into: output[..<count]),
      unsafe stream.process(UnsafeRawBufferPointer(input[..<count]), Z_FINISH) == Z_STREAM_END
    else { return 1000 }
    return (count - stream.room) * 1000 / count
  }
}

/// How much effort each part of a block is worth.
package struct BlockPlan {
  static let partSize = 128 << 10

  /// How an encoder with levels compresses a part.
  package enum Effort: Sendable {
    case none
    case fast
    case full
  }

  /// Runs of adjacent parts with the same effort, and their size in bytes.
  package private(set) var runs: [(effort: Effort, size: Int)] = []
  /// Whether the block is likely to shrink by more than the required sixteenth.
  package var isWorthPacking = true

  package init() {}

  mutating func append(_ effort: Effort, _ size: Int) {
    if let last = runs.indices.last, runs[last].effort == effort {
      runs[last].size += size
    } else {
      runs.append((effort, size))
    }
  }
}

/// `n · log2(n)` in 1/65,536 for 0 ≤ n ≤ 4,096; 0 for n = 0.
private let xLog2x = [0] + (1...4096).map { $0 * LZFSE.log2($0) }

/// Whether 32 or more entries of an archive stream begin in `raw`, counting their magic number,
/// `AA01`. Samples of such a block miss what small files have in common, such as the headers of Ogg
/// files.
func hasManyFiles(_ raw: UnsafeRawBufferPointer) -> Bool {
  func bytes(_ position: Int) -> SIMD16<UInt8> {
    unsafe raw.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
  }
  func begins(_ position: Int) -> Bool {
    unsafe raw[position] == UInt8(ascii: "A") && raw[position + 1] == UInt8(ascii: "A")
      && raw[position + 2] == UInt8(ascii: "0") && raw[position + 3] == UInt8(ascii: "1")
  }
  let first = SIMD16(repeating: UInt8(ascii: "A"))
  let last = SIMD16(repeating: UInt8(ascii: "1"))
  var count = 0
  var position = 0
  // Compares the first and the last byte at sixteen positions at once: 0.04 ms for a block of 1 MiB
  // without any, which takes 0.52 ms byte by byte.
  // SAFETY: the last byte that is compared is at `position + 18`.
  while position + 19 <= raw.count, count < 32 {
    let matches = unsafe unsafeBitCast(
      (bytes(position) .== first) .& (bytes(position + 3) .== last), to: SIMD2<UInt64>.self)
    if matches[0] | matches[1] != 0 {
      for candidate in position..<(position + 16) where begins(candidate) { count += 1 }
    }
    position += 16
  }
  while position + 4 <= raw.count {
    if begins(position) { count += 1 }
    position += 1
  }
  return count >= 32
}

extension Buffer {
  /// Copies the first `size` bytes of each `interval` of `bytes` to the start, and returns their
  /// total size.
  func takeSamples(of bytes: UnsafeRawBufferPointer, size: Int, interval: Int) -> Int {
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: interval) {
      let end = min(start + size, bytes.count)
      // SAFETY: a sample is within the bytes, and the buffer checks that it has room.
      unsafe self[count..<count + end - start].copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      count += end - start
    }
    return count
  }
}
