import BAPackCore

package struct AppVersion: Sendable {
  let id: String
  /// `2.0`.
  package let number: String
  package let platform: String?
  package let state: String

  init(_ resource: Resource) {
    id = resource.id
    number = resource["versionString"]?.string ?? "?"
    platform = resource["platform"]?.string
    state = (resource["appVersionState"] ?? resource["appStoreState"])?.string ?? "?"
  }

  /// `app version 2.0 for iOS`.
  package var name: String {
    "app version \(number)" + (platform.map { " for \(Platform(storeName: $0).shown)" } ?? "")
  }

  // With the names that the states had before version 3.3 of the API.

  /// Whether players have it, or had it.
  package var isLive: Bool {
    [
      "READY_FOR_DISTRIBUTION", "REPLACED_WITH_NEW_VERSION", "READY_FOR_SALE",
      "PREORDER_READY_FOR_SALE", "REMOVED_FROM_SALE", "DEVELOPER_REMOVED_FROM_SALE",
    ].contains(state)
  }

  /// Whether the review approved it, now or earlier.
  var isApproved: Bool {
    let others = [
      "ACCEPTED", "PENDING_APPLE_RELEASE", "PENDING_DEVELOPER_RELEASE",
      "PROCESSING_FOR_DISTRIBUTION", "PROCESSING_FOR_APP_STORE",
    ]
    return isLive || others.contains(state)
  }

  /// Whether the review has it, or is done with it.
  var isSubmitted: Bool { isApproved || ["WAITING_FOR_REVIEW", "IN_REVIEW"].contains(state) }
}

struct OpenSubmission {
  let id: String
  let platform: String?
  let state: String
  let items: [Item]

  struct Item {
    /// The version of an asset pack that it submits, or the version of the app.
    let packVersion: String?
    let appVersion: String?

    init(_ resource: Resource) {
      packVersion = resource.related("backgroundAssetVersion")
      appVersion = resource.related("appStoreVersion")
    }

    /// The version that it submits; nil if it submits something else.
    var version: String? { packVersion ?? appVersion }
  }

  /// Whether items can still be added, or the state is unknown.
  var isDraft: Bool { ["READY_FOR_REVIEW", "?"].contains(state) }
  var hasAppVersion: Bool { items.contains { $0.appVersion != nil } }

  /// Whether App Store Connect counts submissions for `platform` together with this one.
  func concerns(_ platform: String?) -> Bool {
    self.platform == nil || platform == nil || self.platform == platform
  }
}

extension APIClient {
  func appVersions(ofApp app: String) throws -> [AppVersion] {
    try list("/v1/apps/\(percentEncoded(app))/appStoreVersions").resources.map(AppVersion.init)
  }

  func openSubmissions(ofApp app: String) throws -> [OpenSubmission] {
    let states = [
      "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "UNRESOLVED_ISSUES", "CANCELING",
      "COMPLETING",
    ]
    let query = [("filter[app]", app), ("filter[state]", states.joined(separator: ","))]
    return try list("/v1/reviewSubmissions", query).resources.map(submission)
  }

  /// A submission with its items.
  private func submission(_ resource: Resource) throws -> OpenSubmission {
    OpenSubmission(
      id: resource.id, platform: resource["platform"]?.string,
      state: resource["state"]?.string ?? "?", items: try items(ofSubmission: resource.id))
  }

  func submission(_ id: String) throws -> OpenSubmission {
    try submission(resource("/v1/reviewSubmissions/\(percentEncoded(id))"))
  }

  func items(ofSubmission submission: String) throws -> [OpenSubmission.Item] {
    try list(
      "/v1/reviewSubmissions/\(percentEncoded(submission))/items",
      [("include", "backgroundAssetVersion,appStoreVersion")]
    ).resources.filter { $0["state"]?.string != "REMOVED" }.map(OpenSubmission.Item.init)
  }

  /// The name of the asset pack's version with this ID.
  func packVersionName(_ id: String) throws -> String {
    let path = "/v1/backgroundAssetVersions/\(percentEncoded(id))"
    let document = try get(path, [("include", "backgroundAsset")])
    let pack = (document["included"]?.array ?? []).compactMap { Resource($0) }
      .compactMap { $0["assetPackIdentifier"]?.string }.first
    let number = document["data"]?["attributes"]?["version"]?.string
    return "\(pack ?? "an asset pack") version \(number ?? "?")"
  }

  /// Creates a submission. After a request without a response, an empty draft is the result.
  func createSubmission(app: String, platform: String?) throws -> String {
    try create(.submission(app: app, platform: platform), \.id) {
      let query = [("filter[app]", app), ("filter[state]", "READY_FOR_REVIEW")]
      return try list("/v1/reviewSubmissions", query).resources.first {
        try $0["platform"]?.string == platform && items(ofSubmission: $0.id).isEmpty
      }?.id
    }
  }

  func add(_ item: ReviewItem, toSubmission submission: String) throws {
    _ = try create(.item(item, submission: submission), OpenSubmission.Item.init) {
      try items(ofSubmission: submission).first { $0.version == item.id }
    }
  }

  /// Submits a draft, and returns what was submitted.
  func submit(_ id: String) throws -> OpenSubmission {
    try change(.submit(id)) { try !submission(id).isDraft }
    var delays = PollDelays()
    for _ in 0..<3 {
      let now = try submission(id)
      if !now.isDraft { return now }
      try delays.pause()
    }
    throw StoreError(
      "App Store Connect accepted the request to submit, but the submission is still a draft: look"
        + " at it in App Store Connect, and repeat the command")
  }
}

extension ResourceRequest {
  static func submission(app: String, platform: String?) -> ResourceRequest {
    ResourceRequest(
      "reviewSubmissions", attributes: platform.map { .object(["platform": $0]) },
      related: ["app": ("apps", app)])
  }

  static func item(_ item: ReviewItem, submission: String) -> ResourceRequest {
    ResourceRequest(
      "reviewSubmissionItems",
      related: [
        "reviewSubmission": ("reviewSubmissions", submission),
        item.relationship: (item.relationship + "s", item.id),
      ])
  }

  static func submit(_ submission: String) -> ResourceRequest {
    ResourceRequest(
      "reviewSubmissions", id: submission, attributes: .object(["submitted": true]))
  }
}

struct ReviewItem {
  /// `backgroundAssetVersion` or `appStoreVersion`.
  let relationship: String
  let id: String
}
