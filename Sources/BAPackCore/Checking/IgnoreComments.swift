extension Rule {
  package static let unusedIgnore = Rule(
    "unused-ignore", .warning, .project, "A comment ignores nothing",
    reason: """
      `// ba-package: ignore stray-file` ignores findings of that rule on its own line, or on the next \
      line if nothing else is on the comment's line. A comment that ignores nothing has a typo or is \
      no longer needed, and would hide a later finding.
      """,
    remedy: "Correct the name of the rule, move the comment, or remove it.",
    example: #"{ "file": "Credits.txt" }, // ba-package: ignore stray-files"#)
}

/// The comments of a manifest that ignore findings: `// ba-package: ignore stray-file`.
///
/// A comment applies to its own line or, if there is nothing else on that line, to the next one. It
/// names one or more rules, separated by commas or spaces.
struct IgnoreComments {
  private struct Entry {
    let rule: String
    let line: Int
    let place: SourceLocation
    var isUsed = false
  }

  private var entries: [Entry] = []
  /// Findings about the comments themselves.
  private(set) var findings: [Finding] = []

  init() {}

  /// Parses the comments at `ranges` of `source`, which include the comment marks.
  init(_ source: SourceText, _ ranges: [Range<Int>]) {
    for range in ranges where findings.count < [Finding].limit { read(range, source) }
  }

  /// Removes the findings that comments ignore, except for those that can't be ignored.
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

  /// A finding for each rule in a comment that ignored nothing, except for rules that were not
  /// checked.
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
    guard words.first?.text == "ba-package:" else { return }
    guard words.count > 1, words[1].text == "ignore" else {
      let end = words[0].place.range.upperBound
      let place = words.count > 1 ? words[1].place : SourceLocation(source, end..<end)
      findings.report(
        .unusedIgnore, "expected 'ignore' after 'ba-package:'", at: place,
        fix: words.count > 1 && nearest(to: words[1].text, among: ["ignore"]) != nil
          ? Fix(place, "ignore") : nil)
      return
    }
    if words.count == 2 {
      findings.report(
        .unusedIgnore, "'ba-package: ignore' names no rule", at: words[1].place)
    }
    let line = subject(range, source)
    for word in words.dropFirst(2) where findings.count < [Finding].limit {
      add(word.text, line, word.place)
    }
  }

  private mutating func add(_ name: String, _ line: Int, _ place: SourceLocation) {
    guard let rule = Rule.core.first(where: { $0.id == name }) else {
      let meant = nearest(to: name, among: Rule.core.map(\.id))
      findings.report(
        .unusedIgnore,
        "unknown rule '\(printable(name.utf8))'"
          + (meant.map { "; did you mean '\($0)'?" } ?? ""),
        at: place, fix: meant.map { Fix(place, $0) })
      return
    }
    if rule.adjustment == .none {
      findings.report(
        .unusedIgnore, "'\(name)' can't be ignored: it prevents a pack from being made",
        at: place)
      return
    }
    entries.append(Entry(rule: name, line: line, place: place))
  }

  /// The line that a comment applies to: its own, or the next if it is alone on its line.
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

  /// The words between the comment marks.
  private func words(
    _ range: Range<Int>, _ source: SourceText
  ) -> [(text: String, place: SourceLocation)] {
    let isBlock = source.bytes[range.lowerBound + 1] == UInt8(ascii: "*")
    return source.bytes[range].dropFirst(2).dropLast(isBlock ? 2 : 0)
      .split { source.isBlank($0) || $0 == UInt8(ascii: ",") }
      .map { (String(decoding: $0, as: UTF8.self), SourceLocation(source, $0.indices)) }
  }
}

extension SourceText {
  /// Whether a byte is ASCII whitespace.
  fileprivate func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
