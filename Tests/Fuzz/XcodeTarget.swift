import BAImporters
import BAPackCore
import Foundation

/// Converts mutations of Xcode projects against the files of the fixtures. All resulting manifests
/// must decode without an error.
struct XcodeTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let content: BytePath

  init() throws {
    corpus = try fixtures("xcode", ["pbxproj"]).filter { $0.count < 1 << 16 }
    content = BytePath(fixtureRoot.appending(path: "xcode/content").path.utf8)
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let conversion = OnDemandConversion(
      of: SourceText(name: "project.pbxproj", bytes: text),
      in: content, target: nil, platforms: [.iOS]
    ) { _ in ".." }
    // Findings about asset catalogs point into those.
    check(conversion.findings, round)
    for pack in conversion.packs {
      let decoded = ManifestDecoder.decode(SourceText(name: "Manifest.json", bytes: pack.manifest))
      guard decoded.value != nil, !decoded.findings.hasErrors else {
        fatalError("round \(round): not a manifest: \(decoded.findings.map(\.message))")
      }
    }
    guard conversion.packs.isEmpty else { return "converted" }
    guard conversion.findings.hasErrors else { fatalError("round \(round): no reason") }
    return "refused"
  }
}
