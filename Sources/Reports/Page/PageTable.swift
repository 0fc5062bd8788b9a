import BAPackCore

/// A cell of a table of the page, as HTML.
struct PageCell {
  let html: String
  /// The number or text that it is sorted by, if that isn't its text.
  private var key: String?
  /// The length of its bar, as a percentage.
  private var bar: String?
  private var isBad = false

  /// A cell with HTML.
  init(html: String, key: String? = nil) { (self.html, self.key) = (html, key) }

  static func text(_ text: String) -> PageCell { PageCell(html: escapedXML(text)) }

  /// A path, with what could reorder the text around it escaped.
  static func path(_ bytes: some Collection<UInt8>) -> PageCell { .text(printable(bytes)) }

  /// A number, sorted as such.
  static func count(_ number: some BinaryInteger) -> PageCell {
    PageCell(html: grouped(number), key: "\(number)")
  }

  /// A text that is sorted by `number`, with a bar for the part that this is of `whole`.
  static func value(
    _ text: String, _ number: UInt64, of whole: UInt64? = nil, isBad: Bool = false
  ) -> PageCell {
    var cell = PageCell(html: escapedXML(text), key: "\(number)")
    cell.bar = whole.flatMap { percentage(min(number, $0), of: $0) }
    cell.isBad = isBad
    return cell
  }

  /// A size, with a bar for the part that it is of `whole`; empty without one.
  static func size(_ size: UInt64?, of whole: UInt64? = nil) -> PageCell {
    size.map { value(byteCount($0), $0, of: whole) } ?? PageCell(html: "", key: "0")
  }

  static func ratio(_ part: UInt64, of whole: UInt64) -> PageCell {
    // In hundredths of percent; larger ratios are shown as nothing.
    let key = whole == 0 || part / 1000 >= whole ? 0 : UInt64(Double(part) / Double(whole) * 1e4)
    let text = percentage(part, of: whole) ?? "\u{2013}"
    return value(part > 0 && text == "0.0%" ? "<0.1%" : text, key)
  }

  func html(of column: PageTable.Column, isHeading: Bool) -> String {
    var attributes = isHeading ? " scope=\"row\"" : ""
    let classes =
      [column.isNumber ? "n" : nil, bar == nil ? nil : "bar", isBad ? "bad" : nil]
      .compactMap(\.self)
    if !classes.isEmpty { attributes += " class=\"\(classes.joined(separator: " "))\"" }
    if let key, column.isNumber { attributes += " data-v=\"\(key)\"" }
    if let bar { attributes += " style=\"--b:\(bar)\"" }
    let name = isHeading ? "th" : "td"
    return "<\(name)\(attributes)>\(html)</\(name)>"
  }
}

/// A table of the page. It can be read without a script, which sorts it and shows long ones in
/// parts.
struct PageTable {
  struct Column {
    let title: String
    let isNumber: Bool
    /// Whether it is left out where all rows have the same value.
    let isFact: Bool

    static func text(_ title: String, isFact: Bool = false) -> Column {
      Column(title: title, isNumber: false, isFact: isFact)
    }

    static func number(_ title: String, isFact: Bool = false) -> Column {
      Column(title: title, isNumber: true, isFact: isFact)
    }
  }

  private static let limit = 1_000

  /// The title for those who don't see the heading above.
  var caption: String
  /// The columns; the cells of the first are headings of their rows.
  var columns: [Column]
  var rows: [[PageCell]]
  var foot: [PageCell] = []
  /// The column by which the rows are sorted, the largest first.
  var sorted: Int?
  /// The attribute `id` of the table and, with `-rows`, of its body.
  var id: String?

  /// Removes columns that have the same value in all rows, and returns these values with their
  /// titles.
  mutating func removeFacts() -> [(title: String, value: String)] {
    var facts: [(title: String, value: String)] = []
    for index in columns.indices.reversed() where columns[index].isFact {
      guard let value = rows.first?[index].html, rows.allSatisfy({ $0[index].html == value }),
        foot.isEmpty || foot[index].html.isEmpty || foot[index].html == value
      else { continue }
      if !value.isEmpty { facts.append((columns[index].title, value)) }
      columns.remove(at: index)
      for row in rows.indices { rows[row].remove(at: index) }
      if !foot.isEmpty { foot.remove(at: index) }
      if let column = sorted, column > index { sorted = column - 1 }
    }
    return facts.reversed()
  }

  var html: String {
    let id = id.map { " id=\"\($0)\"" } ?? ""
    let body = self.id.map { " id=\"\($0)-rows\"" } ?? ""
    var text = "<div class=\"scroll\" tabindex=\"0\"><table\(id)>"
    text += "<caption>\(escapedXML(caption))</caption>\n<thead><tr>"
    for (index, column) in columns.enumerated() {
      text += "<th scope=\"col\"" + (column.isNumber ? " class=\"n\"" : "")
      text += (index == sorted ? " aria-sort=\"descending\">" : ">")
      text += escapedXML(column.title) + "</th>"
    }
    text += "</tr></thead>\n<tbody\(body)>\n"
    for row in rows.prefix(Self.limit) { text += line(row) }
    text += "</tbody>\n"
    if !foot.isEmpty { text += "<tfoot>\(line(foot))</tfoot>\n" }
    text += "</table></div>\n"
    if rows.count > Self.limit {
      text += "<p class=\"quiet\">The first \(grouped(Self.limit)) of \(grouped(rows.count)); "
      text += "the report in JSON has all.</p>\n"
    }
    return text
  }

  private func line(_ row: [PageCell]) -> String {
    let cells = zip(columns, row).enumerated().map { index, part in
      part.1.html(of: part.0, isHeading: index == 0)
    }
    return "<tr>\(cells.joined())</tr>\n"
  }
}
