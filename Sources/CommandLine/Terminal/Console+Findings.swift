import BAPackCore

extension Console {
  /// Writes findings as text to the standard error.
  package func note(_ findings: [Finding], _ color: ColorChoice) {
    guard !findings.isEmpty else { return }
    let text = findings.rendered(as: .text, color: colorsNotes(color), columns: noteColumns)
    note(String(text.dropLast()))
  }
}
