import BAPackCore

extension Console {
  /// Writes findings that were rendered as `format`. Only those for people are text for a terminal:
  /// annotations of GitHub are commands.
  package func write(_ findings: String, as format: FindingFormat) throws {
    if format == .text { try write(findings) } else { try write(Array(findings.utf8)) }
  }

  /// Writes findings as text to the standard error.
  package func note(_ findings: [Finding], _ color: ColorChoice) {
    guard !findings.isEmpty else { return }
    let text = findings.rendered(as: .text, color: colorsNotes(color), columns: noteColumns)
    note(String(text.dropLast()))
  }
}
