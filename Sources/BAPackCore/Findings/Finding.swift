/// How much a finding weighs.
public enum Severity: String, Sendable, Comparable {
  /// The pack may be made, but something about it deserves a look.
  case warning
  /// No pack is made.
  case error

  /// A warning weighs less than an error.
  public static func < (left: Severity, right: Severity) -> Bool {
    left == .warning && right == .error
  }
}

/// One thing that is wrong, where, and what to do about it.
public struct Finding: Sendable {
  /// The rule that was broken.
  public let rule: Rule
  /// Its weight in this run.
  public var severity: Severity
  /// What is wrong, in one sentence without a final period.
  public let message: String
  /// Where; nil when no text can be pointed into.
  public let location: SourceLocation?
  /// Other places involved, and what to do.
  public let notes: [Note]
  /// The edit that mends it, where one is near.
  public let fix: Fix?

  /// A finding of `rule`, with the rule's own severity unless another is given.
  public init(
    _ rule: Rule, severity: Severity? = nil, _ message: String, at location: SourceLocation?,
    notes: [Note] = [], fix: Fix? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.message = message
    self.location = location
    self.notes = notes
    self.fix = fix
  }
}

/// A remark that belongs to a finding.
public struct Note: Sendable {
  /// The remark, in one sentence without a final period.
  public let message: String
  /// The place it is about, if any.
  public let location: SourceLocation?

  /// A remark about `location`.
  public init(_ message: String, at location: SourceLocation? = nil) {
    self.message = message
    self.location = location
  }
}

/// A replacement of the bytes at a place.
public struct Fix: Sendable {
  /// What to replace.
  public let location: SourceLocation
  /// What to put there.
  public let replacement: String

  /// Replaces the bytes at `location` by `replacement`.
  public init(_ location: SourceLocation, _ replacement: String) {
    self.location = location
    self.replacement = replacement
  }
}
