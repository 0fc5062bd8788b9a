import Foundation
import LZFSE
import TestSupport

/// The test vectors in Fixtures/lzfse, as their `index.json` describes them.
struct LZFSEVectors: Decodable {
  struct Good: Decodable, Sendable {
    let file: String
    let raw: String?
    let raw_size: Int
    let raw_sha256: String
    let made_by: String
  }
  struct Bad: Decodable, Sendable {
    let file: String
    let limit: Int
  }

  let good: [Good]
  let bad: [Bad]
  /// For a good file the first and last numbers of runs of bits: each must be 0 or 1 as it is.
  let flips: [String: [[Int]]]

  static let folder = Fixtures.root.appending(path: "lzfse")

  static func load() throws -> LZFSEVectors {
    try JSONDecoder().decode(LZFSEVectors.self, from: Data(bytes("index.json")))
  }

  static func bytes(_ file: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: file)))
  }

  /// The raw bytes of a good vector: from its file, or for the one without by the rule it states.
  static func raw(_ vector: Good) throws -> [UInt8] {
    if let file = vector.raw { return try bytes(file) }
    let seed = try bytes("fse-far.seed")
    return seed + [UInt8](repeating: 0, count: 262_139 - seed.count) + seed
  }
}

/// The bytes of `stream`, of which there must be exactly `size`.
func decoded(_ stream: [UInt8], size: Int) throws -> [UInt8] {
  var decoder = try LZFSE.Decoder()
  return try decoded(stream, size: size, by: &decoder)
}

/// The bytes of `stream` by the library's plain function.
func decodedAlone(_ stream: [UInt8], limit: Int) throws -> [UInt8] {
  // Bytes have no padding.
  try LZFSE.decode(unsafe stream.span.bytes, limit: limit)
}

func decoded(
  _ stream: [UInt8], size: Int, by decoder: inout LZFSE.Decoder
) throws(LZFSE.Damage) -> [UInt8] {
  // The guard after the output detects writes beyond it.
  var raw = [UInt8](repeating: 0xA5, count: size + 64)
  var failure: LZFSE.Damage?
  unsafe raw.withUnsafeMutableBytes { raw in
    unsafe stream.withUnsafeBytes { stream in
      do throws(LZFSE.Damage) {
        try unsafe decoder.decode(stream, into: .init(rebasing: raw[..<size]))
      } catch { failure = error }
    }
  }
  precondition(raw[size...].allSatisfy { $0 == 0xA5 }, "bytes written behind the output")
  if let failure { throw failure }
  return [UInt8](raw[..<size])
}
