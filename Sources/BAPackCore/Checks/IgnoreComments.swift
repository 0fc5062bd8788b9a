/// The comments of a manifest that ignore findings: `// ba-package: ignore stray-file`.
///
/// A comment is about the line that it is on, or, where nothing else is on that line, about the next
/// one. It names one rule or several, separated by commas or blanks.
struct IgnoreComments {
  /// What one comment says about one rule.
  private struct Entry {
    let rule: String
    let line: Int
    /// The name of the rule in the comment.
    let place: SourceLocation
    var isUsed = false
  }

  private var entries: [Entry] = []
  /// What is wrong with the comments themselves.
  private(set) var findings: [Finding] = []

  init() {}

  /// Reads the comments at `ranges` of `source`, with their slashes.
  init(_ source: SourceText, _ ranges: [Range<Int>]) {
    for range in ranges { read(range, source) }
  }

  /// Leaves out what the comments ignore. What can't be ignored stays.
  mutating func applied(to findings: [Finding]) -> [Finding] {
    guard !entries.isEmpty else { return findings }
    return findings.filter { finding in
      guard finding.isAdjustable, let location = finding.location else { return true }
      let lines = location.start.line...location.end.line
      let matching = entries.indices.filter {
        entries[$0].rule == finding.rule.id && lines.contains(entries[$0].line)
      }
      for index in matching { entries[index].isUsed = true }
      return matching.isEmpty
    }
  }

  /// A finding for each comment about a rule of which nothing was ignored, except for rules that were
  /// not checked.
  func unused(except unchecked: Set<Rule>) -> [Finding] {
    let names = Set(unchecked.map(\.id))
    return entries.filter { !$0.isUsed && !names.contains($0.rule) }.map { entry in
      Finding(
        .unusedIgnore, "there is no finding of '\(entry.rule)' on line \(entry.line) to ignore",
        at: entry.place)
    }
  }

  private mutating func read(_ range: Range<Int>, _ source: SourceText) {
    let words = words(range, source)
    guard words.first.map({ text($0, source) == "ba-package:" }) == true else { return }
    guard words.count > 1, text(words[1], source) == "ignore" else {
      let place = words.count > 1 ? words[1] : words[0]
      findings.append(
        Finding(
          .unusedIgnore, "expected 'ignore' after 'ba-package:'",
          at: SourceLocation(source, words.count > 1 ? place : place.upperBound..<place.upperBound),
          fix: words.count > 1 && nearest(to: text(place, source), among: ["ignore"]) != nil
            ? Fix(SourceLocation(source, place), "ignore") : nil))
      return
    }
    if words.count == 2 {
      findings.append(
        Finding(
          .unusedIgnore, "'ba-package: ignore' names no rule",
          at: SourceLocation(source, words[1])))
    }
    let line = subject(range, source)
    for word in words.dropFirst(2) { add(text(word, source), line, SourceLocation(source, word)) }
  }

  private mutating func add(_ name: String, _ line: Int, _ place: SourceLocation) {
    guard let rule = Rule.all.first(where: { $0.id == name }) else {
      let meant = nearest(to: name, among: Rule.all.map(\.id))
      findings.append(
        Finding(
          .unusedIgnore,
          "unknown rule '\(printable(name.utf8))'"
            + (meant.map { "; did you mean '\($0)'?" } ?? ""),
          at: place, fix: meant.map { Fix(place, $0) }))
      return
    }
    if rule.adjustment == .none {
      findings.append(
        Finding(
          .unusedIgnore, "'\(name)' can't be ignored: it prevents a pack from being made",
          at: place))
      return
    }
    entries.append(Entry(rule: name, line: line, place: place))
  }

  /// The line that a comment is about: its own, or the next where it stands alone.
  private func subject(_ range: Range<Int>, _ source: SourceText) -> Int {
    let (first, last) = (
      source.position(at: range.lowerBound).line, source.position(at: range.upperBound).line
    )
    let start = source.line(first).startIndex
    let end = max(source.line(last).endIndex, range.upperBound)
    let isAlone =
      source.bytes[start..<range.lowerBound].allSatisfy(source.isBlank)
      && source.bytes[range.upperBound..<end].allSatisfy(source.isBlank)
    return isAlone ? last + 1 : first
  }

  /// The words between the comment's marks.
  private func words(_ range: Range<Int>, _ source: SourceText) -> [Range<Int>] {
    let isBlock = source.bytes[range.lowerBound + 1] == UInt8(ascii: "*")
    let inner =
      source.bytes[
        (range.lowerBound + 2)..<max(
          range.lowerBound + 2, range.upperBound - (isBlock ? 2 : 0))]
    return inner.split { source.isBlank($0) || $0 == UInt8(ascii: ",") }
      .map { $0.startIndex..<$0.endIndex }
  }

  private func text(_ range: Range<Int>, _ source: SourceText) -> String {
    String(decoding: source.bytes[range], as: UTF8.self)
  }
}

extension SourceText {
  /// Whether a byte is white space.
  fileprivate func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
