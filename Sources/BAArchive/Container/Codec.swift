import BALZFSE

/// A compression that packs can have. All that differs between them is here: a new one is an entry
/// in ``allCases``, a file with its encoder and decoder, and the damage that it can find.
package struct Codec: CaseIterable, Sendable {
  /// The name in options, project files and records.
  package let rawValue: String
  /// The letter of the container. Of codecs with the same one, the first decodes its blocks.
  package let algorithm: Algorithm
  /// From the fastest to the smallest; nil if there is no choice.
  package let levels: ClosedRange<Int>?
  /// The levels by what they make: those of a range make the same bytes.
  package let equalLevels: [ClosedRange<Int>]
  /// Whether its blocks have checksums.
  let hasChecksum: Bool
  /// What the bytes depend on besides the level: the version of a library, or nothing.
  package let version: String
  /// Nil if every block is stored.
  let makeEncoder: (@Sendable (_ level: Int) throws(Errno) -> any BlockEncoder)?
  let makeDecoder: @Sendable () throws(Errno) -> any BlockDecoder

  package static let zlib = Codec(
    rawValue: "zlib", algorithm: .zlib, levels: 1...9, equalLevels: [], hasChecksum: true,
    version: loadedZlib,
    makeEncoder: { level throws(Errno) in
      try Deflater(level: level, probe: CompressibilityProbe())
    },
    makeDecoder: { () throws(Errno) in try Inflater() })
  package static let lzfse = Codec(
    rawValue: "lzfse", algorithm: .lzfse, levels: LZFSE.Encoder.levels,
    equalLevels: LZFSE.Encoder.equalLevels, hasChecksum: false, version: "",
    makeEncoder: { level throws(Errno) in try LZFSEBlockEncoder(level: level) },
    makeDecoder: { () throws(Errno) in try LZFSEBlockDecoder() })
  /// An LZFSE container in which every block is stored, so that it can be read without any codec.
  package static let store = Codec(
    rawValue: "store", algorithm: .lzfse, levels: nil, equalLevels: [],
    hasChecksum: false, version: "", makeEncoder: nil,
    makeDecoder: { () throws(Errno) in try LZFSEBlockDecoder() })

  package static let allCases = [zlib, lzfse, store]
  package static let withLevels = allCases.filter { $0.levels != nil }
  /// The default of all codecs with levels: for zlib, that of Apple's tools; for LZFSE, the first at
  /// which no kind of data in the guide's table is larger than by Apple's encoder.
  package static let defaultLevel = LZFSE.Encoder.defaultLevel

  package var fastest: Compression { Compression(self, nearest: 0) }

  /// The levels of all codecs together.
  package static var allLevels: ClosedRange<Int> {
    let levels = withLevels.compactMap(\.levels)
    return (levels.map(\.lowerBound).min() ?? 1)...(levels.map(\.upperBound).max() ?? 1)
  }
}

extension Codec: RawRepresentable, Hashable {
  /// The codec with this name; nil if there is none.
  package init?(rawValue name: String) {
    guard let codec = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
    self = codec
  }
}

/// Compresses blocks one at a time, reusing its memory.
package protocol BlockEncoder: AnyObject {
  /// Compresses `raw` into `output` and returns the size; nil if it doesn't fit, or isn't worth the
  /// time. Both are only used during the call.
  func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int?
}

/// Decompresses blocks one at a time, reusing its memory.
package protocol BlockDecoder: AnyObject {
  /// Fills `raw` exactly from the payload of the block at `place`.
  func decode(
    _ payload: UnsafeRawBufferPointer, of place: BlockPlace,
    into raw: UnsafeMutableRawBufferPointer
  ) throws(ArchiveDamage)
}

/// How the blocks of a pack are compressed.
public struct Compression: Hashable, Sendable {
  package let codec: Codec
  /// The level, from 1 (fast) to 9 (small); nil if there are none.
  public let level: Int?

  /// `codec` at `level`, by default its own; nil if it has no such level.
  package init?(_ codec: Codec, level: Int? = nil) {
    if let level, codec.levels?.contains(level) != true { return nil }
    self.codec = codec
    self.level = level ?? codec.levels.map { _ in Codec.defaultLevel }
  }

  fileprivate init(_ codec: Codec, nearest level: Int) {
    self.codec = codec
    self.level = codec.levels.map { min(max(level, $0.lowerBound), $0.upperBound) }
  }

  /// zlib, at level 1 (fast) to 9 (small), or the nearest of them.
  public static func zlib(level: Int = LZFSE.Encoder.defaultLevel) -> Compression {
    Compression(.zlib, nearest: level)
  }
  /// LZFSE, which Apple's ba-package uses, at level 1 (fast) to 9 (small), or the nearest of them.
  public static func lzfse(level: Int = LZFSE.Encoder.defaultLevel) -> Compression {
    Compression(.lzfse, nearest: level)
  }
  /// No compression: an LZFSE container (`e`) in which every block is stored, so it can be
  /// read without any codec.
  public static let store = Compression(.store, nearest: 0)
}

extension Compression: LosslessStringConvertible {
  /// The algorithm and, if it has levels, the level: `zlib 5`, `lzfse 9` or `store`.
  public var description: String { codec.rawValue + (level.map { " \($0)" } ?? "") }

  /// The compression with this description, by default at its default level; nil if there is none.
  public init?(_ description: String) {
    let words = description.split(separator: " ").map(String.init)
    guard let codec = words.first.flatMap(Codec.init) else { return nil }
    self.init(codec, level: words.count > 1 ? Int(words[1]) : nil)
    if description != codec.rawValue, description != self.description { return nil }
  }
}
