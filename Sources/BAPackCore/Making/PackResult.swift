/// The result for a manifest's pack.
public struct PackResult: Sendable {
  /// The manifest.
  public let manifest: BytePath
  /// The identifier of the pack; nil if it could not be read.
  public let identifier: String?
  /// The path of the pack, whether it was made or not.
  public let output: BytePath
  /// The number of selected files.
  public let files: Int
  /// Their size in bytes.
  public let size: UInt64
  /// What became of the pack.
  public internal(set) var state = State.skipped

  /// What became of a pack.
  public enum State: Sendable {
    /// It was written, in this time from its first block. It has a digest if digests were requested.
    case made(ContainerFacts, digest: String?, Duration)
    /// The existing pack, of this size in bytes, was kept, because its bytes would be the same.
    case unchanged(digest: String?, packedSize: UInt64)
    /// Its manifest or its files have errors, or clash with other packs.
    case invalid(errors: Int)
    /// It could not be written.
    case failed(any Error)
    /// It was skipped, because others failed or the build was cancelled.
    case skipped
  }
}

extension PackResult.State {
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
  var isFailed: Bool { if case .failed = self { true } else { false } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
}
