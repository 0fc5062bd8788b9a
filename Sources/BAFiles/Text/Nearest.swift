/// The candidate that `word` is most likely a typo of, if any is close enough: at most two edits
/// (insertion, deletion, replacement, transposition; case is ignored), and fewer than half of the
/// characters.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  var best: (distance: Int, candidate: String)?
  let folded = Array(word.lowercased().unicodeScalars)
  guard folded.count <= 64 else { return nil }
  for candidate in candidates where candidate != word {
    let other = Array(candidate.lowercased().unicodeScalars)
    guard abs(folded.count - other.count) <= 2 else { continue }
    let distance = editDistance(folded, other)
    guard distance <= 2, distance * 2 < max(folded.count, other.count) else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
  }
  return best?.candidate
}

/// ``nearest(to:among:)``, or else the shortest candidate that `word` abbreviates: `outdir` for
/// `output-directory`.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
  if let near = nearest(to: word, among: candidates) { return near }
  let word = word.lowercased()
  let start = candidates.filter { candidate in
    let other = candidate.lowercased()
    if word.count < 3 || other == word || other.first != word.first { return false }
    if other.hasPrefix(word) { return true }
    var rest = word[...]
    for character in other where character == rest.first { rest.removeFirst() }
    return rest.isEmpty && word.count > 4
  }.min { $0.count < $1.count }
  // Identifiers often begin with the name of the app.
  return start
    ?? (word.count < 4
      ? nil
      : candidates.first { candidate in
        let parts = candidate.split(separator: "-").map(String.init)
        return parts.count > 1 && (parts.contains(word) || nearest(to: word, among: parts) != nil)
      })
}

/// The number of edits that turn `a` into `b`; a transposition is one (optimal string alignment).
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  var row = last
  for i in 1...a.count {
    row[0] = i
    for j in 1...b.count {
      let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        row[j] = min(row[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last, row) = (last, row, beforeLast)
  }
  return last[b.count]
}
