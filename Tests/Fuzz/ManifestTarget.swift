import BAPackCore
import Foundation

/// Decodes mutations of the manifests, and renders what is found in them.
struct ManifestTarget: FuzzTarget {
  private let corpus: [[UInt8]]

  init() throws { corpus = try fixtures("manifests", ["json"]) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.mutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let source = SourceText(name: "Manifest.json", bytes: text)
    let checked = ManifestDecoder.decode(source)
    let findings = checked.findings
    for finding in findings {
      guard let location = finding.location else { continue }
      guard location.range.upperBound <= text.count else { fatalError("round \(round): place") }
    }
    let rendered = findings.rendered(as: .text, color: false)
    guard findings.isEmpty == rendered.isEmpty else { fatalError("round \(round): rendering") }
    return checked.value == nil ? "refused" : findings.hasErrors ? "taken in part" : "taken"
  }
}
