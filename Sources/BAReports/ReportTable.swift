import BAPackCore

/// A text in HTML and in Markdown.
struct Words: ExpressibleByStringInterpolation, StringInterpolationProtocol, Equatable {
  private(set) var html = ""
  private(set) var markdown = ""
  private(set) var plain = ""

  init(literalCapacity: Int = 0, interpolationCount: Int = 0) {}
  init(stringLiteral text: String) { appendLiteral(text) }
  init(stringInterpolation words: Words) { self = words }

  /// A text without what Markdown would change.
  mutating func appendLiteral(_ text: String) {
    html += escapedXML(text)
    markdown += text
    plain += text
  }
  mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
  mutating func appendInterpolation(_ words: Words) {
    html += words.html
    markdown += words.markdown
    plain += words.plain
  }
  mutating func appendInterpolation(strong text: String) {
    html += "<strong>\(escapedXML(text))</strong>"
    markdown += "**\(text)**"
    plain += text
  }
  /// Any text.
  mutating func appendInterpolation(any text: String) {
    html += escapedXML(text)
    markdown += Markdown.plain(text)
    plain += text
  }
  /// A path or another name, with what could reorder the text around it escaped.
  mutating func appendInterpolation(name bytes: some Collection<UInt8>) {
    html += escapedXML(printable(bytes))
    markdown += Markdown.code(Array(bytes))
    plain += printable(bytes)
  }
  /// The same within a sentence.
  mutating func appendInterpolation(quoted bytes: some Collection<UInt8>) {
    html += "<code>\(escapedXML(printable(bytes)))</code>"
    markdown += Markdown.code(Array(bytes))
    plain += printable(bytes)
  }
  mutating func appendInterpolation(name: String) { appendInterpolation(name: name.utf8) }
  /// The tag of a language, which the page's script replaces by its name.
  mutating func appendInterpolation(language tag: String) {
    let code: Words = "\(name: tag)"
    html += "<span data-language=\"\(code.html)\">\(code.html)</span>"
    markdown += code.markdown
    plain += code.plain
  }
  mutating func appendInterpolation(_ severity: Severity) {
    let sign =
      switch severity {
      case .error: "\u{2716}"
      case .warning: "\u{25B2}"
      case .note: "\u{2022}"
      }
    html += "<span class=\"\(severity.rawValue)\">\(sign) \(severity.rawValue)</span>"
    markdown += severity.rawValue
    plain += severity.rawValue
  }
}

/// A cell of a table.
struct Cell: Equatable {
  /// Its parts, each on a line of the page.
  let lines: [Words]
  /// The number that it is sorted by.
  private var key: String?
  /// The length of its bar, as a percentage.
  private var bar: String?
  private var isBad = false

  init(_ lines: [Words]) { self.lines = lines.isEmpty ? [""] : lines }

  static func words(_ words: Words) -> Cell { Cell([words]) }
  static func text(_ text: String) -> Cell { words("\(any: text)") }
  static func name(_ name: String) -> Cell { words("\(name: name)") }
  static func path(_ bytes: some Collection<UInt8>) -> Cell { words("\(name: bytes)") }
  static func count(_ number: some BinaryInteger) -> Cell { value(grouped(number), "\(number)") }

  /// A text that is sorted by a number.
  static func value(_ text: String, _ key: String) -> Cell {
    var cell = words("\(text)")
    cell.key = key
    return cell
  }

  /// The same, with a bar for the part that the number is of `whole`.
  static func value(
    _ text: String, _ number: UInt64, of whole: UInt64? = nil, isBad: Bool = false
  ) -> Cell {
    var cell = value(text, "\(number)")
    cell.bar = whole.flatMap { percentage(min(number, $0), of: $0) }
    cell.isBad = isBad
    return cell
  }

  /// A size, with a bar for the part that it is of `whole`; empty without one.
  static func size(_ size: UInt64?, of whole: UInt64? = nil) -> Cell {
    size.map { value(byteCount($0), $0, of: whole) } ?? value("", 0)
  }

  static func ratio(_ part: UInt64, of whole: UInt64) -> Cell {
    // In hundredths of percent; larger ratios are shown as nothing.
    let key = whole == 0 || part / 1000 >= whole ? 0 : UInt64(Double(part) / Double(whole) * 1e4)
    return value(shareText(part, of: whole) ?? "\u{2013}", key)
  }

  var markdown: String { lines.map(\.markdown).joined(separator: "; ") }

  func html(isNumber: Bool, isHeading: Bool) -> String {
    let name = isHeading ? "th scope=\"row\"" : "td"
    let classes = [isNumber ? "n" : nil, bar == nil ? nil : "bar", isBad ? "bad" : nil]
      .compactMap(\.self).joined(separator: " ")
    return "<\(name)" + (classes.isEmpty ? "" : " class=\"\(classes)\"")
      + (key.flatMap { isNumber ? " data-v=\"\($0)\"" : nil } ?? "")
      + (bar.map { " style=\"--b:\($0)\"" } ?? "") + ">"
      + (lines.count == 1 ? lines[0].html : lines.map { "<div>\($0.html)</div>" }.joined())
      + "</\(name.prefix(2))>"
  }
}

/// A percentage; `<0.1%` for less than can be shown.
func shareText(_ part: UInt64, of whole: UInt64) -> String? {
  percentage(part, of: whole).map { part > 0 && $0 == "0.0%" ? "<0.1%" : $0 }
}

