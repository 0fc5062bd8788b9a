/// The layout of a container: a header, then blocks, each with its own header. Integers are
/// big-endian. The container ends at the end of the file.
package enum ContainerFormat {
  /// The uncompressed size of all blocks but the last in containers written here, and by Apple's
  /// tool.
  package static let blockSize = 1 << 20
  /// The size of a block's header: uncompressed size and stored size.
  package static let blockHeaderSize = 16

  /// The header of a container with blocks of ``blockSize``.
  package static func header(_ algorithm: Algorithm) -> [UInt8] {
    Array("pbz".utf8) + [algorithm.rawValue] + bigEndian(UInt64(blockSize))
  }

  /// The header of a block. The sizes of an uncompressed block are equal.
  package static func blockHeader(raw: Int, stored: Int) -> [UInt8] {
    bigEndian(UInt64(raw)) + bigEndian(UInt64(stored))
  }

  /// The maximum size of a compressed block: a block is stored unless compression saves more than a
  /// sixteenth, as in Apple's writer.
  package static func maximumPacked(raw: Int) -> Int { max(0, raw - raw / 16 - 1) }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}

/// The names and limits of an asset pack: an Apple Archive with `Manifest.json` and `Contents`.
package enum PackFormat {
  /// A number to be raised whenever a change makes other bytes of the same input: digests of inputs,
  /// which are compared with those of earlier versions, depend on it.
  package static let revision = 1
  /// The maximum length of a path in an archive, in bytes. Other readers have the same limit.
  package static let maximumPathLength = 1023
  /// The maximum size of an embedded manifest, in bytes, for reading and writing.
  package static let maximumManifestSize = 1 << 24

  /// The path in the archive of `path`, which is relative to `Contents`.
  package static func archivePath(of path: RelativePath) -> RelativePath {
    path.prefixed(by: .contents)
  }

  /// The part of an archive path that is relative to `Contents`; nil for paths outside it.
  package static func contentsPath(of path: [UInt8]) -> [UInt8]? {
    path.starts(with: contentsPrefix) ? Array(path[contentsPrefix.count...]) : nil
  }

  private static let contentsPrefix = RelativePath.contents.bytes + [ASCII.slash]
}

extension RelativePath {
  package static let contents = RelativePath(unchecked: Array("Contents".utf8))
  /// A pack's manifest. It is outside `Contents`, which may contain a file of the same name.
  package static let manifest = RelativePath(unchecked: Array("Manifest.json".utf8))
}

/// Limits that protect against malicious archives. Real packs are far below them. With the default
/// limits, no archive makes a reader use more than 256 MiB of memory.
public struct ReadingLimits: Sendable, Hashable {
  /// The uncompressed size of the archive stream in bytes.
  public var rawSize: UInt64
  /// The number of entries. Their names and fields may take 256 bytes for each allowed
  /// entry, so larger entries reduce the limit.
  public var entries: Int { didSet { entries = max(0, entries) } }

  package enum Limit: Hashable, Sendable {
    case rawSize
    case entries
  }

  /// The default limit of uncompressed bytes: 64 GiB.
  package static let standardRawSize: UInt64 = 64 << 30
  package static let standardEntries = 1 << 18
  /// The average memory for the names and fields of an entry, in bytes.
  private static let memoryPerEntry = 256
  /// The limit of blocks, whose positions are kept in memory.
  package static let blocks = 1 << 21

  /// Limits that no ordinary pack comes near.
  public init() { self.init(rawSize: Self.standardRawSize) }

  package init(rawSize: UInt64 = standardRawSize, entries: Int = standardEntries) {
    self.rawSize = rawSize
    self.entries = entries
  }

  /// The memory for the names and fields of all entries, in bytes.
  package var memory: Int {
    let (memory, overflows) = max(0, entries).multipliedReportingOverflow(by: Self.memoryPerEntry)
    return overflows ? .max : memory
  }
}
