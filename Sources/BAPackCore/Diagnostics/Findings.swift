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

  /// The findings by where they point in one text; those that point nowhere come last.
  public func inOrderOfText() -> [Finding] {
    enumerated().sorted { left, right in
      let (a, b) = (left.element.location?.range, right.element.location?.range)
      let (from, to) = (a?.lowerBound ?? .max, b?.lowerBound ?? .max)
      return from == to ? left.offset < right.offset : from < to
    }.map(\.element)
  }
}
