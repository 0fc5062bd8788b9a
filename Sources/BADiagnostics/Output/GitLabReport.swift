/// The findings as a GitLab Code Quality report: an array of objects, each with a location and a
/// fingerprint (<https://docs.gitlab.com/ci/testing/code_quality/>). Notes become additional lines
/// of the description. A finding without a location points at the first line of `.`, the
/// repository.
func gitLabReport(_ findings: [Finding]) -> JSONValue {
  var seen: [[UInt8]: Int] = [:]
  return JSONValue(
    .array(
      findings.map { finding in
        let path = finding.location.map { gitLabPath($0.source.name) } ?? "."
        // Without the line, so that a finding that only moves isn't a new one.
        let key = Array("\(finding.rule.id)\0\(path)\0\(finding.message)".utf8)
        let number = seen[key, default: 0]
        seen[key] = number + 1
        let fingerprint = SHA256.digest(of: key + Array("\0\(number)".utf8))
        return .object([
          "check_name": finding.rule.id,
          "description": finding.notes.reduce(finding.message) { $0 + "\nnote: " + $1.message },
          "severity": gitLabSeverity(finding.severity),
          "fingerprint": hexadecimal(fingerprint),
          "location": JSONValue.object([
            "path": path,
            "lines": JSONValue.object(["begin": finding.location?.start.line ?? 1]),
          ]),
        ])
      }))
}

private func gitLabSeverity(_ severity: Severity) -> String {
  switch severity {
  case .error: "major"
  case .warning: "minor"
  case .note: "info"
  }
}

/// The path as GitLab knows it, relative to the repository and without `./`.
private func gitLabPath(_ name: [UInt8]) -> String {
  let isDotted = name.starts(with: "./".utf8)
  let path = isDotted ? Array(name.dropFirst(2)) : name
  return String(validating: path, as: UTF8.self) ?? printable(path)
}
