/// A value that was made from a text or from files, and all that was found wrong with them.
public struct Checked<Value: Sendable>: Sendable {
  /// The value. With errors among the findings it may lack parts.
  public let value: Value
  /// All that was found, each with its severity.
  public let findings: [Finding]

  /// A value with what was found on the way to it.
  package init(_ value: Value, findings: [Finding]) {
    self.value = value
    self.findings = findings
  }
}
