import BAArchive
import Foundation

/// The cost and savings of the probe's decisions.
struct Probing {
  var blocks = 0
  /// The number of blocks that the format stores after deflating all of them.
  var storedByRule = 0
  /// The number of stored blocks.
  var stored = 0
  /// The number of blocks that are stored although deflating them would save enough.
  var wronglyStored = 0
  /// The largest saving lost by storing a block, as a fraction of it.
  var worst = 0.0
  /// The compressed sizes after deflating everything, and with the probe.
  var deflated = 0
  var probed = 0
  /// The processor time of both, in seconds.
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
    let deflating = try BlockPacker(Deflater(level: Codec.defaultLevel, probe: nil))
    let probing = try BlockPacker(.zlib())
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

/// The processor time of `body` in seconds.
func threadTime(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  body()
  return now() - start
}
