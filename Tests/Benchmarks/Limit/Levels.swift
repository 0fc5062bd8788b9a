import BAArchive
import BALZFSE
import Foundation

/// What each compression makes of the blocks of 1 MiB of a file with raw data, on one thread.
///
/// The compressions take turns for each block, so that a busy machine slows all of them.
func measureLevels(_ file: String) throws -> String {
  let data = try Data(contentsOf: URL(filePath: file), options: .alwaysMapped)
  let rows = try [
    Level("lzfse 1"), Level("lzfse 5"), Level("lzfse 9"), Level("zlib 5"), Level("zlib 9"),
    Level("lzfse 5, all", BlockPacker(Unsampled(level: 5))),
    Level("lzfse 9, all", BlockPacker(Unsampled(level: 9))),
    Level("zlib 5, all", BlockPacker(Deflater(level: 5, probe: nil))),
    Level("zlib 9, all", BlockPacker(Deflater(level: 9, probe: nil))),
  ]
  var buffer = try Buffer(size: blockBufferSize)
  let body = ContainerFormat.blockHeaderSize
  for start in stride(from: 0, to: data.count, by: ContainerFormat.blockSize) {
    let block = data[start..<min(start + ContainerFormat.blockSize, data.count)]
    for row in rows {
      unsafe buffer[body..<body + block.count].copyBytes(from: block)
      row.add(block.count, &buffer)
    }
  }
  return "{" + rows.map(\.json).joined(separator: ", ") + "}"
}

/// A compression, and the sums of what it made.
private final class Level {
  private let name: String
  private let packer: BlockPacker
  private var decoder: LZFSE.Decoder
  private var raw = [UInt8](repeating: 0, count: ContainerFormat.blockSize)
  private var packed = 0
  private var stored = 0
  private var packing = 0.0
  private var reading = 0.0

  init(_ name: String, _ packer: BlockPacker) throws {
    decoder = try LZFSE.Decoder()
    self.name = name
    self.packer = packer
  }

  convenience init(_ name: String) throws {
    guard let compression = Compression(name) else { throw Usage() }
    try self.init(name, BlockPacker(compression))
  }

  /// Bytes, and seconds of the processor.
  var json: String {
    """
    "\(name)": {"packed": \(packed), "stored": \(stored), "packing": \(packing), \
    "reading": \(reading)}
    """
  }

  func add(_ rawSize: Int, _ buffer: inout Buffer) {
    var block: PackedBlock?
    packing += threadTime { block = packer.pack(rawSize: rawSize, &buffer) }
    guard let block else { return }
    packed += block.size
    stored += block.isStored ? 1 : 0
    guard name.hasPrefix("lzfse"), !block.isStored else { return }
    reading += threadTime {
      let stream = unsafe UnsafeRawBufferPointer(
        buffer[ContainerFormat.blockHeaderSize..<block.size])
      unsafe raw.withUnsafeMutableBytes { raw in
        do throws(LZFSE.Damage) {
          try unsafe decoder.decode(stream, into: .init(rebasing: raw[..<rawSize]))
        } catch { fatalError("\(error)") }
      }
    }
  }
}

/// LZFSE for every block, whatever samples say.
private final class Unsampled: BlockEncoder {
  private var encoder: LZFSE.Encoder

  init(level: Int) throws { encoder = try LZFSE.Encoder(level: level) }

  func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    unsafe encoder.encode(raw, into: output)
  }
}
