import BACommandLine
import BAPackCore
import Synchronization

/// The log of an upload, from any thread: messages, and the line of progress below them.
final class UploadLog: Sendable {
  private let progress = Mutex<Progress?>(nil)

  func begin(_ progress: Progress?) { self.progress.withLock { $0 = progress } }

  func tell(_ text: String) {
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
}
