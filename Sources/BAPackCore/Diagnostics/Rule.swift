/// A rule that manifests and packs are held against. Its raw value is its stable id.
public enum Rule: String, Sendable, CaseIterable {
  /// The manifest is not JSON5.
  case syntax

  /// The severity of a finding of this rule, unless a command changes it.
  public var severity: Severity { .error }
}
