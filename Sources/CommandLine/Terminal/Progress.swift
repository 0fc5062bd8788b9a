import BAPackCore
import Synchronization

/// Progress on the last line of a terminal, drawn from whichever thread reports it.
///
/// Nothing else may be written there before ``erase()``.
package final class Progress: Sendable {
  private let width: Int
  private let start = ContinuousClock.now
  private let line: Mutex<ProgressLine>

  package init(total: UInt64, width: Int) {
    self.width = width
    line = Mutex(ProgressLine(total: total))
  }

  /// Shows that `done` bytes are done, if it is time to; `remark` says more.
  package func show(_ done: UInt64, remark: String? = nil) {
    line.withLock { line in
      let elapsed = ContinuousClock.now - start
      // A line as wide as the terminal would make some of them scroll.
      guard
        let text = line.line(
          done: done, after: elapsed, width: width - 1, remark: remark)
      else { return }
      write("\r" + text + eraseRest)
    }
  }

  /// Leaves an empty line, with the cursor at its start.
  package func erase() {
    line.withLock { line in
      if line.wasShown { write("\r" + eraseRest) }
    }
  }

  private let eraseRest = "\u{1B}[K"

  private func write(_ text: String) {
    FileDescriptor.withStandardError { error in
      _ = try? error.write(Array(text.utf8), to: FilePath("standard error".utf8))
    }
  }
}
