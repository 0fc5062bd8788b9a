import BAPackCore

extension Console {
  /// Says what is wrong.
  func note(_ findings: [Finding], _ color: ColorChoice) {
    for finding in findings {
      note(
        "\(place(finding.location))\(finding.severity.rawValue): \(finding.message) [\(finding.rule.rawValue)]"
      )
      for note in finding.notes { self.note("\(place(note.location))note: \(note.message)") }
    }
  }

  private func place(_ location: SourceLocation?) -> String {
    guard let location else { return "" }
    let start = location.start
    return "\(location.source.name):\(start.line):\(start.column): "
  }
}
