/// A value made from a text or from files, with all findings.
public struct Checked<Value: Sendable>: Sendable {
  /// The value. If there are errors, it may be incomplete.
  public let value: Value
  /// The findings, each with its severity.
  public let findings: [Finding]

  package init(_ value: Value, findings: [Finding]) {
    self.value = value
    self.findings = findings
  }
}

extension [Finding] {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// The same findings, with every warning turned into an error.
  package func treatingWarningsAsErrors() -> [Finding] {
    map { finding in
      var finding = finding
      if finding.severity == .warning { finding.severity = .error }
      return finding
    }
  }

  /// The maximum number of findings of each severity that ``limited()`` keeps.
  package static let limit = 1000

  /// The first thousand errors, warnings and notes, in the order of the text. The last one of each
  /// severity states how many more there are.
  package func limited() -> [Finding] {
    guard count > Self.limit else { return self }
    var kept: [Finding] = []
    var last: [Severity: Int] = [:]
    var counts: [Severity: Int] = [:]
    for finding in sortedByLocation() {
      counts[finding.severity, default: 0] += 1
      if counts[finding.severity, default: 0] <= Self.limit {
        last[finding.severity] = kept.count
        kept.append(finding)
      } else if let index = last[finding.severity] {
        kept[index].hidden += 1 + finding.hidden
      }
    }
    for (severity, index) in last where counts[severity, default: 0] > Self.limit {
      let hidden = kept[index].hidden
      kept[index].notes.append(
        Note(
          "\(counted(hidden, "more \(severity.rawValue)")) \(hidden == 1 ? "is" : "are") not shown")
      )
    }
    return kept
  }

  /// How many findings of a severity there are, with those that are not shown.
  package func total(_ severity: Severity) -> Int {
    reduce(0) { $0 + ($1.severity == severity ? 1 + $1.hidden : 0) }
  }

  package mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, at location: SourceLocation?,
    notes: [Note?] = [], fix: Fix? = nil, file: RelativePath? = nil, manifests: [Int] = []
  ) {
    append(
      Finding(
        rule, severity: severity, message, at: location, notes: notes, fix: fix, file: file,
        manifests: manifests))
  }

  /// The findings in the order of their locations in a text; those without one come last.
  package func sortedByLocation() -> [Finding] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location?.range, right.element.location?.range)
      let (from, to) = (a?.lowerBound ?? .max, b?.lowerBound ?? .max)
      return from == to ? left.offset < right.offset : from < to
    }.map(\.element)
  }
}
