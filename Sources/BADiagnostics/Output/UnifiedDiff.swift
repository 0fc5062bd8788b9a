/// The changes from `old` to `new` as a unified diff with three lines of context; empty if they are
/// equal. Both files are called `name`.
package func unifiedDiff(of old: [UInt8], with new: [UInt8], name: [UInt8]) -> [UInt8] {
  let (before, after) = (lines(old), lines(new))
  let difference = after.difference(from: before)
  guard !difference.isEmpty else { return [] }
  var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
  for change in difference {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }
  // Each line with its mark, and the numbers of lines before it in both files.
  var rows: [(mark: Character, line: ArraySlice<UInt8>, old: Int, new: Int)] = []
  var (from, to) = (0, 0)
  var shown = RangeSet<Int>()
  while from < before.count || to < after.count {
    let mark: Character = removed.contains(from) ? "-" : inserted.contains(to) ? "+" : " "
    if mark != " " {
      shown.insert(contentsOf: max(0, rows.count - context)..<rows.count + context + 1)
    }
    rows.append((mark, mark == "+" ? after[to] : before[from], from, to))
    if mark != "+" { from += 1 }
    if mark != "-" { to += 1 }
  }
  var output = Array("--- ".utf8) + name + Array("\n+++ ".utf8) + name + [UInt8(ascii: "\n")]
  for hunk in shown.ranges.map({ rows[$0.clamped(to: rows.indices)] }) {
    let (old, new) = (hunk.count { $0.mark != "+" }, hunk.count { $0.mark != "-" })
    let start = hunk[hunk.startIndex]
    output += "@@ -\(range(start.old, old)) +\(range(start.new, new)) @@\n".utf8
    for row in hunk { output += marked(row.mark, row.line) }
  }
  return output
}

/// The lines of context around each change.
private let context = 3

/// `12,7`; an empty range is named by the line before it.
private func range(_ start: Int, _ count: Int) -> String {
  count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
}

private func marked(_ mark: Character, _ line: ArraySlice<UInt8>) -> [UInt8] {
  let isEnded = line.last == UInt8(ascii: "\n")
  return Array(mark.utf8) + line
    + (isEnded ? [] : Array("\n\\ No newline at end of file\n".utf8))
}

/// The lines, each with its line feed.
private func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
  var lines: [ArraySlice<UInt8>] = []
  var start = 0
  for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
    lines.append(bytes[start...offset])
    start = offset + 1
  }
  if start < bytes.count { lines.append(bytes[start...]) }
  return lines
}
