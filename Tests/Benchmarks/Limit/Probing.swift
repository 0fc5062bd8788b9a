import BAPackCore
import Foundation

/// What the probe's verdicts cost and save.
struct Probing {
  var blocks = 0
  /// Blocks that are stored after deflating all of them, by the format's rule.
  var storedByRule = 0
  /// Blocks that are stored.
  var stored = 0
  /// Blocks that are stored though deflating them would save enough.
  var wronglyStored = 0
  /// The largest saving lost by storing a block, as a part of it.
  var worst = 0.0
  /// Bytes packed after deflating all, and with the probe.
  var deflated = 0
  var probed = 0
  /// Seconds of the processors for either.
  var deflateTime = 0.0
  var probeTime = 0.0

  var json: String {
    """
    {"blocks": \(blocks), "storedByRule": \(storedByRule), "stored": \(stored), \
    "wronglyStored": \(wronglyStored), "worst": \(worst), "deflated": \(deflated), \
    "probed": \(probed), "deflateTime": \(deflateTime), "probeTime": \(probeTime)}
    """
  }

  mutating func add(_ all: PackedBlock, _ allTime: Double, _ block: PackedBlock, _ time: Double) {
    blocks += 1
    storedByRule += all.isStored ? 1 : 0
    stored += block.isStored ? 1 : 0
    if block.isStored && !all.isStored {
      wronglyStored += 1
      worst = max(worst, Double(block.size - all.size) / Double(block.rawSize))
    }
    deflated += all.size
    probed += block.size
    deflateTime += allTime
    probeTime += time
  }
}

func checkProbe(_ pack: consuming StoredPack, jobs: Int) throws -> Probing {
  let total = Monitor(Probing())
  _ = try onBlocks(of: pack, jobs: jobs) {
    let deflating = try makeDeflatingPacker(deflatesAll: true)
    let probing = try makeDeflatingPacker(deflatesAll: false)
    // A packer may keep the buffer that it is given: both get a copy.
    var copy = try Buffer(size: blockBufferSize)
    return { rawSize, buffer in
      unsafe copy.bytes.copyMemory(from: UnsafeRawBufferPointer(buffer.bytes))
      var (all, block): (PackedBlock?, PackedBlock?)
      let allTime = threadTime { all = deflating.pack(rawSize: rawSize, &copy) }
      unsafe copy.bytes.copyMemory(from: UnsafeRawBufferPointer(buffer.bytes))
      let time = threadTime { block = probing.pack(rawSize: rawSize, &copy) }
      guard let all, let block else { return }
      total.withLock { $0.add(all, allTime, block, time) }
    }
  }
  return total.withLock { $0 }
}

/// Seconds that the processor spends on `body`.
private func threadTime(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  body()
  return now() - start
}
