import AppStoreConnect
import BAPackCore
import CommandLine
import Synchronization

/// The log of an upload, from any thread: messages, and the line of progress below them.
final class UploadLog: Sendable {
  private let progress = Mutex<Progress?>(nil)

  func begin(_ progress: Progress?) { self.progress.withLock { $0 = progress } }

  func note(_ text: String) {
    progress.withLock { progress in
      progress?.erase()
      FileDescriptor.writeToStandardError(text + "\n")
    }
  }

  func show(_ bytes: UInt64, parts: Int) {
    progress.withLock { $0?.show(bytes, remark: counted(parts, "part")) }
  }

  func end() {
    progress.withLock { progress in
      progress?.erase()
      progress = nil
    }
  }

  func tell(_ event: UploadEvent, isVerbose: Bool) {
    switch event {
    case .createdPack(let path, let identifier): note("\(path): created asset pack '\(identifier)'")
    case .createdVersion(let path, let version):
      if isVerbose { note("\(path): created version \(version)") }
    case .continues(let path, let version, let sent):
      note(
        "\(path): continuing version \(version)"
          + (sent > 0 ? ", \(byteCount(sent)) already uploaded" : ""))
    case .manifestAccepted(let path): note("\(path): the manifest was accepted")
    case .retried(let path, let part, let error):
      if isVerbose { note("\(path): retrying part \(part): \(error)") }
    case .renewed(let path):
      note("\(path): the addresses for the parts have expired; asking for new ones")
    case .abandoned(let path, let version):
      note("\(path): version \(version) accepts no other file; creating another version")
    case .committedWithoutDigest(let path):
      note("\(path): the store did not accept a SHA-256, and checks only the size")
    case .progress(let bytes, let parts): show(bytes, parts: parts)
    }
  }
}
