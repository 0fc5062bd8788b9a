/// The findings as JUnit XML, which most CI systems read: a test suite for each of `files`, and one
/// for findings without a location. An error is a failed test case, a warning one that passed with
/// output, and a suite without findings has one test case that passed.
func jUnitReport(_ findings: [Finding], files: [BytePath]) -> String {
  var suites = files.map { (name: Array($0.shown.utf8), findings: [Finding]()) }
  var others: [Finding] = []
  for finding in findings {
    let name = finding.location.map { Array(printable($0.source.name).utf8) }
    if let name {
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
  for suite in suites { text += jUnitSuite(suite.findings, xml(suite.name)) }
  return text + "</testsuites>\n"
}

private func jUnitSuite(_ findings: [Finding], _ name: String) -> String {
  let errors = findings.count { $0.severity == .error }
  var text = "  <testsuite name=\"\(name)\" tests=\"\(max(1, findings.count))\" "
  text += "failures=\"\(errors)\" errors=\"0\" skipped=\"0\">\n"
  if findings.isEmpty { text += "    <testcase name=\"validate\" classname=\"\(name)\"/>\n" }
  for finding in findings {
    let place = finding.location.map { ":\($0.start.line):\($0.start.column)" } ?? ""
    text += "    <testcase name=\"\(finding.rule.id)\(place)\" classname=\"\(name)\">\n"
    let message = xml(Array(finding.message.utf8))
    let details = xml(Array(TextRenderer(color: false).render(finding).utf8))
    if finding.severity == .error {
      text += "      <failure message=\"\(message)\" type=\"error\">\(details)</failure>\n"
    } else {
      text += "      <system-out>\(details)</system-out>\n"
    }
    text += "    </testcase>\n"
  }
  return text + "  </testsuite>\n"
}

/// `bytes` as XML 1.0 text: special characters are escaped, and invalid ones replaced.
private func xml(_ bytes: [UInt8]) -> String {
  var text = ""
  for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
    switch scalar {
    case "&": text += "&amp;"
    case "<": text += "&lt;"
    case ">": text += "&gt;"
    case "\"": text += "&quot;"
    case "\n", "\t": text.unicodeScalars.append(scalar)
    case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}
