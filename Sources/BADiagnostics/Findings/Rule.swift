/// A rule that a ``Finding`` violates. Each has a unique ``id``.
///
/// `ba-package explain` and the page of rules in the documentation are generated from these values;
/// the texts are Markdown. Each
/// stands beside its check, and in the list of its area.
public struct Rule: Hashable, Sendable, Identifiable {
  /// A stable name, such as `missing-file`.
  public let id: String
  /// The severity of its findings unless a command changes it.
  package let severity: Severity
  package let area: Area
  /// The meaning of its findings, on one line.
  public let title: String
  /// Why the rule exists, and where it comes from.
  package let reason: String
  /// How to fix it.
  public let remedy: String
  /// A piece of a manifest or script that violates the rule; empty if none can show it.
  package let example: String

  /// Which findings of the rule a setting can turn off or change in severity.
  package let adjustment: Adjustment

  package init(
    _ id: String, _ severity: Severity, _ area: Area, _ title: String,
    adjustment: Adjustment? = nil, reason: String, remedy: String, example: String = ""
  ) {
    self.adjustment = adjustment ?? (severity == .error ? .none : .warnings)
    self.id = id
    self.severity = severity
    self.area = area
    self.title = title
    self.reason = reason
    self.remedy = remedy
    self.example = example
  }

  /// Which findings can be turned off.
  package enum Adjustment: Sendable {
    /// All, including errors: a pack can still be made.
    case all
    /// Warnings and notes.
    case warnings
    /// None: every finding is an error that prevents making a pack.
    case none
  }

  package struct Area: Hashable, Sendable {
    package let title: String

    package init(_ title: String) { self.title = title }
  }
}
