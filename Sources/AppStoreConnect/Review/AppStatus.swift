import BAPackCore

/// The packs of an app in App Store Connect, with their versions and states.
package struct AppStatus: Sendable {
  package let app: String
  package let packs: [Pack]

  package struct Pack: Sendable {
    package let record: AssetPackRecord
    /// Newest first.
    package let versions: [Version]
  }

  package struct Version: Sendable {
    package let record: VersionRecord
    /// `READY_FOR_TESTING` and others; nil until the version is processed.
    package let internalBeta: String?
    package let externalBeta: String?
    package let appStore: String?

    package var isInProcess: Bool { record.state == .processing }
  }

  /// The total size of all packs of the app in bytes; nil if unknown.
  package let usedBytes: UInt64?

  /// Fetches the app's packs, or those with these identifiers; archived ones are included only if
  /// named.
  package init(
    _ api: APIClient, appName: String, identifiers: [String]
  ) throws {
    app = try api.app(appName)
    let all = try api.packs(ofApp: app)
    let sizes = all.compactMap(\.usedBytes)
    usedBytes = sizes.isEmpty && !all.isEmpty ? nil : sizes.reduce(0, +)
    let known = all.map(\.identifier)
    let missing = identifiers.filter { !known.contains($0) }
    guard missing.isEmpty else {
      throw StoreError(
        missing.map { [app] name in
          "app \(app) has no asset pack '\(printable(name.utf8))'"
            + (nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? "")
        }.joined(separator: "\n"))
    }
    var packs: [Pack] = []
    for record in all.sorted(by: { $0.identifier < $1.identifier })
    where identifiers.isEmpty ? !record.isArchived : identifiers.contains(record.identifier) {
      packs.append(Pack(record: record, versions: try api.versionStates(ofPack: record.id)))
    }
    self.packs = packs
  }
}

extension APIClient {
  func versionStates(ofPack pack: String) throws -> [AppStatus.Version] {
    let (resources, included) = try list(
      "/v1/backgroundAssets/\(percentEncoded(pack))/versions",
      [("include", "internalBetaRelease,externalBetaRelease,appStoreRelease")])
    let states = Dictionary(
      included.map { ($0.id, $0["state"]?.string) }, uniquingKeysWith: { first, _ in first })
    let versions = try resources.map { resource in
      let state = { (name: String) -> String? in
        resource.related(name).flatMap { states[$0] ?? nil }
      }
      return try AppStatus.Version(
        record: VersionRecord(resource), internalBeta: state("internalBetaRelease"),
        externalBeta: state("externalBetaRelease"), appStore: state("appStoreRelease"))
    }
    return versions.sorted { VersionRecord.precedes($1.record, $0.record) }
  }
}
