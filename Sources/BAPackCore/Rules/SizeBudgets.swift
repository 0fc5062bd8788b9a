/// The maximum sizes of packs before compression.
package struct SizeBudgets: Sendable {
  /// Limits by the name of the download policy.
  package var policies: [String: UInt64] = ["essential": 200_000_000]
  /// Limits by identifier, which take precedence over those of the policy.
  package var packs: [String: UInt64] = [:]

  /// The names of the policies, as in manifests.
  package static let policyNames = ["essential", "prefetch", "onDemand"]

  /// 200 MB for essential packs, no limit for others.
  package init() {}

  /// A finding if the files of a pack exceed its budget.
  func findings(_ manifest: Manifest, _ selection: Selection) -> [Finding] {
    let identifier = manifest.assetPackID
    let policy = manifest.downloadPolicy.name
    let own = packs[identifier.value]
    guard let limit = own ?? policies[policy], selection.size > limit else { return [] }
    let owner = own == nil ? "'\(policy)' packs" : "this pack"
    let largest = selection.files.sorted { $0.size > $1.size }.prefix(3)
    return [
      Finding(
        .sizeBudget,
        "the files have \(byteCount(selection.size)); the budget of \(owner) is \(byteCount(limit))",
        at: identifier.location,
        notes: [
          Note(
            "the largest: "
              + largest.map { "'\($0.source)' (\(byteCount($0.size)))" }.joined(separator: ", "))
        ])
    ]
  }
}
