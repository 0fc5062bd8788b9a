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

  /// The first thousand errors, warnings and notes, in the order of the text. The last one states
  /// how many more there are.
  package func limited() -> [Finding] {
    guard count > Self.limit else { return self }
    var left: [Severity: Int] = [:]
    var kept = sortedByLocation().filter { finding in
      left[finding.severity, default: Self.limit] -= 1
      return left[finding.severity, default: 0] >= 0
    }
    let rest = count - kept.count
    if rest > 0, var last = kept.popLast() {
      last.notes.append(
        Note("\(counted(rest, "more finding")) \(rest == 1 ? "is" : "are") not shown"))
      kept.append(last)
    }
    return kept
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
