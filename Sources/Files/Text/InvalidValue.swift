/// Why a text isn't a valid value, such as a URL.
package struct InvalidValue: Error, Hashable, Sendable {
  /// What is wrong, to follow the text in a message.
  package let reason: String

  /// An error with `reason`.
  package init(reason: String) { self.reason = reason }
}

extension InvalidValue: CustomStringConvertible {
  /// The reason.
  package var description: String { reason }
}
