import BAPackCore

/// The upload of one pack to one app, from the current state to a committed file.
///
/// Creating a version uses up its number, and nothing on the server can be deleted. So each step is
/// recorded in the receipt after it is taken, and also before it if a crash could leave something
/// untracked on the server. What a step finds on the server takes precedence over the receipt. A
/// version that awaits its upload is always used before another is created.
final class PackUpload {
  let pack: LocalPack
  let api: APIClient
  private let app: String
  let options: UploadOptions
  let report: @Sendable (UploadEvent) -> Void
  /// The pack's file, locked as long as it is open.
  private let lock: FileDescriptor
  let keeper: ReceiptKeeper
  /// The pack's record; nil if the app doesn't have the pack.
  private(set) var record: AssetPackRecord?
  private var versions: [VersionRecord] = []
  private(set) var step = Step.newVersion
  /// The number of bytes sent by this run.
  private(set) var sentBytes: UInt64 = 0

  /// The remaining work.
  enum Step {
    /// The newest relevant version has these bytes.
    case unchanged(VersionRecord)
    /// These bytes were committed, but the store has not started processing them.
    case committed(VersionRecord)
    /// The store rejected these bytes before.
    case rejected(VersionRecord)
    /// A version awaits its upload; `files` exist already.
    case resume(VersionRecord, files: [FileRecord])
    case newVersion
  }

  /// Compares the receipt with the server, and changes nothing. `record` is the app's pack of this
  /// name.
  init(
    _ pack: LocalPack, _ api: APIClient, app: String, record: AssetPackRecord?,
    _ options: UploadOptions, report: @escaping @Sendable (UploadEvent) -> Void
  ) throws {
    self.pack = pack
    self.api = api
    self.app = app
    self.options = options
    self.report = report
    lock = try pack.path.attempt(.open, FileDescriptor.reading(pack.path))
    if lock.lock() == .held {
      throw StoreError("another process is uploading '\(pack.path)'")
    }
    let receipt = try Receipt(ofPackAt: pack.path)
    keeper = ReceiptKeeper(
      receipt,
      receipt.entry(server: api.server.origin, app: app, identifier: pack.identifier))
    self.record = record
    if let record {
      if record.isArchived {
        throw StoreError(
          "the asset pack '\(pack.identifier)' is archived, and its name can't be used again; give"
            + " the pack another assetPackID")
      }
      versions = try api.versions(ofPack: record.id)
      step = try decide()
    }
  }

  private func decide() throws -> Step {
    let newestDone = versions.first { $0.state != .awaitingUpload && $0.state != .failed }
    if !options.forcesNewVersion {
      if let newestDone, try holdsThese(newestDone) { return .unchanged(newestDone) }
      if let newest = versions.first, newest.state == .failed, try holdsThese(newest) {
        return .rejected(newest)
      }
    }
    for version in versions.prefix(while: { $0.id != newestDone?.id })
    where version.state == .awaitingUpload && mayContinue(version) {
      let files = try api.files(ofVersion: version.id)
      guard let committed = files.last(where: { $0.assetType == "ASSET" && !$0.isAwaitingUpload })
      else { return .resume(version, files: files) }
      // Committed, but not yet processed; only the digest shows which bytes.
      if let isSame = committed.holds(pack) ?? holdsByReceipt(version.id), isSame {
        return .committed(version)
      }
    }
    return .newVersion
  }

  /// Whether a version was made from the pack's bytes, according to the receipt or else the
  /// server's digest; false if unknown.
  private func holdsThese(_ version: VersionRecord) throws -> Bool {
    if let isSame = holdsByReceipt(version.id) { return isSame }
    let files = try api.files(ofVersion: version.id)
    return files.last { $0.assetType == "ASSET" }?.holds(pack) ?? false
  }

  private func holdsByReceipt(_ version: String) -> Bool? {
    let entry = keeper.entry
    let uploads = entry.uploaded + [entry.current].compactMap(\.self)
    return uploads.last { $0.versionID == version && ![.creating, .uploading].contains($0.state) }
      .map { $0.sha256 == pack.sha256 && $0.size == pack.size }
  }

  /// Whether to use a version that awaits its upload. With a forced new version, only one that an
  /// earlier run created for the same bytes.
  private func mayContinue(_ version: VersionRecord) -> Bool {
    guard options.forcesNewVersion else { return true }
    guard let current = keeper.entry.current, current.sha256 == pack.sha256,
      [.creating, .uploading, .committing].contains(current.state)
    else { return false }
    return current.versionID == version.id
      || current.versionID == nil && !current.knownVersions.contains(version.id)
  }

  // Executing the steps

  /// Does the remaining work, up to the commit.
  func run() throws -> UploadResult {
    var result = UploadResult(pack: pack, packID: record?.id, outcome: .uploaded)
    switch step {
    case .unchanged(let version):
      result.version = version
      result.outcome = .unchanged
      if holdsByReceipt(version.id) == nil { try note(version, .committed) }
    case .rejected(let version):
      result.version = version
      result.outcome = .rejected(isNew: false)
    case .committed(let version):
      result.version = version
      try note(version, .committed)
    case .resume(let version, let files):
      try begin()
      result.version = try resume(version, files)
    case .newVersion:
      try begin()
      result.version = try makeVersion()
    }
    result.packID = record?.id
    result.sentBytes = sentBytes
    return result
  }

