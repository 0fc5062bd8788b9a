import BAPackCore
import Foundation

/// Measures LZFSE beside zlib level 5, each with blocks of 1 MiB on one core.
///
///     codec-benchmark [-n ROUNDS] FILE...
///
/// In each round, every codec encodes and decodes all blocks; codecs take turns block by block, so
/// that a busy machine slows all of them. Speeds are raw bytes per second, medians over rounds.
@main struct CodecBenchmark {
  static let blockSize = 1 << 20

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var rounds = 5
    if arguments.first == "-n", arguments.count > 1 {
      rounds = Int(arguments[1]) ?? rounds
      arguments.removeFirst(2)
    }
    var blocks: [[UInt8]] = []
    for file in arguments {
      let data = try Data(contentsOf: URL(filePath: file), options: .alwaysMapped)
      for start in stride(from: 0, to: data.count, by: blockSize) {
        blocks.append([UInt8](data[start..<min(start + blockSize, data.count)]))
      }
    }
    let zlib = Zlib()
    let lzfse = LZFSECodec()
    var zlibTimes: [Times] = []
    var lzfseTimes: [Times] = []
    for _ in 0..<rounds {
      var a = Times()
      var b = Times()
      for block in blocks {
        a.run(block, zlib)
        b.run(block, lzfse)
      }
      zlibTimes.append(a)
      lzfseTimes.append(b)
    }
    let raw = blocks.reduce(0) { $0 + $1.count }
    print("\(blocks.count) blocks, \(raw) bytes, medians of \(rounds)")
    print("zlib 5  \(summary(zlibTimes, raw))")
    print("lzfse   \(summary(lzfseTimes, raw))")
    let encode = median(zlibTimes.map(\.encode)) / median(lzfseTimes.map(\.encode))
    let decode = median(zlibTimes.map(\.decode)) / median(lzfseTimes.map(\.decode))
    let size = Double(lzfseTimes[0].size) / Double(zlibTimes[0].size)
    print(String(format: "ratio   encode %.3f  decode %.3f  size %.4f", encode, decode, size))
  }

  static func summary(_ times: [Times], _ raw: Int) -> String {
    let encode = Double(raw) / median(times.map(\.encode)) / 1e6
    let decode = Double(raw) / median(times.map(\.decode)) / 1e6
    let size = times[0].size
    return String(
      format: "encode %7.1f MB/s  decode %7.1f MB/s  size %d (%.4f)", encode, decode, size,
      Double(size) / Double(raw))
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// What one codec took for all blocks.
struct Times {
  var encode = 0.0
  var decode = 0.0
  var size = 0

  private static let clock = ContinuousClock()

  mutating func run(_ raw: [UInt8], _ codec: some Codec) {
    encode += Self.seconds { codec.encode(raw) }
    // A container stores what does not shrink.
    size += min(codec.encoded.count, raw.count)
    decode += Self.seconds { codec.decode(raw.count) }
    guard codec.decoded == raw[...] else { fatalError("the block does not come back") }
  }

  static func seconds(_ body: () -> Void) -> Double {
    let time = clock.measure(body)
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
}

protocol Codec: AnyObject {
  /// Results of the last call.
  var encoded: ArraySlice<UInt8> { get }
  var decoded: ArraySlice<UInt8> { get }
  func encode(_ raw: [UInt8])
  func decode(_ size: Int)
}
