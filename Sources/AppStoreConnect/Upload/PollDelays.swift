import BAPackCore

/// The pauses between questions for a state: longer and longer, from one second to a minute.
package struct PollDelays {
  private var delay = Duration.seconds(1)
  /// All pauses so far.
  private(set) var total = Duration.zero

  package init() {}

  /// Waits for the next pause to end, or until a signal comes in.
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
