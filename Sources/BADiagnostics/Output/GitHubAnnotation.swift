/// A finding as a workflow command of GitHub Actions, one line. Notes become additional lines of
/// the message.
func gitHubAnnotation(_ finding: Finding) -> String {
  var properties: [(String, String)] = []
  if let location = finding.location {
    let (start, end) = (location.start, location.end)
    properties += [
      ("file", annotated(location.source.name)), ("line", String(start.line)),
      ("col", String(start.column)),
    ]
    // GitHub accepts an end column only if the end is on the same line.
    if end.line == start.line, end.column > start.column {
      properties += [("endLine", String(end.line)), ("endColumn", String(end.column))]
    } else if end.line > start.line {
      properties.append(("endLine", String(end.line)))
    }
  }
  properties.append(("title", finding.rule.id))
  var message = finding.message
  for note in finding.notes {
    let position = note.location.map { location in
      "\(printable(location.source.name)):\(location.start.line):\(location.start.column): "
    }
    message += "\n" + (position ?? "") + "note: " + note.message
  }
  let list = properties.map { "\($0.0)=\(escaped($0.1, alsoInProperties: true))" }
  let command = finding.severity == .note ? "notice" : finding.severity.rawValue
  return "::\(command) \(list.joined(separator: ","))::"
    + escaped(message, alsoInProperties: false) + "\n"
}

/// An error without a position, as a workflow command of GitHub Actions.
package func gitHubAnnotation(error message: String) -> String {
  "::error::\(escaped(message, alsoInProperties: false))\n"
}

/// The name of a file as GitHub matches it with the files of a change. A name with characters that
/// could steer a terminal is escaped and so matches no file.
private func annotated(_ name: [UInt8]) -> String {
  let text = String(validating: name, as: UTF8.self)
  let isPlain = text?.unicodeScalars.allSatisfy { scalar in
    !scalar.canSteer || scalar == "\r" || scalar == "\n"
  }
  return isPlain == true ? text ?? "" : printable(name)
}

/// `text` with the escapes of workflow commands, like GitHub's own toolkit; in values of properties
/// `:` and `,` too.
private func escaped(_ text: String, alsoInProperties isProperty: Bool) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "%": escaped += "%25"
    case "\r": escaped += "%0D"
    case "\n": escaped += "%0A"
    case ":" where isProperty: escaped += "%3A"
    case "," where isProperty: escaped += "%2C"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
