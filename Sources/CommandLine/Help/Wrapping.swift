/// `text` broken at spaces into lines of at most `width` columns, each indented and ended by a line
/// feed. A word longer than a line gets a line of its own. Texts of the table are ASCII, so
/// characters and columns are the same.
package func wrap(_ text: String, to width: Int, indent: Int = 0) -> String {
  // Narrower text would be unreadable; the terminal may wrap lines itself.
  let width = max(width, indent + 20)
  let margin = String(repeating: " ", count: indent)
  var lines = ""
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = margin
    for word in paragraph.split(separator: " ") {
      if line.count > indent {
        if line.count + 1 + word.count > width {
          lines += line + "\n"
          line = margin
        } else {
          line += " "
        }
      }
      line += word
    }
    lines += line + "\n"
  }
  return lines
}
