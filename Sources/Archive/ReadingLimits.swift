/// Limits that protect against malicious archives. Real packs are far below them. With the default
/// limits, no archive makes a reader use more than 256 MiB of memory.
public struct ReadingLimits: Sendable, Hashable {
  /// The uncompressed size of the archive stream in bytes.
  public var rawSize: UInt64
  /// The number of entries. Their names and fields may take ``memoryPerEntry`` bytes for each
  /// allowed entry, so that larger entries reduce the limit.
  public var entries: Int

  /// One of the limits that can be set.
  package enum Limit: Hashable, Sendable {
    /// The limit of uncompressed bytes.
    case rawSize
    /// The limit of entries.
    case entries
  }

  /// The default limit of uncompressed bytes: 64 GiB.
  package static let standardRawSize: UInt64 = 64 << 30
  /// The default limit of entries.
  package static let standardEntries = 1 << 18
  /// The average memory for the names and fields of an entry, in bytes.
  package static let memoryPerEntry = 256
  /// The limit of blocks, whose positions are kept in memory.
  package static let blocks = 1 << 21

  /// Limits that no ordinary pack comes near.
  public init() { self.init(rawSize: Self.standardRawSize) }

  /// Limits with the given values.
  package init(rawSize: UInt64 = standardRawSize, entries: Int = standardEntries) {
    self.rawSize = rawSize
    self.entries = entries
  }
}
