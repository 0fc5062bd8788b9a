/// The findings as JUnit XML, which most CI systems read: a test suite for each of `files`, and one
/// for findings without a location. An error is a failed test case, any other one that passed with
/// output, and a suite without findings has one test case that passed.
func jUnitReport(_ findings: [Finding], files: [BytePath]) -> String {
  var suites = files.map { (name: Array($0.shown.utf8), findings: [Finding]()) }
  var others: [Finding] = []
  for finding in findings {
    let file = finding.manifests.first.flatMap { files.indices.contains($0) ? files[$0] : nil }
    let name = finding.location.map { printable($0.source.name) } ?? file?.shown
    if let name = name.map({ Array($0.utf8) }) {
      if let index = suites.firstIndex(where: { $0.name == name }) {
        suites[index].findings.append(finding)
      } else {
        suites.append((name, [finding]))
      }
    } else {
      others.append(finding)
    }
  }
  if !others.isEmpty || suites.isEmpty { suites.append((Array("ba-package".utf8), others)) }
  let errors = findings.count { $0.severity == .error }
  let cases = suites.reduce(0) { $0 + max(1, $1.findings.count) }
  var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  text += "<testsuites name=\"ba-package\" tests=\"\(cases)\" failures=\"\(errors)\" "
  text += "errors=\"0\">\n"
  for suite in suites {
    text += jUnitSuite(suite.findings, escapedXML(String(decoding: suite.name, as: UTF8.self)))
  }
  return text + "</testsuites>\n"
}

private func jUnitSuite(_ findings: [Finding], _ name: String) -> String {
  let errors = findings.count { $0.severity == .error }
  var text = "  <testsuite name=\"\(name)\" tests=\"\(max(1, findings.count))\" "
  text += "failures=\"\(errors)\" errors=\"0\" skipped=\"0\">\n"
  if findings.isEmpty { text += "    <testcase name=\"validate\" classname=\"\(name)\"/>\n" }
  for finding in findings {
    let position = finding.location.map { ":\($0.start.line):\($0.start.column)" } ?? ""
    text += "    <testcase name=\"\(finding.rule.id)\(position)\" classname=\"\(name)\">\n"
    let message = escapedXML(finding.message)
    let details = escapedXML(TextRenderer(color: false).render(finding))
    if finding.severity == .error {
      text += "      <failure message=\"\(message)\" type=\"error\">\(details)</failure>\n"
    } else {
      text += "      <system-out>\(details)</system-out>\n"
    }
    text += "    </testcase>\n"
  }
  return text + "  </testsuite>\n"
}
