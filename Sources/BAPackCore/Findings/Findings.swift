extension [Finding] {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// The same findings with warnings made errors, as `--strict` asks for.
  public func treatingWarningsAsErrors() -> [Finding] {
    map { finding in
      var finding = finding
      finding.severity = .error
      return finding
    }
  }

  /// The most errors, and the most warnings, that ``limited()`` leaves.
  static let limit = 1000

  /// The findings, up to a thousand errors and a thousand warnings: those that stand first in the
  /// text. The last of them says how many more there are.
  public func limited() -> [Finding] {
    guard count > Self.limit else { return self }
    var left: [Severity: Int] = [.error: Self.limit, .warning: Self.limit]
    var kept = inOrderOfText().filter { finding in
      left[finding.severity, default: 0] -= 1
      return left[finding.severity, default: 0] >= 0
    }
    let rest = count - kept.count
    if rest > 0, let last = kept.popLast() {
      let note = Note("\(counted(rest, "more finding")) \(rest == 1 ? "is" : "are") not shown")
      kept.append(
        Finding(
          last.rule, severity: last.severity, last.message, at: last.location,
          notes: last.notes + [note], fix: last.fix))
    }
    return kept
  }

  /// The findings by where they point in one text; those that point nowhere come last.
  public func inOrderOfText() -> [Finding] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location?.range, right.element.location?.range)
      let (from, to) = (a?.lowerBound ?? .max, b?.lowerBound ?? .max)
      return from == to ? left.offset < right.offset : from < to
    }.map(\.element)
  }
}
