/// A manifest to which safe fixes of findings were applied. The rest of the text, including
/// comments and layout, is unchanged byte for byte.
package struct ManifestFixes: Sendable {
  /// The manifest.
  package let file: BytePath
  /// The original text.
  package let original: SourceText
  /// The text with the fixes.
  package private(set) var fixed: SourceText
  /// The findings that were fixed. Their locations refer to the text of the pass that found them: a
  /// fix may reveal further findings.
  package private(set) var applied: [Finding] = []

  /// The maximum number of passes.
  private static let mostPasses = 10

  /// Fixes `file`. Nil if it couldn't be read or isn't text, which the check reports.
  package init?(_ file: ManifestFiles.File, _ options: ManifestCheck.Options) {
    guard !file.path.isStandardStream, case .success(let text) = file.text,
      !ContainerKind.begins(text.bytes)
    else { return nil }
    self.init(of: text, at: file.path, options)
  }

  init(of text: SourceText, at file: BytePath, _ options: ManifestCheck.Options) {
    self.file = file
    original = text
    fixed = text
    var done: Set<String> = []
    for _ in 0..<Self.mostPasses {
      let findings = ManifestCheck(of: fixed, readFrom: file, options).findings
      let pass = Self.applicable(findings).filter { !done.contains(Self.key($0)) }
      let text = fixed.applying(pass.compactMap(\.fix))
      // A fix must not add syntax errors to a text that isn't valid yet.
      guard !pass.isEmpty, text.breaches <= fixed.breaches else { return }
      fixed = text
      applied += pass
      done.formUnion(pass.map(Self.key))
    }
  }

  /// Identifies a finding: if it occurs again after its fix, the fix is not repeated.
  private static func key(_ finding: Finding) -> String { finding.rule.id + " " + finding.message }

  /// The findings with safe fixes, in the order of the text; if fixes overlap, only the first.
  private static func applicable(_ findings: [Finding]) -> [Finding] {
    var end = -1
    return findings.filter { $0.fix?.isCertain == true }
      .sorted {
        ($0.fix?.location.range.lowerBound ?? 0) < ($1.fix?.location.range.lowerBound ?? 0)
      }
      .filter { finding in
        guard let range = finding.fix?.location.range, range.lowerBound > end else { return false }
        end = range.upperBound
        return true
      }
  }

  /// Replaces the original with the fixed text, atomically, unless the file was changed meanwhile.
  /// Writes nothing if nothing was fixed.
  package func write() throws(ManifestFixError) {
    guard !applied.isEmpty else { return }
    let now = try mapping(
      ManifestFixError.system, file.contents(limit: JSONDocument.maximumSize))
    if now != original.bytes { throw .changed(file) }
    try mapping(
      ManifestFixError.system, AtomicOutput.write(fixed.bytes, to: file, replacing: true))
  }

  /// The change as a unified diff for `patch -p0`; empty if nothing was fixed.
  package var difference: [UInt8] {
    unifiedDiff(of: original.bytes, with: fixed.bytes, name: file.bytes)
  }
}

/// Why a fixed manifest was not written.
package enum ManifestFixError: Error, Sendable, CustomStringConvertible {
  /// The file is no longer the one that was checked.
  case changed(BytePath)
  /// The file could not be read again, or not written.
  case system(SystemError)

  /// The description, in one sentence without a final period.
  package var description: String {
    switch self {
    case .changed(let file): "'\(file)' was changed by another program; it was not fixed"
    case .system(let error): error.description
    }
  }
}

extension SourceText {
  /// The text with `fixes`, which are in order and don't overlap.
  fileprivate func applying(_ fixes: [Fix]) -> SourceText {
    var text: [UInt8] = []
    var end = 0
    for fix in fixes {
      text += bytes[end..<fix.location.range.lowerBound]
      text += fix.replacement.utf8
      end = fix.location.range.upperBound
    }
    return SourceText(name: name, bytes: text + bytes[end...])
  }

  /// The number of syntax errors in the text, up to 20.
  fileprivate var breaches: Int {
    JSONDocument(reading: self).findings.count { $0.rule == .syntax }
  }
}
