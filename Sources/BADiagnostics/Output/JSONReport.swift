/// The findings as an object. `schemaVersion` is incremented when a key is removed or changes its
/// meaning, but not when one is added. Lines and columns start at 1, columns are in code points;
/// offsets are in bytes from 0; an end is after the last character.
func jsonReport(_ findings: [Finding], _ coverage: (any JSONRepresentable)? = nil) -> JSONValue {
  .object([
    "schemaVersion": 1,
    "errors": findings.total(.error),
    "warnings": findings.total(.warning),
    "findings": findings.filter { $0.severity != .note },
    "notes": findings.filter { $0.severity == .note },
    "coverage": coverage,
  ])
}

extension Finding: JSONRepresentable {
  package var json: JSONValue {
    .object([
      "rule": rule.id, "severity": severity.rawValue, "message": message, "location": location,
      "notes": notes.isEmpty ? nil : notes, "fix": fix,
    ])
  }
}

extension Note: JSONRepresentable {
  package var json: JSONValue { .object(["message": message, "location": location]) }
}

extension Fix: JSONRepresentable {
  package var json: JSONValue { .object(["location": location, "replacement": replacement]) }
}

/// Members of what is at the location: `file`, `start` and `end`.
extension SourceLocation: JSONRepresentable {
  package var json: JSONValue { JSONValue(.object(members(forKey: ""))) }

  package func members(forKey key: String) -> [JSONMember] {
    JSONName(source.name).members(forKey: "file") + [
      JSONMember("start", point(start, range.lowerBound)),
      JSONMember("end", point(end, range.upperBound)),
    ]
  }
}

private func point(_ position: SourcePosition, _ offset: Int) -> JSONValue {
  .object(["line": position.line, "column": position.column, "offset": offset])
}
