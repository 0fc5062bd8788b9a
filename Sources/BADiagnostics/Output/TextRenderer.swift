/// Writes findings as compilers do:
///
/// ```
/// Manifest.json:4:7: error: unknown key 'onDemnad'; did you mean 'onDemand'? [unknown-key]
///     4 |     "onDemnad": {}
///       |      ^~~~~~~~
///       |      onDemand
/// ```
///
/// Below the caret is the replacement, if there is one, and whether it is a guess.
struct TextRenderer {
  /// Whether the text has terminal escapes.
  let color: Bool
  /// The width of the terminal in columns; nil if lines may have any length.
  var columns: Int?

  func render(_ finding: Finding) -> String {
    let label =
      switch finding.severity {
      case .error: styled("error:", "1;31")
      case .warning: styled("warning:", "1;35")
      case .note: styled("note:", "1;36")
      }
    var text = prefix(finding.location) + label + " " + styled(finding.message, "1")
    text += " [\(finding.rule.id)]\n"
    text += excerpt(finding.location, fix: finding.fix)
    for note in finding.notes {
      text += prefix(note.location) + styled("note:", "1;36") + " \(note.message)\n"
      text += excerpt(note.location, fix: nil)
    }
    return text
  }

  private func prefix(_ location: SourceLocation?) -> String {
    guard let location else { return "" }
    let start = location.start
    let name = printable(location.source.name)
    return styled("\(name):\(start.line):\(start.column):", "1") + " "
  }

  private func excerpt(_ location: SourceLocation?, fix: Fix?) -> String {
    guard let location, !location.source.bytes.isEmpty else { return "" }
    // Without the line number, and a last column that some terminals would wrap at.
    let maximum = columns.map { min(max($0, 29) - 9, SourceExcerpt.standardWidth) }
    let excerpt = SourceExcerpt(location, maximumWidth: maximum ?? SourceExcerpt.standardWidth)
    let number = String(excerpt.lineNumber)
    let width = max(5, number.count)
    let pad = spaces(width - number.count)
    var text = "\(pad)\(number) | \(excerpt.text)\n"
    let carets = "^" + String(repeating: "~", count: excerpt.length - 1)
    let margin = "\(spaces(width)) | \(spaces(excerpt.indent))"
    text += margin + styled(carets, "1;32") + "\n"
    if let fix, fix.location.range.lowerBound == location.range.lowerBound,
      !fix.replacement.isEmpty
    {
      let replacement = terminalText(Array(fix.replacement.utf8)[...]).map(\.text).joined()
      text += margin + styled(replacement, "32") + (fix.isCertain ? "\n" : " (a guess)\n")
    }
    return text
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func styled(_ text: String, _ code: String) -> String {
    color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
