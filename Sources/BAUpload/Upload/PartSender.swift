import BAPackCore

/// Sends the parts of a file, several at a time, directly from the open file.
///
/// Each thread has its own connection, and claims the next part after sending one. Temporary
/// failures are retried after a pause; the first permanent one ends all threads. A thread needs
/// only libcurl's buffer, so memory use doesn't depend on the size of the file.
struct PartSender: Sendable {
  let pack: LocalPack
  let source: HTTPRequest.Body
  let operations: [UploadOperation]
  let options: UploadOptions
  let report: @Sendable (UploadEvent) -> Void
  let done: @Sendable (Range<UInt64>) throws -> Void
  private let state = Monitor(State())

  private struct State {
    /// Indices of unclaimed operations, the next one last.
    var left: [Int] = []
    /// The number of bytes sent of parts in progress, by index.
    var underWay: [Int: UInt64] = [:]
    var sentBytes: UInt64 = 0
    var failure: (any Error)?
    var isExpired = false

    var goesOn: Bool { failure == nil && !isExpired }
    var progress: UploadEvent {
      .progress(underWay.values.reduce(sentBytes, +), parts: underWay.count)
    }
  }

  /// Sends all parts but those that are `present`, on up to `jobs` threads. False if a URL was
  /// rejected: it has expired, and new ones must be requested.
  func send(without present: Set<Range<UInt64>>) throws -> Bool {
    let count = state.withLock { state in
      for (index, part) in operations.enumerated().reversed() {
        if present.contains(part.range) {
          state.sentBytes += part.range.length
        } else {
          state.left.append(index)
        }
      }
      return state.left.count
    }
    onThreads(min(options.jobs, count)) { work() }
    let (failure, isExpired) = state.withLock { ($0.failure, $0.isExpired) }
    if let failure { throw failure }
    return !isExpired
  }

  private func work() {
    let connection = Connection(timeout: options.timeout)
    while let index = next() {
      do {
        try sendPart(index, connection)
        let progress = state.withLock { state in
          state.underWay[index] = nil
          state.sentBytes += operations[index].range.length
          return state.progress
        }
        report(progress)
        try done(operations[index].range)
      } catch {
        state.withLock { state in
          // The end of the other threads is not their failure.
          if state.goesOn { state.failure = error }
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

  private func sendPart(_ index: Int, _ connection: Connection) throws {
    let operation = operations[index]
    let request = HTTPRequest(
      method: operation.method, url: operation.url, name: "part \(index + 1) of '\(pack.path)'",
      headers: operation.headers, body: source.part(operation.range))
    try Retry.run(failed: { error, _ in
      _ = tell(0, of: index)
      report(.message("\(pack.path): retrying part \(index + 1): \(error)", .detail))
    }) {
      let version = try pack.unchangedVersion()
      let response = try connection.send(request) { tell($0, of: index) }
      if (200...299).contains(response.status) {
        if try pack.unchangedVersion() == version { return }
        // It has the same bytes again, but may have had others in between.
        var error = StoreError("the file was touched while \(request.name) was sent")
        error.isTemporary = true
        throw error
      }
      var error = StoreError(
        "\(request.name) was refused with HTTP status \(response.status)", isOfOnePack: true)
      error.isTemporary = response.isTemporary
      error.retryAfter = response.retryAfter
      if response.status == 403 || response.status == 410 {
        state.withLock { $0.isExpired = true }
      }
      throw error
    }
  }

  /// Records how much of a part was sent; false if the thread should stop.
  private func tell(_ sent: UInt64, of index: Int) -> Bool {
    let (goesOn, progress) = state.withLock { state in
      state.underWay[index] = min(sent, operations[index].range.length)
      return (state.goesOn, state.progress)
    }
    report(progress)
    return goesOn
  }
}
