import BAPackCore

/// Sends the parts of a file, several at a time, directly from the open file.
///
/// Each thread has its own connection, and claims the next part after sending one. Temporary
/// failures are retried after a pause; the first permanent one ends all threads. A thread needs
/// only libcurl's buffer, so memory use doesn't depend on the size of the file.
final class PartSender: Sendable {
  private let path: BytePath
  private let source: PartSource
  private let operations: [UploadOperation]
  private let timeout: Int
  private let retry: Retry
  private let events: PartEvents
  private let state: Monitor<State>

  private struct State {
    /// Indices of unclaimed operations, the next one last.
    var left: [Int]
    /// The number of bytes sent of parts in progress, by index.
    var underWay: [Int: UInt64] = [:]
    var sentBytes: UInt64
    var failure: StoreError?
    /// Whether the server rejected a URL.
    var isExpired = false

    var goesOn: Bool { failure == nil && !isExpired }

    /// The number of bytes sent so far, and the number of parts in progress.
    var progress: (UInt64, Int) { (underWay.values.reduce(sentBytes, +), underWay.count) }
  }

  /// Sends the parts of `source` that are not in `done`.
  init(
    _ source: PartSource, _ path: BytePath, _ operations: [UploadOperation],
    done: Set<Receipt.Part>, timeout: Int, retry: Retry, events: PartEvents
  ) {
    self.path = path
    self.source = source
    self.operations = operations
    self.timeout = timeout
    self.retry = retry
    self.events = events
    let left = operations.indices.filter { !done.contains(operations[$0].part) }
    let sent = operations.filter { done.contains($0.part) }.reduce(0) { $0 + $1.part.length }
    state = Monitor(State(left: left.reversed(), sentBytes: sent))
  }

  /// Sends all parts on up to `jobs` threads. False if a URL was rejected: it has expired, and new
  /// ones must be requested.
  func send(jobs: Int) throws(StoreError) -> Bool {
    let count = state.withLock { $0.left.count }
    onThreads(min(jobs, count)) { self.work() }
    let (failure, isExpired) = state.withLock { ($0.failure, $0.isExpired) }
    if let failure { throw .failing(failure) }
    return !isExpired
  }

  private func work() {
    guard state.withLock({ !$0.left.isEmpty }) else { return }
    let connection = Connection(timeout: timeout)
    while let index = next() {
      do throws(StoreError) {
        let isSent = try sendPart(index, connection)
        let (bytes, underWay) = state.withLock { state in
          state.underWay[index] = nil
          if isSent { state.sentBytes += operations[index].part.length }
          return state.progress
        }
        guard isSent else { continue }
        events.progress(bytes, underWay)
        try events.done(operations[index].part)
      } catch {
        state.withLock { state in
          if state.failure == nil { state.failure = error }
        }
      }
    }
  }

  private func next() -> Int? {
    state.withLock { state in
      guard state.goesOn, let index = state.left.popLast() else { return nil }
      state.underWay[index] = 0
      return index
    }
  }

  /// Sends one part; false if it can't be sent any more, for the reason in `state`.
  private func sendPart(_ index: Int, _ connection: Connection) throws(StoreError) -> Bool {
    let operation = operations[index]
    let request = HTTPRequest(
      method: operation.method, url: operation.url, headers: operation.headers,
      body: source.body(operation.range))
    var failures = 0
    while true {
      var asked: Duration?
      let failure: StoreError
      do throws(TransportError) {
        let response = try connection.send(request) { self.report($0, of: index) }
        if (200...299).contains(response.status) { return true }
        if response.status == 403 || response.status == 410 {
          state.withLock { $0.isExpired = true }
          return false
        }
        failure = .part(number: index + 1, status: response.status, path: path)
        asked = response.retryAfter
        if !response.isTemporary { failures = retry.attempts }
      } catch {
        if case .cancelled = error.kind, !state.withLock({ $0.goesOn }) { return false }
        failure = .failing(
          .transport(error, request: "part \(index + 1) of '\(path)'"))
        if !error.isTemporary { failures = retry.attempts }
      }
      failures += 1
      guard failures < retry.attempts else { throw failure }
      _ = report(0, of: index)
      events.retried(index + 1, failure)
      pause(retry.delay(after: failures, asked: asked))
      if let signal = Interruption.pending { throw .interrupted(signal) }
      guard state.withLock({ $0.goesOn }) else { return false }
    }
  }

  /// Records how much of a part was sent; false if the thread should stop.
  private func report(_ sent: UInt64, of index: Int) -> Bool {
    let (goesOn, (bytes, underWay)) = state.withLock { state in
      state.underWay[index] = min(sent, operations[index].part.length)
      return (state.goesOn, state.progress)
    }
    events.progress(bytes, underWay)
    return goesOn
  }
}

/// The source of the parts' bytes.
enum PartSource: Sendable {
  case file(ArchiveInput)
  case bytes([UInt8])

  func body(_ range: Range<UInt64>) -> HTTPRequest.Body {
    switch self {
    case .file(let input):
      .file(input, offset: range.lowerBound, count: UInt64(range.count))
    case .bytes(let bytes):
      .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
  }
}

/// Events of a sender, from any thread.
struct PartEvents: Sendable {
  /// The number of bytes of the file sent, and the number of parts in progress.
  let progress: @Sendable (UInt64, Int) -> Void
  /// The server has received a part.
  let done: @Sendable (Receipt.Part) throws(StoreError) -> Void
  /// A part is sent again after this error.
  let retried: @Sendable (Int, StoreError) -> Void
}

extension UploadOperation {
  var part: Receipt.Part {
    Receipt.Part(offset: range.lowerBound, length: range.upperBound - range.lowerBound)
  }
}
