import BAPackCore
import Synchronization

/// An archive that is opened once. Contents are always sent from this file, even if it is renamed
/// or replaced.
final class OpenPack: Sendable {
  let input: ArchiveInput
  let status: FileStatus
  /// The version of the file whose contents are known.
  private let version: Mutex<UInt64>
  /// When a client last received a list with this pack, on the monotonic clock; 0 if none did.
  private let listed = Atomic<Int64>(0)

  init(_ path: BytePath) throws {
    input = try ArchiveInput(path)
    status = try input.status()
    guard status.kind == .file else { throw SystemError(.read, path, code: .illegalSeek) }
    version = Mutex(status.version)
  }

  func noteListing() { listed.store(Clock.steady, ordering: .relaxed) }

  /// Whether a client received a list with this pack since a time of the monotonic clock.
  func wasListed(since start: Int64) -> Bool {
    let time = listed.load(ordering: .relaxed)
    return time > 0 && time >= start
  }

  var modified: Int64 { status.modified / 1_000_000_000 }

  /// Whether the file still has the contents with this digest. They are read again after anything
  /// touched the file, even if that only removed a name: a program can set the time of modification.
  func stillHas(_ sha256: String) -> Bool {
    version.withLock { version in
      guard let now = try? input.status() else { return false }
      if now.version == version { return true }
      guard now.size == status.size, now.modified == status.modified,
        (try? FileDigests.sha256(of: input)).map({ hexadecimal($0) }) == sha256
      else { return false }
      version = now.version
      return true
    }
  }
}
