import BAPackCore

/// When failed requests are repeated: with exponential backoff and jitter, so many clients
/// don't return at the same time.
package enum Retry {
  private static let attempts = 8
  static let longestWait = Duration.seconds(600)

  /// The pause after `failures` attempts failed, no shorter than the server asked for; at most a
  /// minute otherwise.
  package static func delay(after failures: Int, asked: Duration? = nil) -> Duration {
    let limit = min(.milliseconds(500) * (1 << min(failures - 1, 20)), Duration.seconds(60))
    return max(asked ?? .zero, limit * Double.random(in: 0.5...1))
  }

  /// The result of `attempt`, which is repeated after temporary failures, but not after `deadline`.
  /// `failed` receives each failure and the pause that follows.
  static func run<Result>(
    until deadline: ContinuousClock.Instant? = nil, failed: (StoreError, Duration) -> Void,
    _ attempt: () throws -> Result
  ) throws -> Result {
    var failures = 0
    var paused = Duration.zero
    while true {
      do {
        return try attempt()
      } catch let error as StoreError where error.isTemporary {
        failures += 1
        let delay = delay(after: failures, asked: error.retryAfter)
        paused += delay
        guard failures < attempts, paused <= Self.longestWait,
          deadline.map({ .now + delay < $0 }) ?? true
        else { throw error }
        failed(error, delay)
        try pause(delay)
      }
    }
  }
}

/// The pauses between polls: increasing from one second to a minute.
package struct PollDelays {
  private var delay = Duration.seconds(1)

  package init() {}

  /// Sleeps for the next pause, at most until `end`.
  package mutating func pause(until end: ContinuousClock.Instant? = nil) throws {
    try BAUpload.pause(min(delay, end.map { $0 - .now } ?? delay))
    delay = min(delay * 1.5, .seconds(60))
  }
}
