import BAArchive
import BALZFSE

/// The cost of compressing the blocks alone.
struct Packing {
  var seconds = 0.0
  var blocks = 0
  var stored = 0
  /// The size of the container in bytes.
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

/// The compression to measure.
enum PackingCodec {
  /// Deflate, as `ba-package package` does.
  case zlib
  /// LZFSE, as `ba-package package` does.
  case lzfse
  /// Deflate of every block, ignoring the probe.
  case zlibOfAll

  /// A packer for one thread.
  func makePacker() throws -> (_ rawSize: Int, _ buffer: inout Buffer) -> PackedBlock {
    switch self {
    case .zlib:
      let packer = try BlockPacker(.zlib())
      return { packer.pack(rawSize: $0, &$1) }
    case .zlibOfAll:
      let packer = try BlockPacker(Deflater(level: Codec.defaultLevel, probe: nil))
      return { packer.pack(rawSize: $0, &$1) }
    case .lzfse:
      let packer = try BlockPacker(.lzfse())
      return { packer.pack(rawSize: $0, &$1) }
    }
  }
}

func measurePacking(
  _ pack: consuming StoredPack, jobs: Int, codec: PackingCodec
) throws -> Packing {
  let total = Monitor(Packing())
  let seconds = try onBlocks(of: pack, jobs: jobs) {
    let pack = try codec.makePacker()
    return { rawSize, buffer in
      var buffer = buffer
      let block = pack(rawSize, &buffer)
      total.withLock { $0.add(block) }
    }
  }
  return total.withLock { total in
    total.seconds = seconds
    return total
  }
}
