/// The size and checksums of a file, as an upload needs them.
package struct FileDigests: Sendable {
  /// The number of bytes so far.
  package private(set) var size: UInt64 = 0
  private var md5State = MD5()
  private var sha256State = SHA256()

  /// The digests of no bytes.
  package init() {}

  /// Adds `bytes`.
  package mutating func update(_ bytes: RawSpan) {
    size &+= UInt64(bytes.byteCount)
    md5State.update(bytes)
    sha256State.update(bytes)
  }

  /// Adds `bytes`.
  package mutating func update(_ bytes: [UInt8]) {
    // SAFETY: bytes have no padding that could be read.
    update(unsafe bytes.span.bytes)
  }

  /// The MD5 of the bytes so far.
  package var md5: [UInt8] { md5State.finalize() }
  /// The SHA-256 of the bytes so far.
  package var sha256: [UInt8] { sha256State.finalize() }
}

extension FileDigests {
  /// The digests of a whole file, which must not be a pipe, each on its own thread if `jobs`
  /// allows.
  package init(of input: ArchiveInput, jobs: Int) throws(ArchiveError) {
    self = try Self.find(of: input, jobs: jobs) {}
  }

  /// The SHA-256 of a whole file, which must not be a pipe.
  package static func sha256(of input: ArchiveInput) throws(ArchiveError) -> [UInt8] {
    try SHA256(of: input) { false }.finalize()
  }

  /// The digests of a whole file, which must not be a pipe, computed while `body` runs: with three
  /// or more `jobs`, each of the three has its own thread. An error of `body` takes precedence.
  package static func find(
    of input: ArchiveInput, jobs: Int,
    while body: @escaping @Sendable () throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> FileDigests {
    let shared = Monitor(Work())
    onThreads(min(3, jobs)) {
      while let task = shared.withLock({ $0.left.popLast() }) {
        do throws(ArchiveError) {
          switch task {
          case .body: try body()
          case .md5:
            let state = try MD5(of: input) { shared.withLock { $0.failure != nil } }
            shared.withLock { $0.digests.md5State = state }
          case .sha256:
            let state = try SHA256(of: input) { shared.withLock { $0.failure != nil } }
            shared.withLock { $0.digests.sha256State = state }
          }
        } catch {
          shared.withLock { work in
            if task == .body || work.failure == nil { work.failure = error }
          }
        }
      }
    }
    let work = shared.withLock(\.self)
    if let failure = work.failure { throw failure }
    var digests = work.digests
    digests.size = input.size ?? 0
    return digests
  }

  private struct Work {
    enum Task { case body, md5, sha256 }
    /// The tasks not yet started, the next one last. MD5 comes first because it takes longest:
    /// processors have no instructions for it.
    var left: [Task] = [.sha256, .body, .md5]
    var digests = FileDigests()
    var failure: ArchiveError?
  }
}

extension BlockDigest {
  /// The digest of a file, up to its size when it was opened; of fewer bytes if it `isStopped`.
  fileprivate init(
    of input: ArchiveInput, isStopped: () -> Bool
  ) throws(ArchiveError) {
    self.init()
    let buffer = try input.makeBuffer(1 << 20)
    var offset: UInt64 = 0
    while offset < input.size ?? 0, !isStopped() {
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
