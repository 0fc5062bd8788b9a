import BAPackCore

/// The packs of an app in App Store Connect, with their versions and states.
package struct AppStatus: Sendable {
  package let app: String
  package private(set) var packs: [AssetPackRecord] = []
  /// What counts for the app's limit, in bytes, which archived packs don't; nil if unknown.
  package let usedBytes: UInt64?

  /// Fetches the app's packs, or those with these identifiers; archived ones are included only if
  /// named.
  package init(
    _ api: APIClient, appName: String, identifiers: [String]
  ) throws {
    app = try api.app(appName)
    let all = try api.packs(ofApp: app)
    let counted = all.filter { !$0.isArchived }
    let sizes = counted.compactMap(\.usedBytes)
    usedBytes = sizes.isEmpty && !counted.isEmpty ? nil : sizes.reduce(0, +)
    let known = all.map(\.identifier)
    let missing = identifiers.filter { !known.contains($0) }
    guard missing.isEmpty else {
      let names = missing.map { name in
        let meant =
          nearest(to: name, among: known) ?? known.first { name.count > 2 && $0.contains(name) }
        return "'\(printable(name.utf8))'" + (meant.map { " (did you mean '\($0)'?)" } ?? "")
      }
      throw StoreError(
        "app \(app) has no asset pack\(names.count == 1 ? "" : "s") \(list(names))")
    }
    for var pack in all.sorted(by: { $0.identifier < $1.identifier })
    where identifiers.isEmpty ? !pack.isArchived : identifiers.contains(pack.identifier) {
      pack.versions = try api.versions(ofPack: pack.id, withReleases: true)
      packs.append(pack)
    }
  }
}
