import BAPackCore
import CommandLine

extension [PackGroup] {
  /// A table: for each group the compressed size, the size and the number of files. Files without
  /// the grouping property are in the group `rest`.
  func table(rest: String) -> String {
    let total = reduce(UInt64(0)) { $0 + $1.compressedSize }
    let rows =
      [["compressed", "share", "size", "files", "name"]]
      + map { group in
        [
          byteCount(group.compressedSize), percentage(group.compressedSize, of: total),
          byteCount(group.size), grouped(group.files),
          group.name.isEmpty ? rest : printable(group.name),
        ]
      }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(widths, row).map { String(repeating: " ", count: $0 - $1.count) + $1 }
        .joined(separator: "  ") + "  \(row[4])\n"
    }.joined()
  }
}

extension PackGroup {
  /// The group for `--format json`.
  var json: JSONValue {
    .object([
      "name": JSONName(name), "files": files, "size": size, "compressedSize": compressedSize,
    ])
  }
}

/// `part` relative to `whole` in percent: `45.2%`.
private func percentage(_ part: UInt64, of whole: UInt64) -> String {
  let tenths = whole > 0 ? (Double(part) * 1000 / Double(whole)).rounded() : 0
  return "\(Int(tenths) / 10).\(Int(tenths) % 10)%"
}
