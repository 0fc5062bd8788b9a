import BAPackCore

/// Versions to submit for App Store review together.
package struct Submission {
  private let api: APIClient
  private let platform: String?
  package let app: String
  package let items: [Item]
  /// The items that weren't submitted before.
  private var new: [Item] { items.filter { $0.submittedState == nil } }

  package struct Item: Sendable {
    package let identifier: String
    package let version: VersionRecord
    /// Its App Store state, if it was submitted before.
    package let submittedState: String?
  }

  /// The states after a submission, but for a rejection.
  private static let doneStates = [
    "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED", "PROCESSING_FOR_DISTRIBUTION",
    "READY_FOR_DISTRIBUTION",
  ]

  package static let maximumItems = 10

  /// Looks up what to submit: identifiers, each with a version number or nil for the newest
  /// processed version. Changes nothing.
  package init(
    _ wanted: [(identifier: String, version: String?)], _ api: APIClient, appName: String,
    platform: String?
  ) throws {
    guard wanted.count <= Self.maximumItems else {
      throw StoreError(
        "\(counted(wanted.count, "asset pack")); App Store Connect allows \(Self.maximumItems) in a"
          + " submission")
    }
    var names: Set<String> = []
    for (identifier, _) in wanted where !names.insert(identifier).inserted {
      throw StoreError(
        "'\(identifier)' is given twice; a submission has one version of an asset pack")
    }
    let status = try AppStatus(api, appName: appName, identifiers: wanted.map(\.identifier))
    var items: [Item] = []
    for (identifier, number) in wanted {
      guard let pack = status.packs.first(where: { $0.record.identifier == identifier }) else {
        continue
      }
      let version = pack.versions.first {
        number == nil ? $0.record.state == .complete : $0.record.number == number
      }
      guard let version else {
        throw StoreError(
          "the asset pack '\(identifier)' has no "
            + (number.map { "version \($0)" } ?? "version that was processed"))
      }
      guard version.record.state == .complete else {
        throw StoreError(
          "version \(version.record.number) of '\(identifier)' is in state"
            + " \(version.record.state.rawValue); only one that is COMPLETE can be submitted")
      }
      items.append(
        Item(
          identifier: identifier, version: version.record,
          submittedState: version.appStore.flatMap { Self.doneStates.contains($0) ? $0 : nil }))
    }
    self.api = api
    self.platform = platform
    app = status.app
    self.items = items
  }

  package var plannedRequests: [PlannedRequest] {
    if new.isEmpty { return [] }
    return [PlannedRequest(line: "POST /v1/reviewSubmissions", body: document)]
      + new.map {
        PlannedRequest(
          line: "POST /v1/reviewSubmissionItems",
          body: Self.itemDocument($0.version.id, submission: "<submission>"))
      }
      + [
        PlannedRequest(
          line: "PATCH /v1/reviewSubmissions/<submission>",
          body: Self.submitDocument("<submission>"))
      ]
  }

  /// Submits the versions; returns the submission's ID, or nil if all were submitted before.
  /// Continues a submission that an earlier run began, unless it contains anything else.
  package func submit() throws -> String? {
    if new.isEmpty { return nil }
    let id: String
    if let open = try openSubmission() {
      id = open
    } else {
      id = try api.create("/v1/reviewSubmissions", document) {
        try found()
      }.id
    }
    var present = try versions(of: id)
    for item in new where !present.contains(item.version.id) {
      _ = try api.create(
        "/v1/reviewSubmissionItems", Self.itemDocument(item.version.id, submission: id)
      ) {
        try itemResources(of: id).first { $0.related("backgroundAssetVersion") == item.version.id }
      }
      present.append(item.version.id)
    }
    let path = "/v1/reviewSubmissions/\(percentEncoded(id))"
    try api.change(path, Self.submitDocument(id)) {
      let state = try api.get(path)["data"]?["attributes"]?["state"]?.string
      return state != "READY_FOR_REVIEW"
    }
    return id
  }

  /// The open submission, if any; throws if it contains anything but these versions.
  private func openSubmission() throws -> String? {
    guard let open = try found() else { return nil }
    let wanted = Set(new.map(\.version.id))
    let resources = try itemResources(of: open.id)
    guard
      resources.allSatisfy({ $0.related("backgroundAssetVersion").map(wanted.contains) ?? false })
    else {
      throw StoreError(
        "the app has an open submission with other items; submit or remove it at"
          + " https://appstoreconnect.apple.com/apps/\(app)")
    }
    return open.id
  }

  private func found() throws -> Resource? {
    var query = [("filter[app]", app), ("filter[state]", "READY_FOR_REVIEW")]
    if let platform { query.append(("filter[platform]", platform)) }
    return try api.list("/v1/reviewSubmissions", query).resources.first
  }

  private func versions(of submission: String) throws -> [String] {
    try itemResources(of: submission).compactMap { $0.related("backgroundAssetVersion") }
  }

  private func itemResources(of submission: String) throws -> [Resource] {
    try api.list(
      "/v1/reviewSubmissions/\(percentEncoded(submission))/items",
      [("include", "backgroundAssetVersion")]
    ).resources
  }

  private var document: JSONValue {
    .document(
      "reviewSubmissions",
      attributes: platform.map { .object(["platform": $0]) }, related: ["app": ("apps", app)])
  }

  private static func itemDocument(_ version: String, submission: String) -> JSONValue {
    .document(
      "reviewSubmissionItems",
      related: [
        "reviewSubmission": ("reviewSubmissions", submission),
        "backgroundAssetVersion": ("backgroundAssetVersions", version),
      ])
  }

  private static func submitDocument(_ id: String) -> JSONValue {
    .document("reviewSubmissions", id: id, attributes: .object(["submitted": true]))
  }
}
