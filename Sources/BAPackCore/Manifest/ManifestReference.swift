/// The reference for manifests, as sections of terms with descriptions. Code is in backticks.
package struct ManifestReference: Sendable {
  package struct Section: Sendable {
    package let title: String
    package let introduction: String
    /// The kind of terms: `Key`, `Selector`.
    package let term: String
    /// The terms as in a manifest, each with the first version of Apple's tool that accepts it, if
    /// applicable, and its description.
    package let rows: [(term: String, since: String?, meaning: String)]
  }

  package static let sections = [keys, policies, selectors, patterns, precedence]

  private static let keys = Section(
    title: "Keys",
    introduction: """
      A manifest is an object in JSON5: comments, trailing commas, keys without quotes and strings in \
      single quotes are allowed. The pack contains a copy of it in plain JSON. Unknown keys are errors.
      """, term: "Key",
    rows: ManifestKey.all.map {
      ($0.name, $0.since, ($0.isRequired ? "Required. " : "") + $0.meaning)
    }
      + ManifestKey.tolerated.map {
        ($0.name, $0.since, $0.meaning + " It has no effect.")
      })

  private static let policies = Section(
    title: "Download policies",
    introduction: "`downloadPolicy` is an object with one of these keys.", term: "Policy",
    rows: PolicyForm.all.map { policy in
      (
        policy.hasEvents
          ? "\"\(policy.kind.rawValue)\": { \"installationEventTypes\": […] }"
          : "\"\(policy.kind.rawValue)\": {}",
        "1.0", policy.meaning
      )
    } + [("installationEventTypes", "1.0", PolicyForm.events)])

  private static let selectors = Section(
    title: "Selectors",
    introduction: """
      Each element of `fileSelectors` is an object of one of these forms. Files keep their path unless \
      a destination says otherwise; the app reads them under that path.
      """, term: "Selector",
    rows: SelectorForm.all.map { form in
      (
        form.example, form.keys[0].since,
        form.keys.map(\.meaning).joined(separator: " ")
      )
    })

  private static let patterns = Section(
    title: "Patterns",
    introduction: """
      Patterns are relative to the source root and match byte by byte: case counts. A dot at the start \
      of a name matches only a dot.
      """, term: "Pattern",
    rows: [
      ("*", nil, "Any bytes of one name; never a slash."),
      ("?", nil, "One byte; never a slash."),
      ("[abc] [a-z] [!a]", nil, "One byte that is in the set, or is not; ASCII only."),
      ("**", nil, "As a whole name: any number of folders; at the end, everything below."),
      ("\\", nil, "The next byte is literal."),
    ])

  private static let precedence = Section(
    title: "Precedence",
    introduction: "Which setting wins when several apply.", term: "Case",
    rows: [
      (
        "Source root", nil,
        "The root on the command line, else `sourceRoot`, else `root` in .ba-package.json, else the working directory."
      ),
      (
        "Exclusions", nil,
        "A file that an exclusion matches is never packaged, whatever selects it."
      ),
      ("Files selected twice", nil, "The same file with the same destination is packaged once."),
      (
        "Two files for one destination", nil,
        "An error, as is a file where another one needs a folder; nothing is packaged."
      ),
      (
        "Links", nil,
        """
        Packs contain no links: the target is packaged under the link's path, if it is inside the \
        source root.
        """
      ),
      (
        "Hidden files", nil,
        "`file` and `directory` select them; patterns only if they name the dot."
      ),
      (
        "Two packs on a device", nil,
        "All packs of an app are merged into one folder; the same path should have the same contents."
      ),
    ])

  /// The sections as Markdown: headings of `level`, each with a table.
  package static func markdown(level: Int) -> String {
    var text = ""
    for section in sections {
      text +=
        String(repeating: "#", count: level) + " \(section.title)\n\n\(section.introduction)\n\n"
      let hasVersions = section.rows.contains { $0.since != nil }
      text +=
        hasVersions
        ? "| \(section.term) | Apple's tool | Meaning |\n| --- | --- | --- |\n"
        : "| \(section.term) | Meaning |\n| --- | --- |\n"
      for row in section.rows {
        let isCode = section.term != "Case"
        text += "| " + (isCode ? "`\(row.term)`" : row.term)
        text += (hasVersions ? " | \(row.since.map { "since \($0)" } ?? "")" : "")
        text += " | \(row.meaning) |\n"
      }
      text += "\n"
    }
    return text
  }
}
