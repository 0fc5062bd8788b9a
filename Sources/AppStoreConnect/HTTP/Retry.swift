/// When failed requests are repeated: with exponential backoff and jitter, so that many clients
/// don't return at the same time.
package struct Retry: Sendable {
  /// The maximum number of attempts.
  package var attempts = 8
  /// The maximum of the first pause.
  package var first = Duration.milliseconds(500)
  /// The maximum of all pauses.
  package var longest = Duration.seconds(60)

  package init() {}

  /// The pause after `failures` attempts failed, no shorter than the server asked for.
  package func delay(after failures: Int, asked: Duration? = nil) -> Duration {
    let doubled = first * (1 << min(failures - 1, 20))
    let limit = min(doubled, longest)
    return max(asked ?? .zero, limit * Double.random(in: 0.5...1))
  }
}
