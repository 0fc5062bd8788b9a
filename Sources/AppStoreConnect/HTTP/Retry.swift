/// When a request that failed is sent again: each pause is a random part of one that doubles, so
/// that many clients don't come back at the same time.
package struct Retry: Sendable {
  /// How often a request is sent, at most.
  package var attempts = 8
  /// The longest first pause.
  package var first = Duration.milliseconds(500)
  /// The longest pause.
  package var longest = Duration.seconds(60)

  package init() {}

  /// The pause after `failures` attempts failed, no shorter than the server asked for.
  package func delay(after failures: Int, asked: Duration? = nil) -> Duration {
    let doubled = first * (1 << min(failures - 1, 20))
    let limit = min(doubled, longest)
    return max(asked ?? .zero, limit * Double.random(in: 0.5...1))
  }
}
