/// The findings as a SARIF 2.1.0 log of one run (OASIS,
/// <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>). It describes the violated
/// rules, so that a viewer can explain them.
func sarifLog(_ findings: [Finding]) -> JSONValue {
  let rules = Set(findings.map(\.rule)).sorted { $0.id < $1.id }
  return [
    "$schema":
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    "version": "2.1.0",
    "runs": [
      [
        "tool": [
          "driver": [
            "name": "ba-package", "version": JSONValue(toolVersion),
            "rules": JSONValue(.array(rules.map(descriptor))),
          ]
        ],
        "columnKind": "unicodeCodePoints",
        "results": JSONValue(.array(findings.map { result($0, rules) })),
      ]
    ],
  ]
}

private func descriptor(_ rule: Rule) -> JSONValue {
  [
    "id": JSONValue(rule.id),
    "shortDescription": text(rule.title),
    "fullDescription": text(rule.reason),
    "help": text(rule.remedy),
    "defaultConfiguration": ["level": JSONValue(rule.severity.rawValue)],
  ]
}

private func result(_ finding: Finding, _ rules: [Rule]) -> JSONValue {
  // Only a note with a location can be a related location; the others are lines of the message.
  let message = finding.notes.filter { $0.location == nil }
    .reduce(finding.message) { $0 + "\nnote: " + $1.message }
  let related = finding.notes.compactMap { note in
    note.location.map { location -> JSONValue in
      ["physicalLocation": physical(location), "message": text(note.message)]
    }
  }
  let change = finding.fix.map { fix -> JSONValue in
    [
      "artifactLocation": artifact(fix.location),
      "replacements": [
        [
          "deletedRegion": region(fix.location),
          "insertedContent": text(fix.replacement),
        ]
      ],
    ]
  }
  return .object([
    "ruleId": finding.rule.id,
    "ruleIndex": rules.firstIndex(of: finding.rule) ?? -1,
    "level": finding.severity.rawValue,
    "message": text(message),
    "locations": finding.location.map { [["physicalLocation": physical($0)]] as JSONValue },
    "relatedLocations": related.isEmpty ? nil : related,
    "fixes": change.map { [["artifactChanges": [$0]]] as JSONValue },
  ])
}

private func text(_ text: String) -> JSONValue { ["text": JSONValue(text)] }

private func physical(_ location: SourceLocation) -> JSONValue {
  ["artifactLocation": artifact(location), "region": region(location)]
}

private func region(_ location: SourceLocation) -> JSONValue {
  let (start, end) = (location.start, location.end)
  return [
    "startLine": JSONValue(start.line), "startColumn": JSONValue(start.column),
    "endLine": JSONValue(end.line), "endColumn": JSONValue(end.column),
  ]
}

/// The file as a URI: relative if the user's path is, otherwise with the file scheme.
private func artifact(_ location: SourceLocation) -> JSONValue {
  let name = location.source.name
  let scheme = name.first == ASCII.slash ? "file://" : ""
  return ["uri": JSONValue(scheme + percentEncoded(name, keeping: "/"))]
}
