/// Rows of cells as lines with aligned columns, two spaces apart. The columns in `numbers` are aligned
/// on the right. Lines end after their last cell that isn't empty.
package func aligned(_ rows: [[String]], numbers: some Sequence<Int> = 0..<0) -> [String] {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    let end = (row.lastIndex { !$0.isEmpty } ?? -1) + 1
    return row[..<end].enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      if numbers.contains(column) { return padding + cell }
      return column == end - 1 ? cell : cell + padding
    }.joined(separator: "  ")
  }
}
