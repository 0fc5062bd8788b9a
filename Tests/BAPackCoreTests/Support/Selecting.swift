import BAPackCore
import BATestSupport

/// The files that selectors match in a folder, and the findings, as texts for comparison.
struct Selecting {
  /// The destinations; with ` < source` if that is different.
  let files: [String]
  /// `rule 'text pointed at': message`, with notes after ` | `. The folder's path is `ROOT`.
  let findings: [String]
  let selection: Selection
  let raw: [Finding]

  init(_ selectors: String, in folder: TemporaryFolder, output: BytePath? = nil) throws {
    let manifest = try manifest(selectors)
    let root = SourceRoot(of: manifest, readFrom: nil, option: folder.filePath)
    let outputs = PresentOutputs(output.map { [$0] } ?? [])
    let checked = Selection.resolve(manifest, in: root, outputs: outputs)
    (selection, raw) = (checked.value, checked.findings)
    files = selection.files.map { file in
      file.source == file.destination ? "\(file.source)" : "\(file.destination) < \(file.source)"
    }
    findings = raw.map { described($0).replacing(folder.path, with: "ROOT") }
  }
}

/// A finding in one line.
func described(_ finding: Finding) -> String {
  let notes = finding.notes.map { note in
    " | " + note.message + (note.location.map { " \(pointedAt($0))" } ?? "")
  }
  return "\(finding.rule.id) \(finding.location.map(pointedAt) ?? "nowhere"): "
    + finding.message + notes.joined()
}

private func pointedAt(_ location: SourceLocation) -> String {
  "'" + String(decoding: location.source.bytes[location.range], as: UTF8.self) + "'"
}
