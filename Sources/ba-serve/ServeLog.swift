import BACommandLine
import BAPackCore
import BAServer

/// Writes a line for each event, from any thread: requests to the standard output, everything else
/// to the standard error; as JSON, everything to the standard output.
///
/// Lines are written by a thread of the log, so a reader that stops reading stops no transfer:
/// lines that exceed the queue are dropped and counted. So are those that can't be written, as to a full
/// disk; only a reader that has ended ends the program.
final class ServeLog: Sendable {
  private let format: Serve.Format
  private let state: Monitor<State>

  private struct State {
    var hints: Hints
    var requests = 0
    var bytes: UInt64 = 0
    var queue: [Line] = []
    var queuedBytes = 0
    var dropped = 0
    /// Lines that could not be written since the last that could.
    var lost = 0
    var isWriting = false
    var isClosed = false
  }

  private typealias Line = (text: [UInt8], isForStandardError: Bool)

  private static let maximumQueue = 1 << 20
  /// The time in nanoseconds that the end of the program waits for the reader.
  private static let patience: Int64 = 2_000_000_000

  init(_ format: Serve.Format, _ hints: Hints) {
    self.format = format
    state = Monitor(State(hints: hints))
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Shows how to reach the server, before the events since it started.
  func begin(_ start: ServeStart) throws {
    let text = format == .text ? start.text : JSONWriter.text(start.json, .compact) + "\n"
    state.withLock {
      $0.queue.insert((Array(text.utf8), isForStandardError: false), at: 0)
    }
    try startThread { self.writeLines() }
  }

  func tell(_ event: ServerEvent) {
    state.withLock { state in
      if case .answered(let exchange) = event {
        state.requests += 1
        state.bytes += exchange.bytes
        let text = format == .text ? exchange.line : JSONWriter.text(exchange.json, .compact)
        add(text, &state)
      }
      if let hint = state.hints.hint(for: event) { remark("hint", hint + event.remedy, &state) }
    }
    state.notifyAll()
  }

  func sayDueHints() {
    let hints = state.withLock { $0.hints.due(at: Clock.steady) }
    for hint in hints { say("hint", hint) }
  }

  func packsChanged(_ lines: [String]) {
    state.withLock { $0.hints.packsChanged() }
    for line in lines { say("packs", line) }
  }

  /// Logs a message: a problem, or the response to a command.
  func say(_ kind: String, _ text: String) {
    state.withLock { remark(kind, text, &$0) }
    state.notifyAll()
  }

  /// Logs the number of requests after `text`, and waits until everything is written, or until its
  /// reader had enough time.
  func end(_ text: String) {
    let summary = state.withLock { state in
      "\(counted(state.requests, "request")), \(byteCount(state.bytes)) sent"
    }
    say("", text + summary)
    let due = Clock.steady + Self.patience
    while Clock.steady < due, state.withLock({ $0.isWriting || !$0.queue.isEmpty }) {
      sleep(milliseconds: 5)
    }
    let lost = state.withLock(\.lost)
    if lost > 0 { sayLost(lost) }
  }

  private func remark(_ kind: String, _ text: String, _ state: inout State) {
    switch format {
    case .text:
      add(
        kind.isEmpty || kind == "packs" ? text : "\(kind): \(text)", isForStandardError: true,
        &state)
    case .json:
      let value: JSONValue = .object([
        "event": kind.isEmpty ? "answer" : kind, "time": Clock.timestamp(Clock.now),
        "message": text,
      ])
      add(JSONWriter.text(value, .compact), &state)
    }
  }

  private func add(_ text: String, isForStandardError: Bool = false, _ state: inout State) {
    let bytes = Array((text + "\n").utf8)
    guard state.queuedBytes + bytes.count <= Self.maximumQueue else {
      state.dropped += 1
      return
    }
    state.queue.append((bytes, isForStandardError))
    state.queuedBytes += bytes.count
  }

  private func writeLines() {
    while true {
      let lines = state.wait { state -> [Line]? in
        state.isWriting = !state.queue.isEmpty
        guard state.isWriting else { return nil }
        let dropped = state.dropped
        defer { (state.queue, state.queuedBytes, state.dropped) = ([], 0, 0) }
        if dropped > 0 {
          state.queuedBytes = 0
          let lines = dropped == 1 ? "1 line of the log was" : "\(dropped) lines of the log were"
          remark("warning", "\(lines) dropped: the reader of the log was too slow", &state)
        }
        return state.queue
      }
      var rest = lines[...]
      while let first = rest.first {
        let same = rest.prefix { $0.isForStandardError == first.isForStandardError }
        rest = rest.dropFirst(same.count)
        write(same, toStandardError: first.isForStandardError)
      }
    }
  }

  private func write(_ lines: ArraySlice<Line>, toStandardError: Bool) {
    let bytes = lines.flatMap(\.text)
    // Errors of the standard error can't be reported anywhere.
    if toStandardError {
      _ = try? FileDescriptor.standardError.write(bytes)
      return
    }
    if isClosed { return }
    let lost = state.withLock(\.lost)
    do {
      // The last line may have been written in part.
      try FileDescriptor.standardOutput.write((lost > 0 ? [UInt8(ascii: "\n")] : []) + bytes)
      if lost > 0 {
        state.withLock { $0.lost = 0 }
        sayLost(lost)
      }
    } catch .brokenPipe {
      state.withLock { $0.isClosed = true }
    } catch {
      // The program stops.
      if lost == 0, error != .interrupted {
        tell("the log can't be written (\(error)): its lines are dropped until it can")
      }
      state.withLock { $0.lost += lines.count }
    }
  }

  private func sayLost(_ lost: Int) {
    tell("\(lost == 1 ? "1 line of the log was" : "\(lost) lines of the log were") not written")
  }

  /// Says what can't be said in the log.
  private func tell(_ warning: String) {
    _ = try? FileDescriptor.standardError.write(Array("warning: \(warning)\n".utf8))
  }
}

extension ServerEvent {
  /// The option of this program that helps, to follow a hint.
  fileprivate var remedy: String {
    switch self {
    case .foreignHost(let host, _):
      ": start again with '--host \(brief(host.prefix { $0 != ":" }.utf8))' if it is yours"
    case .changedOnDisk: ": start again, or use --watch"
    default: ""
    }
  }
}
