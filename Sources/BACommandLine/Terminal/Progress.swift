import BADiagnostics
import Synchronization

/// Progress on the last line of a terminal, drawn by any thread that reports it; in a log, a line
/// every ten seconds.
///
/// Nothing else may be written to the terminal before ``erase()``.
package final class Progress: Sendable {
  private let width: Int
  private let start = ContinuousClock.now
  private let line: Mutex<ProgressLine>

  package init(total: UInt64, width: Int, on medium: ProgressLine.Medium = .terminal) {
    self.width = width
    line = Mutex(ProgressLine(total: total, on: medium))
  }

  /// Shows that `done` bytes are done, unless the last update is very recent; `remark` is added.
  package func show(_ done: UInt64, remark: String? = nil) {
    line.withLock { line in
      // On some terminals a full line would scroll.
      let text = line.line(
        done: done, after: ContinuousClock.now - start, width: width - 1, remark: remark)
      guard let text else { return }
      FileDescriptor.writeToStandardError(
        line.medium == .log ? text + "\n" : "\r" + text + eraseRest)
    }
  }

  /// Clears the line and moves the cursor to its start.
  package func erase() {
    line.withLock { line in
      if line.last != nil, line.medium == .terminal {
        FileDescriptor.writeToStandardError("\r" + eraseRest)
      }
    }
  }

  private let eraseRest = "\u{1B}[K"
}

/// The progress line of a long operation: ` 42%  1.2 GB of 2.9 GB  310.5 MB/s  5 s left`.
///
/// It has no clock: the caller passes the time since the start.
package struct ProgressLine: Sendable {
  private let total: UInt64
  /// When a line was last returned.
  fileprivate var last: Duration?

  package enum Medium: Sendable {
    case terminal
    case log

    /// Shorter operations show no progress.
    fileprivate var delay: Duration { self == .log ? .seconds(10) : .milliseconds(500) }
    /// More frequent updates would flicker, or fill the log.
    fileprivate var interval: Duration { self == .log ? .seconds(10) : .milliseconds(100) }
  }

  fileprivate let medium: Medium

  package init(total: UInt64, on medium: Medium = .terminal) {
    self.total = total
    self.medium = medium
  }

  /// The line for `done` bytes after `elapsed` in at most `width` columns; nil if it is too early.
  package mutating func line(
    done: UInt64, after elapsed: Duration, width: Int, remark: String? = nil
  ) -> String? {
    guard elapsed >= medium.delay, last.map({ elapsed - $0 >= medium.interval }) ?? true else {
      return nil
    }
    last = elapsed
    let done = min(done, total)
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = Double(done) / seconds
    let percent = total == 0 ? 100 : Int(Double(done) / Double(total) * 100)
    var parts = [
      String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent)%",
      "\(byteCount(done)) of \(byteCount(total))",
      "\(byteCount(UInt64(rate)))/s",
    ]
    if rate >= 1 { parts.append("\(timeLeft(Double(total - done) / rate)) left") }
    if let remark { parts.append(remark) }
    var line = parts.joined(separator: "  ")
    while line.count > width, parts.count > 1 {
      parts.removeLast()
      line = parts.joined(separator: "  ")
    }
    return line
  }

  /// Whole seconds, rounded up: `5 s`, `2 min 5 s`, `1 h 3 min`.
  private func timeLeft(_ seconds: Double) -> String {
    // Larger values are meaningless, and might not fit an integer.
    let left = Int(min(seconds, 1e9).rounded(.up))
    if left < 60 { return "\(left) s" }
    if left < 3600 { return "\(left / 60) min \(left % 60) s" }
    return "\(left / 3600) h \(left % 3600 / 60) min"
  }
}
