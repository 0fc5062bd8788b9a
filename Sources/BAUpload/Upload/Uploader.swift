import BAPackCore

/// Uploads packs to one app.
///
/// All packs are looked up before the first change is made, and each is committed before the next
/// one begins; the store processes them while others are sent.
package struct Uploader {
  private let api: APIClient
  package let app: String
  private let options: UploadOptions
  package let uploads: [PackUpload]
  /// The identifiers of packs that the app doesn't have, and that aren't to be created. They have no
  /// upload.
  private let missing: [String]

  /// The maximum total size of an app's packs, in bytes.
  package static let maximumBytes: UInt64 = 200_000_000_000
  private static let maximumPacks = 200

  /// Looks up the current state, and changes nothing. `appName` is an ID or a bundle identifier.
  package init(
    _ packs: [LocalPack], _ api: APIClient, appName: String, _ options: UploadOptions,
    report: @escaping @Sendable (UploadEvent) -> Void
  ) throws {
    self.api = api
    self.options = options
    if let (first, second) = packs.repeated(by: \.identifier) {
      throw StoreError(
        "'\(first.path)' and '\(second.path)' have the same identifier '\(first.identifier)'")
    }
    app = try api.app(appName)
    let all = try api.packs(ofApp: app)
    let records = Dictionary(all.map { ($0.identifier, $0) }) { first, second in
      first.isArchived ? second : first
    }
    missing = options.creates ? [] : packs.map(\.identifier).filter { records[$0] == nil }
    var uploads: [PackUpload] = []
    for pack in packs {
      let record = records[pack.identifier]
      if record == nil, !options.creates { continue }
      // Progress is counted over all packs.
      let before = uploads.filter(\.sends).reduce(0) { $0 + $1.pack.size }
      uploads.append(
        try PackUpload(pack, api, app: app, record: record, options) { event in
          if case .progress(let bytes, let parts) = event {
            report(.progress(before + bytes, parts: parts))
          } else {
            report(event)
          }
        })
    }
    self.uploads = uploads
    for excess in excesses(all) { report(.message("warning: \(excess)", .warning)) }
  }

  /// What exceeds App Store Connect's limits after the upload, as far as that can be computed here.
  /// The store decides: of each pack, the largest version counts that can be tested or sold.
  private func excesses(_ all: [AssetPackRecord]) -> [String] {
    var sizes = Dictionary(
      all.filter { !$0.isArchived }.map { ($0.identifier, $0.usedBytes ?? 0) },
      uniquingKeysWith: max)
    let before = sizes
    for upload in uploads where upload.sends {
      sizes[upload.pack.identifier, default: 0] = max(
        sizes[upload.pack.identifier, default: 0], upload.pack.size)
    }
    let bytes = sizes.values.reduce(0, +)
    var excesses: [String] = []
    if bytes > max(Self.maximumBytes, before.values.reduce(0, +)) {
      excesses.append(
        "the largest versions of the app's asset packs would have \(byteCount(bytes)); App Store"
          + " Connect allows \(byteCount(Self.maximumBytes)) for an app")
    }
    if sizes.count > max(Self.maximumPacks, before.count) {
      excesses.append(
        "the app would have \(counted(sizes.count, "asset pack")); App Store Connect allows"
          + " \(Self.maximumPacks) for an app")
    }
    return excesses
  }

  /// Throws if the app lacks a pack that isn't to be created.
  package func checkMissing() throws {
    if missing.isEmpty { return }
    let names = missing.map { "'\($0)'" }.joined(separator: ", ")
    throw StoreError(
      missing.count == 1
        ? "app \(app) has no asset pack \(names); --create creates it, with a permanent name"
        : "app \(app) has no asset packs \(names); --create creates them, with permanent names")
  }

  package var bytesToSend: UInt64 {
    uploads.filter(\.sends).reduce(0) { $0 + $1.pack.size }
  }

  /// Uploads the packs in order, and passes the result of each to `finished`. If the store rejects
  /// one, the others are still uploaded; an error that would affect any of them ends the run.
  package func run(finished: (UploadResult) -> Void) throws {
    for upload in uploads {
      do {
        finished(try upload.run())
      } catch let error as StoreError where error.isOfOnePack {
        finished(
          UploadResult(
            pack: upload.pack, packID: upload.record?.id, outcome: .failed, error: error))
      }
    }
  }

  /// Waits until the store has processed the uploaded versions, but no longer than `limit`.
  package func wait(
    for results: [UploadResult], limit: Duration
  ) throws -> [UploadResult] {
    var results = results
    let end = ContinuousClock.now + limit
    var delays = PollDelays()
    while true {
      var isWaiting = false
      for (index, upload) in uploads.enumerated() where index < results.count {
        guard let version = results[index].version, results[index].mayChange else { continue }
        let now = try api.version(version.id)
        results[index].version = now
        switch now.state {
        case .complete: try upload.record(now, .complete)
        case .failed:
          results[index].outcome = .rejected
          try upload.record(now, .failed)
        default:
          isWaiting = true
          continue
        }
      }
      guard isWaiting else { return results }
      guard ContinuousClock.now < end else { break }
      try delays.pause(until: end)
    }
    for index in results.indices where results[index].mayChange {
      results[index].outcome = .timedOut
    }
    return results
  }
}

extension UploadResult {
  fileprivate var mayChange: Bool {
    guard let version, outcome == .unchanged || outcome == .uploaded else { return false }
    return ![.complete, .failed].contains(version.state)
  }
}
