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

extension [Finding] {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// The same findings, with every warning turned into an error.
  package func treatingWarningsAsErrors() -> [Finding] {
    map { finding in
      var finding = finding
      finding.severity = .error
      return finding
    }
  }

  /// The findings, but what can't be read only once: several checks may have tried.
  func withoutRepeatedReading() -> [Finding] {
    var seen: Set<String> = []
    return filter { $0.rule != .unreadableFile || seen.insert($0.message).inserted }
  }

  /// The maximum number of errors, and of warnings, that ``limited()`` keeps.
  static let limit = 1000

  /// The first thousand errors and the first thousand warnings, in the order of the text. The last
  /// one says how many more there are.
  package func limited() -> [Finding] {
    guard count > Self.limit else { return self }
    var left: [Severity: Int] = [.error: Self.limit, .warning: Self.limit]
    var kept = sortedByLocation().filter { finding in
      left[finding.severity, default: 0] -= 1
      return left[finding.severity, default: 0] >= 0
    }
    let rest = count - kept.count
    if rest > 0, let last = kept.popLast() {
      let note = Note("\(counted(rest, "more finding")) \(rest == 1 ? "is" : "are") not shown")
      kept.append(
        Finding(
          last.rule, severity: last.severity, last.message, at: last.location,
          notes: last.notes + [note], fix: last.fix, file: last.file))
    }
    return kept
  }

  /// The findings in the order of their places in a text; those without a place come last.
  package func sortedByLocation() -> [Finding] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location?.range, right.element.location?.range)
      let (from, to) = (a?.lowerBound ?? .max, b?.lowerBound ?? .max)
      return from == to ? left.offset < right.offset : from < to
    }.map(\.element)
  }
}
