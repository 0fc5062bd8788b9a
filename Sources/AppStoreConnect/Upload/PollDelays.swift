import BAPackCore

/// The pauses between polls: increasing from one second to a minute.
package struct PollDelays {
  private var delay = Duration.seconds(1)
  /// The sum of the pauses so far.
  private(set) var total = Duration.zero

  package init() {}

  /// Sleeps for the next pause, or until a signal arrives.
  package mutating func pause() throws(StoreError) {
    AppStoreConnect.pause(next())
    if let signal = Interruption.pending { throw .interrupted(signal) }
  }

  mutating func next() -> Duration {
    let result = delay
    delay = min(delay * 1.5, .seconds(60))
    total += result
    return result
  }
}
