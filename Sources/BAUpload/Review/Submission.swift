import BAPackCore

/// The next batch of asset packs, and of an app version, for App Store review.
///
/// A submission has at most ten packs. More are submitted by repeating the same request: each
/// continues where the previous one ended, even if that was killed, because everything is derived
/// from what App Store Connect has.
package struct Submission {
  private let api: APIClient
  package let app: String
  private let platform: String?
  package let items: [Item]
  package let appVersion: AppVersion?
  /// Those to submit now, and those that remain.
  package private(set) var batch: [Item] = []
  package private(set) var left: [Item] = []
  package private(set) var hasNewAppVersion = false
  /// Why nothing can be submitted now; nil if it can, or if nothing is left.
  package private(set) var obstacle: String?
  private var target: OpenSubmission?
  private let joins: Bool
  private let appVersions: [AppVersion]

  package struct Item: Sendable {
    package let identifier: String
    package let version: VersionRecord
    /// Its App Store state, if it was submitted before.
    package fileprivate(set) var submittedState: String?
  }

  package struct Wish: Sendable {
    /// Identifiers, each with a version number or nil for the newest processed version. Empty means
    /// all packs.
    package var packs: [(identifier: String, version: String?)] = []
    package var appVersion: String?
    package var platform: Platform?
    /// Whether items that are already in an open submission may be submitted, too.
    package var joins = false

    package init() {}
  }

  /// The states after a submission, but for a rejection.
  private static let doneStates = [
    "WAITING_FOR_REVIEW", "IN_REVIEW", "ACCEPTED", "PROCESSING_FOR_DISTRIBUTION",
    "READY_FOR_DISTRIBUTION",
  ]

  private static let maximumPacks = 10

  /// Looks up the versions to submit. Changes nothing.
  package init(_ wish: Wish, _ api: APIClient, appName: String) throws {
    if let (pack, _) = wish.packs.repeated(by: \.identifier) {
      throw StoreError(
        "'\(pack.identifier)' is given twice; a submission has one version of an asset pack")
    }
    let status = try AppStatus(api, appName: appName, identifiers: wish.packs.map(\.identifier))
    appVersions = try api.appVersions(ofApp: status.app)
    try wish.platform?.check(
      in: [appVersions.compactMap(\.platform).map(Platform.init(storeName:))])
    let open = try api.openSubmissions(ofApp: status.app)
    self.api = api
    app = status.app
    joins = wish.joins
    appVersion = try wish.appVersion.map { [appVersions] in
      try Self.find($0, wish.platform, in: appVersions, ofApp: status.app)
    }
    platform = appVersion?.platform ?? wish.platform?.storeName
    let submitted = open.filter { !$0.isDraft }
    items = try Self.items(wish, status).map { item in
      var item = item
      if submitted.contains(where: { $0.items.contains { $0.packVersion == item.version.id } }) {
        item.submittedState = item.submittedState ?? "WAITING_FOR_REVIEW"
      }
      return item
    }
    try plan(status, open)
  }

  private static func items(_ wish: Wish, _ status: AppStatus) throws -> [Item] {
    let wanted = Dictionary(wish.packs.map { ($0.identifier, $0.version) }) { first, _ in first }
    let items = try status.packs.compactMap { pack -> Item? in
      let identifier = pack.identifier
      let number = wanted[identifier] ?? nil
      let version = pack.versions.first {
        number == nil ? $0.state == .complete : $0.number == number
      }
      guard let version else {
        if wish.packs.isEmpty { return nil }
        throw StoreError(
          "the asset pack '\(identifier)' has no "
            + (number.map { "version \($0)" } ?? "version that was processed"))
      }
      guard version.state == .complete else {
        throw StoreError(
          "version \(version.number) of '\(identifier)' is in state"
            + " \(version.state.rawValue); only one that is COMPLETE can be submitted")
      }
      return Item(
        identifier: identifier, version: version,
        submittedState: version.appStore.flatMap { doneStates.contains($0) ? $0 : nil })
    }
    let order = wish.packs.map(\.identifier)
    return order.isEmpty
      ? items : order.compactMap { name in items.first { $0.identifier == name } }
  }

  private static func find(
    _ number: String, _ platform: Platform?, in versions: [AppVersion], ofApp app: String
  ) throws -> AppVersion {
    let found = versions.filter {
      $0.number == number && (platform == nil || $0.platform == platform?.storeName)
    }
    if found.count == 1 { return found[0] }
    let shown = printable(number.utf8)
    guard found.isEmpty else {
      throw StoreError(
        "app version \(shown) is there for \(list(found.compactMap(\.platform).map { Platform(storeName: $0).shown }));"
          + " give the platform")
    }
    let names = (versions.filter { !$0.isApproved } + versions.filter(\.isApproved))
      .map { "\($0.name.dropFirst(12))" + ($0.isLive ? " (live)" : "") }
    throw StoreError(
      "app \(app) has no version \(shown)"
        + (platform.map { " for \($0.shown)" } ?? "")
        + (names.isEmpty ? "" : "; it has \(list(names))"))
  }

  /// Decides what this batch is, and which submission it belongs to.
  private mutating func plan(_ status: AppStatus, _ open: [OpenSubmission]) throws {
    let pending = items.filter { $0.submittedState == nil }
    let submitted = open.filter { !$0.isDraft && $0.concerns(platform) }
    hasNewAppVersion =
      appVersion.map { version in
        !version.isSubmitted
          && !submitted.contains { $0.items.contains { $0.appVersion == version.id } }
      } ?? false
    if pending.isEmpty, let appVersion, appVersion.isLive {
      throw StoreError("\(appVersion.name) is already live, and no pack is left to submit")
    }
    if pending.isEmpty, !hasNewAppVersion { return }
    let isFirst = !appVersions.contains(where: \.isApproved)
    if isFirst { try checkFirstRelease(pending) }

    let own = Set(pending.map(\.version.id) + [appVersion?.id].compactMap(\.self))
    let isOwn = { (item: OpenSubmission.Item) in item.version.map(own.contains) ?? false }
    let drafts = open.filter {
      $0.isDraft && (hasNewAppVersion ? $0.platform == platform : $0.concerns(platform))
    }
    target =
      drafts.first { $0.items.contains(where: isOwn) } ?? drafts.first(where: \.items.isEmpty)
      ?? drafts.first
    if let target { try checkVersions(in: target, status) }
    try checkOthers(target?.items.filter { !isOwn($0) } ?? [])
    let elsewhere = open.filter { $0.isDraft && $0.id != target?.id }.flatMap(\.items)
    if let item = pending.first(where: { item in
      elsewhere.contains { $0.packVersion == item.version.id }
    }) {
      throw StoreError(
        "\(item.identifier) version \(item.version.number) is in another open submission; remove it"
          + " there: \(page)")
    }

    let present = target?.items.compactMap(\.packVersion) ?? []
    let isIn = { (item: Item) in present.contains(item.version.id) }
    let room = max(0, Self.maximumPacks - present.count)
    batch = pending.filter(isIn) + pending.filter { !isIn($0) }.prefix(room)
    left = Array(pending.filter { !isIn($0) }.dropFirst(room))
    if isFirst, !left.isEmpty { throw tooManyForFirst(left) }
    // One submission with an app version can be under review, and one without.
    let hasAppVersion = hasNewAppVersion || target?.hasAppVersion ?? false
    guard let other = submitted.first(where: { $0.hasAppVersion == hasAppVersion }) else { return }
    let state = other.state == "UNRESOLVED_ISSUES" ? "has unresolved issues" : "is under review"
    obstacle =
      "a submission \(hasAppVersion ? "with" : "without") an app version \(state), and App Store"
      + " Connect allows one at a time: \(page)"
    left = pending
    batch = []
    hasNewAppVersion = false
  }

  /// Before the first approval, all packs must be in the submission of the app version.
  private func checkFirstRelease(_ pending: [Item]) throws {
    let reason = "no version of app \(app) was approved yet, so its asset packs must be submitted"
    guard let appVersion else {
      let waiting = appVersions.filter { !$0.isSubmitted }.map(\.number)
      throw StoreError(
        "\(reason) together with an app version; --app-version adds it"
          + (waiting.isEmpty ? "" : ": the app has \(list(waiting))"))
    }
    guard hasNewAppVersion else {
      throw StoreError(
        "\(reason) together with the app version, but \(appVersion.name) was submitted without"
          + " \(list(pending.map(\.identifier))); remove it from review, or wait: \(page)")
    }
  }

  private func tooManyForFirst(_ left: [Item]) -> StoreError {
    StoreError(
      "no version of app \(app) was approved yet, so all asset packs must be in the submission of"
        + " the app version, which has at most \(Self.maximumPacks): there is no room for"
        + " \(list(left.map(\.identifier))); submit \(left.count == 1 ? "it" : "them") after the"
        + " first approval")
  }

  /// Throws if the draft has another version of a pack.
  private func checkVersions(in draft: OpenSubmission, _ status: AppStatus) throws {
    for item in items where item.submittedState == nil {
      let pack = status.packs.first { $0.identifier == item.identifier }
      let other = pack?.versions.first { version in
        version.id != item.version.id
          && draft.items.contains { $0.packVersion == version.id }
      }
      guard let other else { continue }
      throw StoreError(
        "an open submission has version \(other.number) of '\(item.identifier)'; submit"
          + " \(item.identifier)@\(other.number), or remove it: \(page)")
    }
  }

  /// Throws if a draft has items that weren't asked for and may not be joined.
  private func checkOthers(_ others: [OpenSubmission.Item]) throws {
    guard !others.isEmpty, !joins else { return }
    throw StoreError(
      "an open submission has \(list(try others.map(name))), not asked for here; --join adds to it"
        + " and submits all together, or submit or remove it first: \(page)")
  }

  private func name(_ item: OpenSubmission.Item) throws -> String {
    if let id = item.packVersion { return try api.packVersionName(id) }
    guard let id = item.appVersion else { return "another item" }
    return appVersions.first { $0.id == id }?.name ?? "an app version"
  }

  private var page: String { "https://appstoreconnect.apple.com/apps/\(app)" }

  /// The requests that remain; IDs that the server has yet to assign are in angle brackets.
  package func plannedRequests(submits: Bool) -> [ResourceRequest] {
    guard !isEmpty else { return [] }
    let id = target?.id ?? "<submission>"
    return (target == nil ? [.submission(app: app, platform: platform)] : [])
      + newItems.map { .item($0, submission: id) } + (submits ? [.submit(id)] : [])
  }

  package var isEmpty: Bool { batch.isEmpty && !hasNewAppVersion }

  private var newItems: [ReviewItem] {
    let present = Set(target?.items.map(\.version) ?? [])
    return wanted.filter { !present.contains($0.id) }
  }

  /// The versions to submit now.
  private var wanted: [ReviewItem] {
    [hasNewAppVersion ? appVersion?.id : nil].compactMap(\.self)
      .map { ReviewItem(relationship: "appStoreVersion", id: $0) }
      + batch.map { ReviewItem(relationship: "backgroundAssetVersion", id: $0.version.id) }
  }

  /// Fills a submission with the batch, and submits it if `submits`; returns its ID and the names of
  /// other items that were submitted with it, or nil if there is nothing to submit now.
  package func run(submits: Bool) throws -> (id: String, others: [String])? {
    if isEmpty { return nil }
    do {
      let id = try target?.id ?? api.createSubmission(app: app, platform: platform)
      for item in newItems { try api.add(item, toSubmission: id) }
      if !submits { return (id, []) }
      // Others may have changed it since it was looked up.
      let draft = try api.submission(id)
      let own = Set(wanted.map(\.id))
      let others = { (items: [OpenSubmission.Item]) in
        items.filter { $0.version.map { !own.contains($0) } ?? true }
      }
      guard draft.isDraft, own.isSubset(of: draft.items.compactMap(\.version)) else {
        throw StoreError(
          "the submission was changed or submitted meanwhile; another run may be submitting: repeat"
            + " the command when that has ended")
      }
      try checkOthers(others(draft.items))
      return (id, try others(api.submit(id).items).map(name))
    } catch let error as StoreError where error.refusal?.status == 409 {
      throw StoreError(
        "\(error)\n  another run may be submitting: repeat the command when that has ended")
    }
  }
}

/// `a, b and c`; of more than twelve, the first ten and how many more there are.
func list(_ names: [String]) -> String {
  listed(names.count > 12 ? names.prefix(10) + ["\(names.count - 10) more"] : names[...], "and")
}
