import BAPackCore

/// The cost of compressing the blocks alone.
struct Packing {
  var seconds = 0.0
  var blocks = 0
  var stored = 0
  /// Bytes of the container.
  var packed = ContainerFormat.header(.zlib).count

  var json: String {
    "{\"seconds\": \(seconds), \"blocks\": \(blocks), \"stored\": \(stored), \"packed\": \(packed)}"
  }

  mutating func add(_ block: PackedBlock) {
    blocks += 1
    stored += block.isStored ? 1 : 0
    packed += block.size
  }
}

func measurePacking(
  _ pack: consuming StoredPack, jobs: Int, deflatesAll: Bool
) throws -> Packing {
  let total = Monitor(Packing())
  let seconds = try onBlocks(of: pack, jobs: jobs) {
    let packer = try makePacker(deflatesAll: deflatesAll)
    return { rawSize, buffer in
      var buffer = buffer
      let block = packer.pack(rawSize: rawSize, &buffer)
      total.withLock { $0.add(block) }
    }
  }
  return total.withLock { total in
    total.seconds = seconds
    return total
  }
}

/// The packer of `ba-package package`, or one without a probe.
func makePacker(deflatesAll: Bool) throws -> BlockPacker<Deflater> {
  try BlockPacker(
    Deflater(level: Compression.defaultLevel),
    probe: deflatesAll ? nil : try CompressibilityProbe())
}
