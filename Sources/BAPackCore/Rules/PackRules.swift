extension Rule {
  /// Two manifests with one identifier.
  public static let repeatedAssetPackID = Rule(
    "repeated-asset-pack-id", .error, .packs, "Two manifests with one identifier", adjustment: .all)
}

extension AppCheck {
  static func repeatedIdentifiers(_ packs: [CheckedPack]) -> [Finding] {
    var first: [[UInt8]: Int] = [:]
    var findings: [Finding] = []
    for (index, pack) in packs.enumerated() {
      let identifier = pack.manifest.writtenID
      guard !identifier.location.range.isEmpty else { continue }
      let key = Array(identifier.value.utf8)
      guard let earlier = first[key] else {
        first[key] = index
        continue
      }
      findings.report(
        .repeatedAssetPackID, "another pack has the same identifier '\(printable(key))'",
        at: identifier.location,
        notes: [Note("the first is here", at: packs[earlier].manifest.writtenID.location)],
        manifests: [index, earlier])
    }
    return findings
  }
}
