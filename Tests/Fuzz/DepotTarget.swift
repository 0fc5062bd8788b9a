import BAImporters
import BAPackCore
import Foundation

/// Converts mutations of Steam's build scripts against the files of the fixtures. The resulting
/// manifests must decode without an error.
struct DepotTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let content: String

  init() throws {
    corpus = try fixtures("depots", ["vdf"])
    content = fixtureRoot.appending(path: "depots/content").path
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let source = SourceText(name: "depot.vdf", bytes: text)
    let depots = random.below(4) == 0 ? ["1002"] : []
    // An app's script may name a file with any text.
    let (scripts, findings) = DepotScriptReader.read(source, depots: depots) { _ in
      corpus[source.bytes.count % corpus.count]
    }
    check(findings, round)
    guard let script = scripts.first else { return "refused" }
    let conversion = DepotConversion(
      of: script,
      .init(
        assetPackID: "Fuzz", downloadPolicy: .onDemand, platforms: [.macOS], contentRoot: content,
        sourceRoot: "../content"))
    check(conversion.findings, round)
    guard let manifest = conversion.manifest else {
      guard conversion.findings.hasErrors else { fatalError("round \(round): no reason") }
      return "not converted"
    }
    let decoded = ManifestDecoder.decode(SourceText(name: "Manifest.json", bytes: manifest))
    guard decoded.value != nil, !decoded.findings.hasErrors else {
      fatalError("round \(round): not a manifest: \(decoded.findings.map(\.message))")
    }
    return "converted"
  }
}
