import BALZFSE
import BAPackCore
import Foundation

/// Compares LZFSE with zlib level 5, with blocks of 1 MiB on one core.
///
///     codec-benchmark [-n ROUNDS] [-b BLOCKS] FILE...
///
/// The codecs alternate for each block, so that a busy machine slows both. A block's time is the
/// median of the rounds; speeds are uncompressed bytes per second over all blocks, or over about
/// BLOCKS blocks of each file, evenly distributed.
@main struct CodecBenchmark {
  static let blockSize = 1 << 20

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var rounds = 3
    if arguments.first == "-n", arguments.count > 1 {
      rounds = Int(arguments[1]) ?? rounds
      arguments.removeFirst(2)
    }
    var most = Int.max
    if arguments.first == "-b", arguments.count > 1 {
      most = Int(arguments[1]) ?? most
      arguments.removeFirst(2)
    }
    guard !arguments.isEmpty, rounds > 0, most > 0 else {
      print("usage: codec-benchmark [-n ROUNDS] [-b BLOCKS] FILE...")
      return
    }
    let zlib = Zlib()
    let lzfse = try LZFSECodec()
    var (zlibTotal, lzfseTotal) = (Total(), Total())
    for file in arguments {
      let data = try Data(contentsOf: URL(filePath: file), options: .alwaysMapped)
      let step = max(1, data.count / blockSize / most)
      for start in stride(from: 0, to: data.count, by: step * blockSize) {
        let block = [UInt8](data[start..<min(start + blockSize, data.count)])
        var (zlibTimes, lzfseTimes) = (BlockTimes(), BlockTimes())
        for _ in 0..<rounds {
          zlibTimes.measure(block, zlib)
          lzfseTimes.measure(block, lzfse)
        }
        zlibTotal.add(block, zlibTimes, zlib)
        lzfseTotal.add(block, lzfseTimes, lzfse)
      }
    }
    print("blocks of 1 MiB: \(zlibTotal.blocks), rounds: \(rounds)")
    print("zlib 5  \(zlibTotal)")
    print("LZFSE   \(lzfseTotal)")
    print(
      String(
        format: "LZFSE : zlib 5   encode %.2f x   decode %.2f x   size %.4f",
        zlibTotal.encode / lzfseTotal.encode, zlibTotal.decode / lzfseTotal.decode,
        Double(lzfseTotal.size) / Double(zlibTotal.size)))
  }
}

/// The times of a codec for one block, one per round, in seconds.
struct BlockTimes {
  private(set) var encode: [Double] = []
  private(set) var decode: [Double] = []

  private static let clock = ContinuousClock()

  mutating func measure(_ raw: [UInt8], _ codec: some Codec) {
    encode.append(Self.seconds { codec.encode(raw) })
    decode.append(Self.seconds { codec.decode(raw.count) })
    guard codec.decoded == raw[...] else { fatalError("the block does not come back") }
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let time = clock.measure(body).components
    return Double(time.seconds) + Double(time.attoseconds) * 1e-18
  }
}

/// The total of a codec for all blocks.
struct Total: CustomStringConvertible {
  private(set) var blocks = 0
  private(set) var raw = 0
  private(set) var size = 0
  private(set) var encode = 0.0
  private(set) var decode = 0.0

  mutating func add(_ block: [UInt8], _ times: BlockTimes, _ codec: some Codec) {
    blocks += 1
    raw += block.count
    // A container stores blocks that don't shrink by a sixteenth.
    let encoded = codec.encoded.count
    size += encoded <= block.count - block.count / 16 ? encoded : block.count
    encode += median(times.encode)
    decode += median(times.decode)
  }

  var description: String {
    String(
      format: "encode %7.1f MB/s   decode %7.1f MB/s   size %11d (%.4f)",
      Double(raw) / encode / 1e6, Double(raw) / decode / 1e6, size, Double(size) / Double(raw))
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

protocol Codec: AnyObject {
  /// The output of the last call.
  var encoded: ArraySlice<UInt8> { get }
  var decoded: ArraySlice<UInt8> { get }
  func encode(_ raw: [UInt8])
  func decode(_ size: Int)
}
