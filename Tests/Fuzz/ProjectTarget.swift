import BAPackCore

/// Decodes mutations of project files, and checks a manifest with the resulting settings.
struct ProjectTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let manifest: SourceText

  init() throws {
    corpus = try fixtures("projects", ["json"])
    guard let text = try fixtures("manifests/invalid", ["json"]).first else {
      fatalError("no manifest")
    }
    manifest = SourceText(name: "Manifest.json", bytes: text)
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let source = SourceText(name: ".ba-package.json", bytes: text)
    let decoded = ProjectDecoder.decode(source, at: ".ba-package.json")
    check(decoded.findings, round)
    if decoded.findings.hasErrors { return "refused" }
    let options = decoded.options(selectsFiles: false)
    check(ManifestCheck(of: manifest, readFrom: nil, options).findings, round)
    return "decoded"
  }
}
