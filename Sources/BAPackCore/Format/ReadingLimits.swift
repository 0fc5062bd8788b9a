/// What an archive may ask of the machine that reads it. Packs in use are far below; an archive that
/// was made to do harm is stopped here. With the limits as they are, no archive makes a reader take
/// more than 256 MiB of memory.
public struct ReadingLimits: Sendable, Hashable {
  /// Raw bytes of the whole archive stream.
  public var rawSize: UInt64
  /// Entries. Their names and fields together may take ``memoryPerEntry`` bytes for each entry that
  /// is allowed, so that fewer are read of entries that take more.
  public var entries: Int

  /// Raw bytes that are allowed unless another limit is given: 64 GiB.
  package static let standardRawSize: UInt64 = 64 << 30
  /// Entries that are allowed unless another limit is given.
  package static let standardEntries = 1 << 18
  /// Bytes of memory for the names and fields of an entry, on average.
  package static let memoryPerEntry = 256
  /// Blocks: the place of each is kept.
  static let blocks = 1 << 21

  /// Limits that no ordinary pack comes near.
  public init() { self.init(rawSize: Self.standardRawSize) }

  /// Limits with the given ones for raw bytes and entries.
  package init(rawSize: UInt64 = standardRawSize, entries: Int = standardEntries) {
    self.rawSize = rawSize
    self.entries = entries
  }
}
