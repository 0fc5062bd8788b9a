/// A manifest whose findings were fixed, as far as they carry fixes that are no guesses. The rest of
/// the text, with comments and layout, stays byte for byte.
package struct ManifestFixes: Sendable {
  /// The manifest.
  package let file: BytePath
  /// Its text as it was read.
  package let original: SourceText
  /// Its text with the fixes.
  package private(set) var fixed: SourceText
  /// The findings that were fixed. Each points into the text as it was when it was found: a fix may
  /// reveal further findings.
  package private(set) var applied: [Finding] = []

  /// How often the text is checked anew.
  private static let mostPasses = 10

  /// Fixes the text of the manifest at `file`. A file that can't be read, or is no text, is left to
  /// the check: nothing is fixed.
  package init?(reading file: BytePath, _ options: ManifestCheck.Options) {
    guard !file.isStandardStream, let text = try? SourceText(readingManifest: file),
      !ContainerKind.begins(text.bytes)
    else { return nil }
    self.init(of: text, at: file, options)
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
      // A fix must not make a text worse that is not JSON5 yet.
      guard !pass.isEmpty, text.breaches <= fixed.breaches else { return }
      fixed = text
      applied += pass
      done.formUnion(pass.map(Self.key))
    }
  }

  /// The same finding again, after its fix, would be fixed for ever.
  private static func key(_ finding: Finding) -> String { finding.rule.id + " " + finding.message }

  /// The findings with a fix that is no guess, in the order of the text; of fixes that overlap, the
  /// first.
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

  /// Writes the fixed text in place of the original, atomically, unless the file was changed
  /// meanwhile. Nothing is written where nothing was fixed.
  package func write() throws(ManifestFixError) {
    guard !applied.isEmpty else { return }
    let now = try mapping(
      ManifestFixError.system, file.contents(limit: JSONDocument.maximumSize))
    if now != original.bytes { throw .changed(file) }
    do throws(SystemError) {
      let output = try AtomicOutput(file, replacing: true)
      try output.write(fixed.bytes)
      try output.publish()
    } catch {
      throw .system(error)
    }
  }

  /// The change as a unified diff, for `patch -p0`; empty where nothing was fixed.
  package var difference: [UInt8] {
    unifiedDiff(of: original.bytes, with: fixed.bytes, name: file.bytes)
  }
}

/// Why a fixed manifest was not written.
package enum ManifestFixError: Error, Sendable, CustomStringConvertible {
  /// The file is no longer what was checked.
  case changed(BytePath)
  /// The system refused to read it again, or to write it.
  case system(SystemError)

  /// What is wrong, in one sentence without a final period.
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

  /// How often the text breaks the grammar; 20 ends the count.
  fileprivate var breaches: Int {
    JSONDocument(reading: self).findings.count { $0.rule == .syntax }
  }
}
