import BAPackCore
import Foundation

/// Reads mutations of download manifests and their records, and adds a pack to the result. The
/// output must be readable, with the same packs.
struct DownloadTarget: FuzzTarget {
  private let manifests: [[UInt8]]
  private let records: [[UInt8]]
  private let base: DownloadBaseURL
  private let pack: PackFacts

  init() throws {
    base = try DownloadBaseURL(Array("https://example.com/packs".utf8))
    let contents = [UInt8](repeating: 0x5A, count: 32)
    pack = PackFacts(
      path: "Level 1.aar",
      Manifest(assetPackID: "Level 1", .onDemand, platforms: [.iOS], language: "de"),
      downloadSize: 596, contents: contents)
    var edit = DownloadManifestEdit(
      replacing: DownloadHistory(DownloadManifest(), ContentsRecords()), base: base)
    let other = PackFacts(
      path: "Tutorial.aar",
      Manifest(assetPackID: "Tutorial", .essential([.firstInstallation]), platforms: []),
      downloadSize: 1 << 40, contents: contents)
    edit.add([(pack, 3), (other, 0)], for: [.iOS])
    manifests = [
      edit.manifest.bytes, Array(#"{"assetPacks": []}"#.utf8),
      Array(
        """
        // Served by hand.
        {assetPacks: [{id: 'Level 1', version: 0x7fffffffffffffff, x: [1e308, -0.0, 'é\\u12']},
          {"id": "\\ud83d\\ude00", "version": 0, "host": null, "host": {}},], "more": {"a": [[]]}}
        """.utf8),
    ]
    records = [edit.records.bytes, Array(#"{"schemaVersion": 1, "assetPacks": []}"#.utf8)]
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    // Sometimes both are changed, but usually one, so that the other is valid.
    let which = random.below(3)
    let manifest = changed(manifests, which != 1, &random)
    let record = changed(records, which != 0, &random)
    var findings: [Finding] = []
    let listed = DownloadManifest(document(manifest), findings: &findings)
    check(findings, round)
    var recordFindings: [Finding] = []
    let known = ContentsRecords(document(record), findings: &recordFindings)
    check(recordFindings, round)
    guard let listed else { return "manifest refused" }
    guard let known else { return "records refused" }
    let version = random.below(4) == 0 ? random.below(5) : nil
    var edit = DownloadManifestEdit(updating: DownloadHistory(listed, known), base: base)
    edit.add([(pack, version)], for: [.iOS])
    check(edit.findings, round)
    if edit.findings.hasErrors { return "edit refused" }
    var errors: [Finding] = []
    let again = DownloadManifest(document(edit.manifest.bytes), findings: &errors)
    guard let again, again.identifiers == edit.manifest.identifiers,
      again.bytes == edit.manifest.bytes,
      ContentsRecords(document(edit.records.bytes), findings: &errors)?.bytes == edit.records.bytes
    else { fatalError("round \(round): not read again: \(errors.map(\.message))") }
    return "edited"
  }

  private func changed(
    _ corpus: [[UInt8]], _ changes: Bool, _ random: inout Mutator
  ) -> [UInt8] {
    let text = corpus[random.below(corpus.count)]
    return changes
      ? random.textMutation(of: text, with: corpus[random.below(corpus.count)]) : text
  }

  private func document(_ bytes: [UInt8]) -> JSONDocument {
    JSONDocument(reading: SourceText(name: "Downloads.json", bytes: bytes))
  }
}
