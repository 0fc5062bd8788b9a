/// What an upload asks for of a file: its size and checksums.
public struct FileDigests: Sendable {
  /// Bytes so far.
  public private(set) var size: UInt64 = 0
  private var md5State = MD5()
  private var sha256State = SHA256()

  /// Those of no bytes.
  public init() {}

  /// Adds `bytes`.
  public mutating func update(_ bytes: RawSpan) {
    size &+= UInt64(bytes.byteCount)
    md5State.update(bytes)
    sha256State.update(bytes)
  }

  /// Adds `bytes`.
  public mutating func update(_ bytes: [UInt8]) {
    // SAFETY: bytes have no padding that could be read.
    update(unsafe bytes.span.bytes)
  }

  /// The MD5 of the bytes so far.
  public var md5: [UInt8] { md5State.finalize() }
  /// The SHA-256 of the bytes so far.
  public var sha256: [UInt8] { sha256State.finalize() }
}

extension FileDigests {
  /// Those of a whole file, which must not be a pipe. With two `jobs`, each digest has a thread of
  /// its own.
  package init(of input: ArchiveInput, jobs: Int) throws(ArchiveError) {
    let shared = Monitor(Halves())
    onThreads(min(2, jobs)) {
      while let half = shared.withLock({ $0.left.popLast() }) {
        do throws(ArchiveError) {
          switch half {
          case .md5:
            let state = try MD5(of: input)
            shared.withLock { $0.digests.md5State = state }
          case .sha256:
            let state = try SHA256(of: input)
            shared.withLock { $0.digests.sha256State = state }
          }
        } catch {
          shared.withLock { $0.failure = error }
        }
      }
    }
    let halves = shared.withLock(\.self)
    if let failure = halves.failure { throw failure }
    self = halves.digests
    size = input.size ?? 0
  }

  private struct Halves {
    enum Half { case md5, sha256 }
    var left: [Half] = [.md5, .sha256]
    var digests = FileDigests()
    var failure: ArchiveError?
  }
}

extension BlockDigest {
  /// The digest of a file as large as it was when it was opened.
  fileprivate init(of input: ArchiveInput) throws(ArchiveError) {
    self.init()
    let buffer = try input.makeBuffer(1 << 20)
    var offset: UInt64 = 0
    while offset < input.size ?? 0 {
      try input.checkInterruption()
      let count = try unsafe input.read(into: buffer.bytes, at: offset)
      guard count > 0 else {
        throw input.error(
          ArchiveDamage(
            .containerCut, "the file became shorter while it was read",
            at: ArchivePlace(file: offset)))
      }
      update(unsafe buffer[..<count].bytes)
      offset += UInt64(count)
    }
  }
}
