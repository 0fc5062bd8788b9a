import BAPackCore
import Synchronization

/// Progress on the last line of a terminal, drawn by any thread that reports it; in a log, a line
/// every ten seconds.
///
/// Nothing else may be written to the terminal before ``erase()``.
package final class Progress: Sendable {
  private let width: Int
  private let medium: ProgressLine.Medium
  private let start = ContinuousClock.now
  private let line: Mutex<ProgressLine>

  package init(total: UInt64, width: Int, on medium: ProgressLine.Medium = .terminal) {
    self.width = width
    self.medium = medium
    line = Mutex(ProgressLine(total: total, on: medium))
  }

  /// Shows that `done` bytes are done, unless the last update is very recent; `remark` is added.
  package func show(_ done: UInt64, remark: String? = nil) {
    line.withLock { line in
      let elapsed = ContinuousClock.now - start
      // On some terminals a full line would scroll.
      guard
        let text = line.line(
          done: done, after: elapsed, width: width - 1, remark: remark)
      else { return }
      write(medium == .log ? text + "\n" : "\r" + text + eraseRest)
    }
  }

  /// Clears the line and moves the cursor to its start.
  package func erase() {
    line.withLock { line in
      if line.wasShown, medium == .terminal { write("\r" + eraseRest) }
    }
  }

  private let eraseRest = "\u{1B}[K"

  private func write(_ text: String) {
    // A missing line does no harm.
    FileDescriptor.writeToStandardError(text)
  }
}