  /// Records the store's result for the version.
  func note(_ version: VersionRecord, _ state: Receipt.State) throws {
    try keeper.change { entry in
      entry.packID = record?.id
      if let index = entry.uploaded.lastIndex(where: { $0.versionID == version.id }) {
        entry.uploaded[index].state = state
      } else {
        entry.uploaded.append(
          Receipt.Upload(
            state: state, sha256: pack.sha256, size: pack.size, versionID: version.id,
            version: version.number))
      }
      if entry.current?.versionID == version.id { entry.current = nil }
    }
  }

  private func begin() throws {
    guard record == nil else { return }
    record = try api.createPack(pack.identifier, app: app)
    report(.createdPack(pack.path, identifier: pack.identifier))
  }

  private func resume(
    _ version: VersionRecord, _ files: [FileRecord]
  ) throws -> VersionRecord {
    var current = newUpload(.uploading)
    if let earlier = keeper.entry.current, earlier.sha256 == pack.sha256,
      earlier.versionID == version.id
    {
      current = earlier
    }
    current.state = .uploading
    current.versionID = version.id
    current.version = version.number
    try save(current)
    let sent = current.parts.reduce(0) { $0 + $1.length }
    report(.continues(pack.path, version: version.number, sent: sent))
    do {
      try send(version, files)
      return version
    } catch let error as StoreError where error.isOfReservation {
      report(.abandoned(pack.path, version: version.number))
    }
    return try makeVersion()
  }

  private func makeVersion() throws -> VersionRecord {
    guard let record else { preconditionFailure("the pack has no record") }
    var current = newUpload(.creating)
    current.knownVersions = versions.map(\.id)
    try save(current)
    let version = try api.createVersion(ofPack: record.id, known: Set(current.knownVersions))
    versions.insert(version, at: 0)
    current.state = .uploading
    current.versionID = version.id
    current.version = version.number
    current.knownVersions = []
    try save(current)
    report(.createdVersion(pack.path, version.number))
    do {
      try send(version, [])
    } catch let error as StoreError where error.isOfReservation && sentBytes > 0 {
      // URLs have expired, and the version accepts no second reservation.
      throw FileSender.expired(pack.path)
    }
    return version
  }

  private func newUpload(_ state: Receipt.State) -> Receipt.Upload {
    Receipt.Upload(state: state, sha256: pack.sha256, size: pack.size)
  }

  private func save(_ current: Receipt.Upload) throws {
    try keeper.change { entry in
      entry.packID = record?.id
      entry.current = current
    }
  }

  /// Sends the pack's file, after its manifest if requested, and commits it.
  private func send(_ version: VersionRecord, _ files: [FileRecord]) throws {
    if options.sendsManifestFirst { try sendManifest(version, files) }
    let file = FileToSend(assetType: "ASSET", name: pack.fileName, size: pack.size)
    var sender = FileSender(
      file, .file(pack.input), pack.path, api, version: version.id, options, keeper, known: files)
    let already = sentBytes
    try sender.send { [report, path = pack.path] event in
      switch event {
      case .part(.progress(let bytes, let parts)):
        report(.progress(already + bytes, parts: parts))
      case .part(.retried(let part, let error)): report(.retried(path, part: part, error))
      case .renewed: report(.renewed(path))
      }
    }
    sentBytes += sender.sentBytes
    try pack.checkUnchanged()
    try keeper.change { $0.current?.state = .committing }
    do {
      if try !api.commit(sender.id, sha256: pack.sha256) {
        report(.committedWithoutDigest(pack.path))
      }
    } catch let error as StoreError where error.refusal != nil {
      // The receipt's list of parts didn't match the server.
      try keeper.change { $0.current?.parts = [] }
      throw error
    }
    try note(version, .committed)
    report(.committed(pack.path, version: version.number))
  }
}

extension PackUpload {
  /// The manifest's SHA-256.
  var manifestDigest: String {
    var digests = FileDigests()
    digests.update(pack.manifest)
    return hexadecimal(digests.sha256)
  }

  /// Sends the manifest alone, and waits for the store's result.
  func sendManifest(
    _ version: VersionRecord, _ files: [FileRecord]
  ) throws {
    if let id = keeper.entry.current?.manifestFileID,
      let file = files.first(where: { $0.id == id }),
      file.state == "COMPLETE"
    {
      return
    }
    let file = FileToSend(
      assetType: "MANIFEST", name: "Manifest.json", size: UInt64(pack.manifest.count))
    var sender = FileSender(
      file, .bytes(pack.manifest), pack.path, api, version: version.id, options, keeper,
      known: files)
    try sender.send { _ in }
    _ = try api.commit(sender.id, sha256: manifestDigest)
    let end = ContinuousClock.now + .seconds(600)
    var delays = PollDelays()
    var record = try api.file(sender.id)
    while !["COMPLETE", "FAILED"].contains(record.state), ContinuousClock.now < end {
      try delays.pause(until: end)
      record = try api.file(sender.id)
    }
    if record.state == "FAILED" {
      var error = StoreError(
        "'\(pack.path)': App Store Connect rejected the manifest"
          + record.remarks.map { "\n  \($0.text) [\($0.code)]" }.joined()
          + "\n  version \(version.number) can be used for the corrected pack",
        isOfOnePack: true)
      error.remarks = record.remarks
      throw error
    }
    report(.manifestAccepted(pack.path))
  }
}

extension StoreError {
  /// Whether it means that a version accepts no more reservations.
  fileprivate var isOfReservation: Bool {
    refusal?.status == 409 && refusal?.request == "POST /v1/backgroundAssetUploadFiles"
  }
}
