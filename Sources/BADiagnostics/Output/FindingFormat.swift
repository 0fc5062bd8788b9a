/// The output formats of findings.
public struct FindingFormat: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// For people: location, message, and the line of the text with a caret.
  public static let text = FindingFormat(known: "text")
  /// For programs: an object with `schemaVersion`.
  public static let json = FindingFormat(known: "json")
  /// For GitHub Actions: workflow commands, which become annotations.
  public static let github = FindingFormat(known: "github")
  /// For code scanning: SARIF 2.1.0.
  public static let sarif = FindingFormat(known: "sarif")
  /// For GitLab: a Code Quality report.
  public static let gitlab = FindingFormat(known: "gitlab")
  /// For most CI systems: JUnit XML.
  public static let junit = FindingFormat(known: "junit")

  /// The formats of this version.
  public static let allCases = [text, json, github, sarif, gitlab, junit]

  /// The name of the format.
  public let rawValue: String

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The format with this name; nil if there is none.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }
}

extension [Finding] {
  /// The findings in `format`, in the order given. With `color`, text contains terminal escapes.
  public func rendered(
    as format: FindingFormat, color: Bool = false, columns: Int? = nil
  ) -> String {
    rendered(as: format, files: [], color: color, columns: columns)
  }

  /// The findings in `format`, in the order given. JUnit output has a test suite for each of
  /// `files`, the checked files. The formats of CI systems also have `summaries`, for which JSON
  /// has the object `coverage`; text omits both. Excerpts in text fit into `columns`.
  package func rendered(
    as format: FindingFormat, files: [BytePath], summaries: [Finding] = [],
    coverage: (any JSONRepresentable)? = nil, color: Bool, columns: Int? = nil
  ) -> String {
    let all = self + summaries
    return switch format {
    case .json: JSONWriter.text(jsonReport(self, coverage))
    case .github: all.map { gitHubAnnotation($0) }.joined()
    case .sarif: JSONWriter.text(sarifLog(all))
    case .gitlab: JSONWriter.text(gitLabReport(all))
    case .junit: jUnitReport(all, files: files)
    default: map { TextRenderer(color: color, columns: columns).render($0) }.joined()
    }
  }

  /// The number of findings: `2 errors, 1 warning`; `no findings` for none. Notes are not counted.
  public var summary: String {
    let parts = [Severity.error, .warning].compactMap { severity -> String? in
      let (total, shown) = (total(severity), count { $0.severity == severity })
      guard total > 0 else { return nil }
      return counted(total, severity.rawValue)
        + (shown < total ? " (\(grouped(shown)) shown)" : "")
    }
    return parts.isEmpty ? "no findings" : parts.joined(separator: ", ")
  }
}
