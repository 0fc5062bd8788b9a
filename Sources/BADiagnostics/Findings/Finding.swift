/// How serious a finding is.
public enum Severity: String, Sendable {
  /// Nothing is wrong; a fact to know.
  case note
  /// The pack can be made, but something should be checked.
  case warning
  /// No pack is made.
  case error
}

/// A problem, its location, and what to do about it.
public struct Finding: Hashable, Sendable {
  /// The rule that is violated.
  public let rule: Rule
  /// The severity in this run.
  public var severity: Severity
  /// The problem, in one sentence without a final period.
  public let message: String
  /// The location; nil if it isn't in a text.
  public let location: SourceLocation?
  /// Other locations involved, and advice.
  public package(set) var notes: [Note]
  /// The edit that fixes it, if there is an obvious one.
  public let fix: Fix?
  /// How many more of its severity there are, which are not shown.
  package var hidden = 0
  /// The file that it is about, if any, relative to the source root.
  public let file: RelativePath?
  /// The indices of the manifests that it is about, if several were checked together; the first is
  /// the one with ``location``.
  package var manifests: [Int]

  /// A finding of `rule`, with the rule's severity by default.
  package init(
    _ rule: Rule, severity: Severity? = nil, _ message: String, at location: SourceLocation?,
    notes: [Note?] = [], fix: Fix? = nil, file: RelativePath? = nil, manifests: [Int] = []
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.message = message
    self.location = location
    self.notes = notes.compactMap(\.self)
    self.fix = fix
    self.file = file
    self.manifests = manifests
  }
}

/// A note on a finding.
public struct Note: Hashable, Sendable {
  /// The note, in one sentence without a final period.
  public let message: String
  /// The location that it is about, if any.
  public let location: SourceLocation?

  package init(_ message: String, at location: SourceLocation? = nil) {
    self.message = message
    self.location = location
  }
}

/// A replacement for the bytes at a location.
public struct Fix: Hashable, Sendable {
  /// The bytes to replace.
  public let location: SourceLocation
  /// The text to put there.
  public let replacement: String
  /// Whether it is certain to be what the author meant. A guess is shown, but not applied.
  public let isCertain: Bool

  package init(_ location: SourceLocation, _ replacement: String, isCertain: Bool = true) {
    self.location = location
    self.replacement = replacement
    self.isCertain = isCertain
  }
}

extension Note {
  /// `also 'a', 'b' and 3 more files`, for the files that a finding is about besides the first; nil
  /// if there are none.
  package init?(onOtherFiles names: some Collection<String>) { self.init(onOther: "file", names) }

  /// The same for things that are called `noun`.
  package init?(onOther noun: String, _ names: some Collection<String>) {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(5)
    let rest = names.count - shown.count
    self.init(
      "also " + shown.joined(separator: ", ")
        + (rest > 0 ? " and \(counted(rest, "more \(noun)"))" : ""))
  }
}
