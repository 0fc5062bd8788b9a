import BALZFSE
import BAPackCore
import Foundation

/// Decodes mutations of LZFSE streams: the test vectors, and random inputs, encoded at all levels. Damage must be
/// located inside the stream, and an unchanged stream must decode to its original bytes.
final class LZFSETarget: FuzzTarget {
  private var corpus: [Sample]
  private var decoder: LZFSE.Decoder
  private var encoder: LZFSE.Encoder

  init() throws {
    corpus = try Self.vectors()
    decoder = try LZFSE.Decoder()
    encoder = try LZFSE.Encoder()
  }

  func run(_ round: Int, _ random: inout Mutator) throws -> String {
    // Every thousand rounds, a new encoded stream replaces an older one.
    if round % 1000 == 0 {
      encoder = try LZFSE.Encoder(level: [1, 5, 9][round / 1000 % 3])
      let sample = random.sample(&encoder, &decoder)
      if corpus.count < 120 { corpus.append(sample) } else { corpus[119] = sample }
      corpus.swapAt(corpus.count - 1, random.below(corpus.count - 40) + 40)
    }
    let sample = corpus[random.below(corpus.count)]
    let stream = random.mutation(
      of: sample.stream, with: corpus[random.below(corpus.count)].stream)
    let size = random.below(8) == 0 ? random.below(sample.rawSize + 100) : sample.rawSize
    do throws(LZFSE.Damage) {
      _ = try decode(stream, size, &decoder)
      return "taken"
    } catch {
      guard 0...stream.count ~= error.offset else { fatalError("round \(round): \(error)") }
      return Self.name(error.reason)
    }
  }

  private static func name(_ reason: LZFSE.Damage.Reason) -> String {
    // The name of a case with a value; other cases are described by their name.
    Mirror(reflecting: reason).children.first?.label ?? "\(reason)"
  }

  /// The good test vectors, and those of the bad ones that have a limit.
  private static func vectors() throws -> [Sample] {
    struct Index: Decodable {
      struct Good: Decodable {
        let file: String
        let raw_size: Int
      }
      struct Bad: Decodable {
        let file: String
        let limit: Int
      }
      let good: [Good]
      let bad: [Bad]
    }
    let folder = fixtureRoot.appending(path: "lzfse")
    func bytes(_ file: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: folder.appending(path: file)))
    }
    let index = try JSONDecoder().decode(Index.self, from: Data(bytes("index.json")))
    return try index.good.map { Sample(stream: try bytes($0.file), rawSize: $0.raw_size) }
      + index.bad.map { Sample(stream: try bytes($0.file), rawSize: $0.limit) }
  }
}

struct Sample {
  let stream: [UInt8]
  let rawSize: Int
}

/// Decodes to a buffer of exactly this size, so that the sanitizer detects any access beyond it, on
/// either side.
func decode(
  _ stream: [UInt8], _ size: Int, _ decoder: inout LZFSE.Decoder
) throws(LZFSE.Damage) -> [UInt8] {
  let input = UnsafeMutableRawBufferPointer.allocate(byteCount: stream.count, alignment: 1)
  defer { unsafe input.deallocate() }
  unsafe input.copyBytes(from: stream)
  let output = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
  defer { unsafe output.deallocate() }
  try unsafe decoder.decode(UnsafeRawBufferPointer(input), into: output)
  return unsafe [UInt8](output)
}
