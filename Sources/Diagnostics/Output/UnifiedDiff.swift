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
  var hunks: [Hunk] = []
  var (from, to) = (0, 0)
  while from < before.count || to < after.count {
    if removed.contains(from) || inserted.contains(to) {
      if hunks.last.map({ from - $0.lastOld > 2 * context }) ?? true {
        hunks.append(Hunk(firstOld: from, firstNew: to, lastOld: from))
      }
      while removed.contains(from) { from += 1 }
      while inserted.contains(to) { to += 1 }
      hunks[hunks.count - 1].lastOld = from
    } else {
      from += 1
      to += 1
    }
  }
  var output = Array("--- ".utf8) + name + Array("\n+++ ".utf8) + name + [UInt8(ascii: "\n")]
  for hunk in hunks { output += text(hunk, before, after, removed, inserted) }
  return output
}

/// The lines of context around each change.
private let context = 3

/// Changes near each other; line offsets start at 0.
private struct Hunk {
  let firstOld: Int
  let firstNew: Int
  /// The end of the removed lines, or where lines are inserted.
  var lastOld: Int
}

private func text(
  _ hunk: Hunk, _ before: [ArraySlice<UInt8>], _ after: [ArraySlice<UInt8>],
  _ removed: Set<Int>, _ inserted: Set<Int>
) -> [UInt8] {
  let lead = min(context, hunk.firstOld)
  var (from, to) = (hunk.firstOld - lead, hunk.firstNew - lead)
  let end = min(hunk.lastOld + context, before.count)
  let (firstOld, firstNew) = (from, to)
  var body: [UInt8] = []
  while from < end || inserted.contains(to) {
    if removed.contains(from) {
      body += marked("-", before[from])
      from += 1
    } else if inserted.contains(to) {
      body += marked("+", after[to])
      to += 1
    } else {
      body += marked(" ", before[from])
      from += 1
      to += 1
    }
  }
  let ranges = "-\(range(firstOld, from - firstOld)) +\(range(firstNew, to - firstNew))"
  return Array("@@ \(ranges) @@\n".utf8) + body
}

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
