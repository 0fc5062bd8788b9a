import BAPackCore
import Synchronization

/// An archive that is opened once. Contents are always sent from this file, even if it is renamed
/// or replaced.
final class OpenPack: Sendable {
  let input: ArchiveInput
  let status: FileStatus
  /// The version of the file that was looked at last, and whether it had the contents it had first.
  private let known: Mutex<(version: UInt64, isSame: Bool)>
  /// When a client last received a list with this pack, on the monotonic clock; 0 if none did.
  private let listed = Atomic<Int64>(0)

  init(_ path: BytePath) throws {
    input = try ArchiveInput(path)
    status = try input.status()
    guard status.kind == .file else { throw SystemError(.read, path, code: .illegalSeek) }
    known = Mutex((status.version, true))
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
    known.withLock { known in
      guard let now = try? input.status() else { return false }
      if now.version == known.version { return known.isSame }
      guard now.size == status.size else { return false }
      guard let digest = try? FileDigests.sha256(of: input) else { return false }
      known = (now.version, hexadecimal(digest) == sha256)
      return known.isSame
    }
  }
}
