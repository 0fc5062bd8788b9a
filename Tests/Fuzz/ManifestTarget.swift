import BAPackCore
import Foundation

/// Decodes mutations of the manifests, and renders the findings.
struct ManifestTarget: FuzzTarget {
  private let corpus: [[UInt8]]

  init() throws { corpus = try fixtures("manifests", ["json"]) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let source = SourceText(name: "Manifest.json", bytes: text)
    let checked = ManifestDecoder.decode(source)
    let findings = checked.findings
    check(findings, round)
    return checked.value == nil ? "refused" : findings.hasErrors ? "taken in part" : "taken"
  }
}
