/// A manifest to which safe fixes of findings were applied. The rest of the text, including
/// comments and layout, is unchanged byte for byte.
package struct ManifestFixes: Sendable {
  package let file: BytePath
  package let original: SourceText
  package private(set) var fixed: SourceText
  /// The findings that were fixed. Their locations refer to the text of the pass that found them: a
  /// fix may reveal further findings.
  package private(set) var applied: [Finding] = []

  private static let maximumPasses = 10

  /// Fixes `file`. Nil if it couldn't be read or isn't text, which the check reports.
  package init?(_ file: ManifestFiles.File, _ options: ManifestCheck.Options) {
    guard !file.path.isStandardStream, case .success(let text) = file.text,
      !ContainerKind.begins(text.bytes)
    else { return nil }
    self.init(of: text, at: file.path, options)
  }

  /// Fixes `text`, the manifest that was read from `file`.
  package init(of text: SourceText, at file: BytePath, _ options: ManifestCheck.Options) {
    self.file = file
    original = text
    fixed = text
    // What is found in the project file isn't fixed.
    var options = options
    options.projectFindings = []
    var done: Set<String> = []
    for _ in 0..<Self.maximumPasses {
      let findings = ManifestCheck(of: fixed, readFrom: file, options).findings
      let pass = Self.applicable(findings).filter { !done.contains(Self.key($0)) }
      if pass.isEmpty { break }
      fixed = Self.text(fixed, with: pass.compactMap(\.fix))
      applied += pass
      done.formUnion(pass.map(Self.key))
    }
    // With a mistake left in the syntax, such as a missing quote, the text may mean something else
    // than what was read.
    if !JSONDocument(reading: fixed).isWellFormed { (fixed, applied) = (original, []) }
  }

  /// The text with these fixes, which are in order and don't overlap.
  private static func text(_ source: SourceText, with fixes: [Fix]) -> SourceText {
    var text: [UInt8] = []
    var end = 0
    for fix in fixes {
      let range = fix.location.range
      text += source.bytes[end..<range.lowerBound] + fix.replacement.utf8
      end = range.upperBound
    }
    return SourceText(name: source.name, bytes: text + source.bytes[end...])
  }

  /// Identifies a finding: if it occurs again after its fix, the fix is not repeated.
  static func key(_ finding: Finding) -> String {
    finding.rule.id + " " + finding.message
  }

  /// The findings with safe fixes, in the order of the text; if fixes overlap, only the first.
  private static func applicable(_ findings: [Finding]) -> [Finding] {
    var end = -1
    return findings.filter { $0.fix?.isCertain == true }
      .sorted {
        ($0.fix?.location.range.lowerBound ?? 0) < ($1.fix?.location.range.lowerBound ?? 0)
      }
      .filter { finding in
        // Of two that insert something at the same place, the order is unknown.
        guard let range = finding.fix?.location.range,
          range.lowerBound > end || range.lowerBound == end && !range.isEmpty
        else { return false }
        end = range.upperBound
        return true
      }
  }

  /// Replaces the original with the fixed text, atomically, unless the file was changed meanwhile.
  /// Writes nothing if nothing was fixed. Returns whether the file has other names, hard links,
  /// which still have the original.
  @discardableResult
  package func write() throws -> Bool {
    guard !applied.isEmpty else { return false }
    let output = try AtomicOutput(file, replacing: true)
    try output.write(fixed.bytes)
    let links = try FileStatus.following(file).linkCount
    try output.publish(inPlaceOf: original.bytes)
    return links > 1
  }

  /// The change as a unified diff for `patch -p0`; empty if nothing was fixed.
  package var difference: [UInt8] {
    unifiedDiff(of: original.bytes, with: fixed.bytes, name: file.bytes)
  }
}
