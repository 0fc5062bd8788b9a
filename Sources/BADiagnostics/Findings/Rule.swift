/// A rule that a ``Finding`` violates. Each has a unique ``id``.
///
/// Each is declared beside its check, and in the list of its area. Why it exists and how to fix it
/// is a section of the page of rules, `Rules.md`.
public struct Rule: Hashable, Sendable, Identifiable {
  /// A stable name, such as `missing-file`.
  public let id: String
  /// The severity of its findings unless a command changes it.
  public let severity: Severity
  package let area: Area
  /// The meaning of its findings, on one line.
  public let title: String
  /// Which findings of the rule a setting can turn off or change in severity.
  package let adjustment: Adjustment

  package init(
    _ id: String, _ severity: Severity, _ area: Area, _ title: String,
    adjustment: Adjustment? = nil
  ) {
    self.adjustment = adjustment ?? (severity == .error ? .none : .warnings)
    self.id = id
    self.severity = severity
    self.area = area
    self.title = title
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

extension Rule {
  /// Why the rule exists, and where it comes from, in Markdown.
  public var reason: String { section[0] }
  /// How to fix it, in Markdown.
  public var remedy: String { section[1] }
  /// A piece of a manifest or script that violates the rule; empty if none can show it.
  package var example: String { section[2] }

  private var section: [String] { sections[id] ?? ["", "", ""] }

  /// The page of rules, in Markdown.
  package static var page: String { String(decoding: PackageResources.Rules_md, as: UTF8.self) }
}

/// The paragraphs below each heading of the page of rules: `### ID`, the title, the reason, the
/// remedy, and perhaps an example between lines of backticks.
private let sections: [String: [String]] = {
  var sections: [String: [String]] = [:]
  for area in Rule.page.split(separator: "\n## ") {
    for section in area.split(separator: "\n### ").dropFirst() {
      let parts = section.split(separator: "\n\n", maxSplits: 4)
      let example = parts.count > 4 ? parts[4].split(separator: "```")[0] : ""
      sections[String(parts[0])] = (parts[2...3] + [example]).map { part in
        String(part.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
      }
    }
  }
  return sections
}()
