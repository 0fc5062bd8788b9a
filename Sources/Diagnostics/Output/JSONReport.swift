/// The findings as an object. `schemaVersion` is incremented when a key is removed or changes its
/// meaning, but not when one is added. Lines and columns start at 1, columns are in code points;
/// offsets are in bytes from 0; an end is after the last character.
func jsonReport(_ findings: [Finding], _ coverage: (any JSONRepresentable)? = nil) -> JSONValue {
  .object([
    "schemaVersion": 1,
    "errors": findings.count { $0.severity == .error },
    "warnings": findings.count { $0.severity == .warning },
    "findings": findings.filter { $0.severity != .note }.json,
    "notes": findings.filter { $0.severity == .note }.json,
    "coverage": coverage,
  ])
}

private func jsonFinding(_ finding: Finding) -> JSONValue {
  var members = [
    JSONMember("rule", JSONValue(finding.rule.id)),
    JSONMember("severity", JSONValue(finding.severity.rawValue)),
    JSONMember("message", JSONValue(finding.message)),
  ]
  members += place(finding.location)
  if !finding.notes.isEmpty {
    let notes = finding.notes.map { note in
      JSONValue(.object([JSONMember("message", JSONValue(note.message))] + place(note.location)))
    }
    members.append(JSONMember("notes", JSONValue(.array(notes))))
  }
  if let fix = finding.fix {
    let edit = place(fix.location) + [JSONMember("replacement", JSONValue(fix.replacement))]
    members.append(JSONMember("fix", JSONValue(.object(edit))))
  }
  return JSONValue(.object(members))
}

private func place(_ location: SourceLocation?) -> [JSONMember] {
  guard let location else { return [] }
  return JSONName(location.source.name).members(forKey: "file") + [
    JSONMember("start", point(location.start, location.range.lowerBound)),
    JSONMember("end", point(location.end, location.range.upperBound)),
  ]
}

private func point(_ position: SourcePosition, _ offset: Int) -> JSONValue {
  [
    "line": JSONValue(position.line), "column": JSONValue(position.column),
    "offset": JSONValue(offset),
  ]
}

extension [Finding] {
  /// The findings as a list of objects, for reports that include them.
  package var json: JSONValue { JSONValue(.array(map(jsonFinding))) }
}
