import BAPackCore

/// Fixes mutations of the manifests. Fixing never makes a text worse, never changes what can be read
/// of it other than where findings are, and is done after one run.
struct FixTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let options = ManifestCheck.Options(selectsFiles: false)

  init() throws { corpus = try fixtures("manifests", ["json"]) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    var text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    for _ in 0..<random.below(4) {
      let space = ["\u{2028}", "\u{2029}", "\u{A0}", "\u{FEFF}", "// x\u{2028}", "\t", ";"]
      text.insert(
        contentsOf: space[random.below(space.count)].utf8, at: random.below(text.count + 1))
    }
    let source = SourceText(name: "Manifest.json", bytes: text)
    let fixes = ManifestFixes(of: source, at: "Manifest.json", options)
    if fixes.applied.isEmpty {
      guard fixes.fixed.bytes == text else { fatalError("round \(round): a change without a fix") }
      return "as it was"
    }
    check(fixes.applied, round)
    let (old, new) = (JSONDocument(reading: source), JSONDocument(reading: fixes.fixed))
    guard new.isWellFormed || !old.isWellFormed else { fatalError("round \(round): new errors") }
    let isSpace = fixes.applied.allSatisfy { $0.rule == .notPlainJSON }
    if isSpace, old.isWellFormed {
      guard let before = old.root, let after = new.root,
        JSONWriter.bytes(before) == JSONWriter.bytes(after)
      else { fatalError("round \(round): other values") }
    }
    guard new.findings.count(where: \.isSyntax) <= old.findings.count(where: \.isSyntax) else {
      fatalError("round \(round): more errors")
    }
    return isSpace ? "fixed spaces" : "fixed"
  }
}

extension Finding {
  fileprivate var isSyntax: Bool { rule == .syntax }
}