/// A column of a table, with the cells of its rows.
struct Column<Row> {
  let title: String
  let isNumber: Bool
  /// Whether it is left out where all rows have the same value.
  let isFact: Bool
  /// The cell in the line below the rows.
  let foot: Cell?
  let cell: (Row) -> Cell

  static func text(
    _ title: String, isFact: Bool = false, foot: Cell? = nil, _ cell: @escaping (Row) -> Cell
  ) -> Column {
    Column(title: title, isNumber: false, isFact: isFact, foot: foot, cell: cell)
  }

  static func number(
    _ title: String, isFact: Bool = false, foot: Cell? = nil, _ cell: @escaping (Row) -> Cell
  ) -> Column {
    Column(title: title, isNumber: true, isFact: isFact, foot: foot, cell: cell)
  }
}

/// A table of a report, for the page and for Markdown. It can be read without a script, which sorts
/// it and shows long ones in parts.
struct Table {
  /// The title for those who don't see the heading above.
  private let caption: String
  private var titles: [(title: String, isNumber: Bool)] = []
  private var rows: [[Cell]]
  private var foot: [Cell] = []
  /// The column by which the rows are sorted, the largest first.
  private let sorted: Int?
  /// The number of rows that there are, even if not all are given.
  private let total: Int
  /// Whether Markdown has the first rows only.
  private let isBrief: Bool
  /// The columns that were left out, and the value of each in all rows.
  private(set) var facts: [(title: String, value: Words)] = []

  /// Creates a table of `items` with those of `columns` that have any text; the cells of the first
  /// are headings of their rows.
  init<Row>(
    _ caption: String, _ items: some Sequence<Row>, total: Int? = nil, sorted: Int? = nil,
    isBrief: Bool = false, _ columns: [Column<Row>]
  ) {
    self.caption = caption
    self.sorted = sorted
    self.isBrief = isBrief
    let items = Array(items)
    self.total = total ?? items.count
    rows = items.map { _ in [] }
    let hasFoot = columns.contains { $0.foot != nil }
    for column in columns {
      let cells = items.map(column.cell)
      if let value = cells.first?.lines, column.isFact || value == [""],
        cells.allSatisfy({ $0.lines == value }), column.foot.map({ $0.lines == value }) ?? true
      {
        if value != [""] { facts.append((column.title, value[0])) }
        continue
      }
      titles.append((column.title, column.isNumber))
      for (index, cell) in cells.enumerated() { rows[index].append(cell) }
      if hasFoot { foot.append(column.foot ?? .text("")) }
    }
  }

  private func rest(of shown: Int) -> String? {
    shown < total
      ? "The first \(grouped(shown)) of \(grouped(total)); the report in JSON has all." : nil
  }

  var markdown: String {
    let shown = rows.prefix(isBrief ? 10 : rows.count)
    var lines = shown.map { $0.map(\.markdown) }
    if !foot.isEmpty {
      lines.append(foot.map { $0.lines == [""] ? "" : "**\($0.markdown)**" })
    }
    return Markdown.table(titles, lines)
      + (rest(of: shown.count).map { "\n\($0)\n" } ?? "")
  }

  /// The first columns, as many as fit into `width`, aligned.
  func text(width: Int) -> String {
    let shown = rows.prefix(isBrief ? 10 : rows.count)
    let lines = ([Array(shown)] + (foot.isEmpty ? [] : [[foot]])).joined()
    let cells =
      [titles.map(\.title)] + lines.map { $0.map { $0.lines.map(\.plain).joined(separator: "; ") } }
    let numbers = Set(titles.indices.filter { titles[$0].isNumber })
    var columns = titles.count
    func table() -> [String] { aligned(cells.map { Array($0.prefix(columns)) }, numbers: numbers) }
    while columns > 2, table().contains(where: { $0.count > width }) { columns -= 1 }
    return (table() + [rest(of: shown.count)].compactMap(\.self)).joined(separator: "\n") + "\n"
  }

  var html: String {
    let shown = rows.prefix(1_000)
    func line(_ row: [Cell]) -> String {
      let cells = zip(titles, row).enumerated().map { index, part in
        part.1.html(isNumber: part.0.isNumber, isHeading: index == 0)
      }
      return "<tr>\(cells.joined())</tr>\n"
    }
    let heads = titles.enumerated().map { index, column in
      "<th scope=\"col\"" + (column.isNumber ? " class=\"n\"" : "")
        + (index == sorted ? " aria-sort=\"descending\">" : ">")
        + "\(escapedXML(column.title))</th>"
    }
    return """
      <div class="scroll" tabindex="0"><table><caption>\(escapedXML(caption))</caption>
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(shown.map(line).joined())</tbody>
      \(foot.isEmpty ? "" : "<tfoot>\(line(foot))</tfoot>\n")</table></div>
      \(rest(of: shown.count).map { "<p class=\"quiet\">\($0)</p>\n" } ?? "")
      """
  }
}

/// A part of a report: a text and a table below a heading.
struct Section {
  let id: String
  let title: String
  let text: Words
  var table: Table?

  var markdown: String {
    "## \(title)\n\n\(text.markdown)\n" + (table.map { "\n\($0.markdown)" } ?? "")
  }

  func text(width: Int) -> String {
    "\(title)\n\(text.plain)\n" + (table.map { "\n\($0.text(width: width))" } ?? "")
  }

  var html: String {
    """
    <section id="\(id)">
    <h2>\(escapedXML(title))</h2>
    <p class="quiet">\(text.html)</p>
    \(table?.html ?? "")</section>

    """
  }
}
