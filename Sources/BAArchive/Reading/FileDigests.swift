/// The size and checksums of a file, as an upload needs them.
package struct FileDigests: Sendable {
  package private(set) var size: UInt64 = 0
  private var md5State = MD5()
  private var sha256State = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    size &+= UInt64(bytes.byteCount)
    md5State.update(bytes)
    sha256State.update(bytes)
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withRawSpan { update($0) }
  }

  package var md5: [UInt8] { md5State.finalize() }
  package var sha256: [UInt8] { sha256State.finalize() }
}

extension FileDigests {
  /// The digests of a whole file, which must not be a pipe, each on its own thread if `jobs`
  /// allows.
  package init(of input: ArchiveInput, jobs: Int) throws {
    self = try Self.find(of: input, jobs: jobs) {}
  }

  /// The SHA-256 of a whole file, which must not be a pipe.
  package static func sha256(of input: ArchiveInput) throws -> [UInt8] {
    try SHA256(of: input, { false }).finalize()
  }

  /// The digests of a whole file, which must not be a pipe, computed while `body` runs: with three
  /// or more `jobs`, each of the three has its own thread. Without `md5`, only the SHA-256 is valid.
  /// An error of `body` takes precedence.
  package static func find(
    of input: ArchiveInput, md5: Bool = true, jobs: Int,
    while body: @escaping @Sendable () throws -> Void
  ) throws -> FileDigests {
    let shared = Monitor((digests: FileDigests(), hasFailed: false))
    // MD5 comes first because it takes longest: processors have no instructions for it.
    let errors = mapOnThreads(3, share: 1, jobs: jobs) { task -> (any Error)? in
      let isStopped = { shared.withLock { $0.hasFailed } }
      do {
        switch task {
        case 0 where md5:
          let state = try MD5(of: input, isStopped)
          shared.withLock { $0.digests.md5State = state }
        case 0: break
        case 1: try body()
        default:
          let state = try SHA256(of: input, isStopped)
          shared.withLock { $0.digests.sha256State = state }
        }
        return nil
      } catch {
        shared.withLock { $0.hasFailed = true }
        return error
      }
    }
    if let error = errors[1] ?? errors[0] ?? errors[2] { throw error }
    var digests = shared.withLock { $0.digests }
    digests.size = input.size ?? 0
    return digests
  }
}

extension BlockDigest {
  /// The digest of a file, up to its size when it was opened; of fewer bytes if it `isStopped`.
  fileprivate init(of input: ArchiveInput, _ isStopped: () -> Bool) throws {
    self.init()
    do {
      let buffer = try Buffer(size: readAtOnce)
      var offset: UInt64 = 0
      while offset < input.size ?? 0, !isStopped() {
        try Interrupted.check()
        let count = try input.read(into: buffer, readAtOnce, at: offset)
        guard count > 0 else {
          throw ArchiveDamage(
            .containerCut, "the file became shorter while it was read",
            at: ArchivePlace(file: offset))
        }
        buffer.withSpan(..<count) { update($0) }
        offset += UInt64(count)
      }
    } catch {
      throw input.error(error)
    }
  }
}

private let readAtOnce = 1 << 20
