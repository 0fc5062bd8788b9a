/// What an archive may ask of the machine that reads it. Packs in use are far below; an archive that
/// was made to do harm is stopped here.
public struct ReadingLimits: Sendable, Hashable {
  /// Raw bytes of the whole archive stream.
  public var rawSize: UInt64
  /// Entries. Each takes a few hundred bytes of memory besides its header.
  public var entries = 1 << 22
  /// Bytes of all headers together.
  public var headerBytes: UInt64 = 1 << 29

  /// Raw bytes that are allowed unless another limit is given: 64 GiB.
  public static let standardRawSize: UInt64 = 64 << 30

  /// Limits with the given one for raw bytes.
  public init(rawSize: UInt64 = standardRawSize) { self.rawSize = rawSize }
}
