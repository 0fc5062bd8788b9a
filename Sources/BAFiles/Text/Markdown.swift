/// Markdown as GitHub and GitLab show it, with tables.
package enum Markdown {
  /// A table whose last columns are `numbers`. Cells are single lines of Markdown.
  package static func table(
    _ words: [String], numbers: [String], _ rows: [[String]]
  ) -> String {
    table(words.map { ($0, false) } + numbers.map { ($0, true) }, rows)
  }

  /// A table. Cells are single lines of Markdown.
  package static func table(
    _ columns: [(title: String, isNumber: Bool)], _ rows: [[String]]
  ) -> String {
    ([columns.map(\.title), columns.map { $0.isNumber ? "---:" : "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// `name` as code, whatever it contains, even in a table cell.
  package static func code(_ name: some StringProtocol) -> String { code(Array(name.utf8)) }

  /// `name` as code, whatever it contains, even in a table cell.
  package static func code(_ name: [UInt8]) -> String {
    let text = printable(name)
    // The fence is longer than any run of backticks in the text.
    var (run, longest) = (0, 0)
    for character in text.utf8 {
      run = character == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let space = longest > 0 ? " " : ""
    // In a table, a vertical bar ends the cell even in code.
    let cell = text.split(separator: "|", omittingEmptySubsequences: false)
      .joined(separator: "\\|")
    return fence + space + cell + space + fence
  }

  /// `text` on one line, with Markdown's special characters escaped.
  package static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        plain += " "
        continue
      }
      if "\\`*_{}[]<>#|!&~".unicodeScalars.contains(scalar) { plain += "\\" }
      plain.unicodeScalars.append(scalar)
    }
    return plain
  }
}
