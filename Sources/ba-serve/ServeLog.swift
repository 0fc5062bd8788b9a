import AssetPackServer
import BAPackCore
import CommandLine
import Synchronization

/// Writes a line for each event, from any thread: requests to the standard output, everything else
/// to the standard error; as JSON, everything to the standard output.
final class ServeLog: Sendable {
  private let format: Serve.Format
  private let state: Mutex<State>
  private let outputIsClosed = Atomic<Bool>(false)

  private struct State {
    var hints: Hints
    /// Whether the start was shown. Earlier events are kept until then.
    var isStarted = false
    var held: [ServerEvent] = []
    var requests = 0
    var bytes: UInt64 = 0
  }

  init(_ format: Serve.Format) {
    self.format = format
    state = Mutex(State(hints: Hints(authority: nil, setupPage: nil)))
  }

  /// Whether the reader of the output has closed it.
  var isClosed: Bool { outputIsClosed.load(ordering: .relaxed) }

  /// Shows how to reach the server, then the events since it started.
  func begin(_ start: ServeStart, hints: Hints) {
    state.withLock { state in
      state.hints = hints
      state.isStarted = true
      switch format {
      case .text: output(start.text)
      case .json: output(JSONWriter.text(start.json, .compact) + "\n")
      }
      for event in state.held { show(event, &state) }
      state.held = []
    }
  }

  /// Logs an event.
  func note(_ event: ServerEvent) {
    state.withLock { state in
      if state.isStarted { show(event, &state) } else { state.held.append(event) }
    }
  }

  /// Logs the hints that are due.
  func sayDueHints() {
    state.withLock { state in
      for hint in state.hints.due(at: Clock.steady) { remark("hint", hint) }
    }
  }

  /// Logs the result of reloading packs.
  func packsChanged(_ lines: [String]) {
    state.withLock { state in
      state.hints.packsChanged()
      for line in lines { remark("packs", line) }
    }
  }

  /// Logs a message: a problem, or the response to a command.
  func say(_ kind: String, _ text: String) {
    state.withLock { _ in remark(kind, text) }
  }

  /// The requests so far.
  var summary: String {
    state.withLock { state in
      "\(counted(state.requests, "request")), \(byteCount(state.bytes)) sent"
    }
  }

  private func show(_ event: ServerEvent, _ state: inout State) {
    if case .answered(let exchange) = event {
      state.requests += 1
      state.bytes += exchange.bytes
      switch format {
      case .text: output(exchange.line + "\n")
      case .json: output(JSONWriter.text(exchange.json, .compact) + "\n")
      }
    }
    if let hint = state.hints.hint(for: event) { remark("hint", hint + event.remedy) }
  }

  private func remark(_ kind: String, _ text: String) {
    switch format {
    case .text:
      let line = kind.isEmpty || kind == "packs" ? text : "\(kind): \(text)"
      FileDescriptor.writeToStandardError(line + "\n")
    case .json:
      let value: JSONValue = [
        "event": JSONValue(kind.isEmpty ? "answer" : kind),
        "time": JSONValue(Clock.timestamp(Clock.now)), "message": JSONValue(text),
      ]
      output(JSONWriter.text(value, .compact) + "\n")
    }
  }

  private func output(_ text: String) {
    guard !isClosed else { return }
    FileDescriptor.withStandardOutput { output in
      do throws(Errno) {
        try output.write(Array(text.utf8))
      } catch {
        outputIsClosed.store(true, ordering: .relaxed)
      }
    }
  }
}

extension ServerEvent {
  /// The option of this program that helps, to follow a hint.
  fileprivate var remedy: String {
    switch self {
    case .foreignHost(let host, _):
      ": start again with '--host \(printable(host.prefix { $0 != ":" }.utf8))' if it is yours"
    case .changedOnDisk: ": start again, or use --watch"
    default: ""
    }
  }
}
