import BAPackCore

/// The upload of one pack to one app, from the current state to a committed file.
///
/// Creating a version uses up its number, and nothing on the server can be deleted. So each step is
/// recorded in the receipt after it is taken, and also before it if a crash could leave something
/// untracked on the server. The state on the server takes precedence over the receipt. A
/// version that an earlier run left awaiting its upload is used before another is created, but
/// never one that somebody else may be sending.
package final class PackUpload {
  package let pack: LocalPack
  let api: APIClient
  let app: String
  let options: UploadOptions
  let report: @Sendable (UploadEvent) -> Void
  private let lock: FileLock
  let receipt: Receipt
  /// Nil if the app doesn't have the pack.
  private(set) var record: AssetPackRecord?
  private(set) var versions: [VersionRecord] = []
  private(set) var step = Step.newVersion
  private(set) var sentBytes: UInt64 = 0

  enum Step {
    /// The newest relevant version has these bytes.
    case unchanged(VersionRecord)
    /// These bytes were committed, but the store has not started processing them.
    case committed(VersionRecord)
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
    lock = try FileLock(pack.path, of: pack.path)
    receipt = try Receipt(
      ofPackAt: pack.path, server: api.server.origin, app: app, identifier: pack.identifier)
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
    where version.state == .awaitingUpload {
      let files = try api.files(ofVersion: version.id)
      let isOwn = isOwn(version, files)
      if options.forcesNewVersion, !isOwn || receipt.entry.current?.sha256 != pack.sha256 {
        continue
      }
      let committed = files.filter(\.isCommittedAsset)
      if committed.isEmpty {
        if !isOwn, !options.continues { try checkNobodySends(version, files) }
        return .resume(version, files: files)
      }
      // Committed, but not yet processed; only the digest shows which bytes.
      if try holdsThese(version, files) { return .committed(version) }
    }
    return .newVersion
  }

  /// Whether an earlier run created the version, according to the receipt.
  private func isOwn(_ version: VersionRecord, _ files: [FileRecord]) -> Bool {
    guard let current = receipt.entry.current else { return false }
    if let id = current.versionID { return id == version.id }
    // The run was stopped while it created a version. Others may have created one since.
    let new = versions.filter {
      $0.state == .awaitingUpload && !current.knownVersions.contains($0.id)
    }
    return files.isEmpty && new.map(\.id) == [version.id]
  }

  /// Throws if somebody else may be sending the version: it is less than an hour old, or is waiting
  /// for another file.
  private func checkNobodySends(_ version: VersionRecord, _ files: [FileRecord]) throws {
    let what = "version \(version.number) of '\(pack.identifier)'"
    let remedy =
      "--continue uses it all the same, and --force-new-version creates another version"
    if let other = files.first(where: { $0.assetType == "ASSET" && !$0.matches(asset) }) {
      throw StoreError(
        "\(what) awaits another file, '\(other.fileName)' with"
          + " \(counted(other.fileSize, "byte")), which somebody else may be sending; \(remedy)")
    }
    let created = version.createdDate.flatMap(secondsSince1970(apiDate:))
    let age = created.map { max(0, api.serverTime - $0) }
    if let age, age >= 3600 { return }
    let text = age.map { "was created \(counted($0 / 60, "minute")) ago" } ?? "has no date"
    throw StoreError(
      "\(what) awaits its file, which somebody else may be sending, as it \(text) and there is no"
        + " receipt of it here; it is used after an hour, \(remedy)")
  }

  /// Whether a version was made from the pack's bytes, according to the receipt or else the
  /// server's digest; false if unknown.
  private func holdsThese(
    _ version: VersionRecord, _ files: [FileRecord]? = nil
  ) throws -> Bool {
    let isSame = holdsByReceipt(version.id)
    // A run that was stopped at the commit doesn't know its outcome.
    let isKnown = receipt.entry.current?.versionID != version.id
    if isSame == false, isKnown { return false }
    let assets = try (files ?? api.files(ofVersion: version.id)).filter(\.isCommittedAsset)
    if assets.isEmpty, isKnown { return isSame ?? false }
    return assets.count == 1 && (assets[0].holds(pack) ?? isSame ?? false)
  }

  private func holdsByReceipt(_ version: String) -> Bool? {
    let entry = receipt.entry
    let uploads = entry.uploaded + [entry.current].compactMap(\.self)
    return uploads.last { $0.versionID == version && ![.creating, .uploading].contains($0.state) }
      .map { $0.sha256 == pack.sha256 && $0.size == pack.size }
  }

  func run() throws -> UploadResult {
    if case .newVersion = step, let record {
      // Others may have created one since the packs were looked up.
      let now = try api.versions(ofPack: record.id)
      if now.map(\.id) != versions.map(\.id) {
        versions = now
        step = try decide()
      }
    }
    var result = UploadResult(pack: pack, packID: record?.id, outcome: .uploaded)
    switch step {
    case .unchanged(let version):
      result.version = version
      result.outcome = .unchanged
      if holdsByReceipt(version.id) == nil { try record(version, .committed) }
    case .rejected(let version):
      result.version = version
      result.outcome = .rejected
      result.wasRejected = true
    case .committed(let version):
      result.version = version
      try record(version, .committed)
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
  func record(_ version: VersionRecord, _ state: Receipt.Upload.State) throws {
    try receipt.change { entry in
      entry.packID = record?.id
      if let index = entry.uploaded.lastIndex(where: { $0.versionID == version.id }) {
        entry.uploaded[index].state = state
      } else {
        var upload = newUpload(state)
        upload.versionID = version.id
        upload.version = version.number
        entry.uploaded.append(upload)
      }
      if entry.current?.versionID == version.id { entry.current = nil }
    }
  }

  private func begin() throws {
    _ = try pack.unchangedVersion()
    guard record == nil else { return }
    record = try api.createPack(pack.identifier, app: app)
    tell("created asset pack '\(pack.identifier)'", .warning)
  }

  private func resume(
    _ version: VersionRecord, _ files: [FileRecord]
  ) throws -> VersionRecord {
    var current = newUpload(.uploading)
    if let earlier = receipt.entry.current, earlier.versionID == version.id {
      if (earlier.sha256, earlier.size) == (pack.sha256, pack.size) { current = earlier }
      current.fileID = earlier.fileID
    }
    current.begin(version)
    try save(current)
    let sent = current.parts.reduce(0) { $0 + $1.length }
    tell(
      "continuing version \(version.number)"
        + (sent > 0 ? ", \(byteCount(sent)) already uploaded" : ""), .note)
    do {
      try send(version, files)
      return version
    } catch let error as StoreError where error.isOfReservation {
      tell(
        "version \(version.number) accepts no other file; creating another version", .warning)
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
    current.begin(version)
    current.knownVersions = []
    try save(current)
    tell("created version \(version.number)", .detail)
    do {
      try send(version, [])
    } catch let error as StoreError where error.isOfReservation && sentBytes > 0 {
      // URLs have expired, and the version accepts no second reservation.
      throw FileSender.expired(pack.path)
    }
    return version
  }

  var asset: FileToSend {
    FileToSend(assetType: "ASSET", name: pack.fileName, size: pack.size)
  }

  private func tell(_ text: String, _ importance: UploadEvent.Importance) {
    report(.message("\(pack.path): \(text)", importance))
  }

  private func newUpload(_ state: Receipt.Upload.State) -> Receipt.Upload {
    Receipt.Upload(state: state, sha256: pack.sha256, size: pack.size)
  }

  private func save(_ current: Receipt.Upload) throws {
    try receipt.change { entry in
      entry.packID = record?.id
      entry.current = current
    }
  }

  /// Sends the pack's file, after its manifest if requested, and commits it.
  private func send(_ version: VersionRecord, _ files: [FileRecord]) throws {
    if options.sendsManifestFirst { try sendManifest(version, files) }
    var sender = FileSender(
      file: asset, source: .file(pack.input, offset: 0, count: pack.size), upload: self,
      version: version.id, known: files)
    try sender.send(report: report)
    sentBytes += sender.sentBytes
    _ = try pack.unchangedVersion()
    try checkFiles(of: version, sender, isCommitted: false)
    try receipt.change { $0.current?.state = .committing }
    do {
      if try !api.commit(sender.id, sha256: pack.sha256) {
        tell("the store did not accept a SHA-256, and checks only the size", .warning)
      }
    } catch let error as StoreError where error.refusal != nil {
      // The receipt's list of parts didn't match the server.
      try receipt.change { $0.current?.parts = [] }
      throw error
    }
    try checkFiles(of: version, sender, isCommitted: true)
    try record(version, .committed)
  }

  /// Throws if the version has a file that this run didn't send, or other bytes than the pack.
  private func checkFiles(
    of version: VersionRecord, _ sender: FileSender, isCommitted: Bool
  ) throws {
    let assets = try api.files(ofVersion: version.id).filter { $0.assetType == "ASSET" }
    let isForeign = assets.contains {
      $0.id != sender.id && ($0.isCommittedAsset || !isCommitted && !sender.isKnown($0.id))
    }
    let isWrong = isCommitted && assets.contains { $0.id == sender.id && $0.holds(pack) == false }
    guard isForeign || isWrong else { return }
    // The version is not to be used again.
    try receipt.change { $0.current = nil }
    let what = "version \(version.number) of '\(pack.identifier)'"
    let remedy = "--force-new-version uploads the pack as another version"
    let text =
      if isWrong {
        "\(what) has other bytes than '\(pack.path)', according to App Store Connect; \(remedy)"
      } else if isCommitted {
        "\(what) has a second file, which somebody else sent at the same time; \(remedy)"
      } else {
        "somebody else is sending a file to \(what), too, so that '\(pack.path)' was not"
          + " committed; \(remedy)"
      }
    throw StoreError(text, isOfOnePack: true)
  }
}

extension PackUpload {
  var manifest: FileToSend {
    FileToSend(assetType: "MANIFEST", name: "Manifest.json", size: UInt64(pack.manifest.count))
  }

  var manifestDigest: String {
    var digests = FileDigests()
    digests.update(pack.manifest)
    return hexadecimal(digests.sha256)
  }

  /// Sends the manifest alone, and waits for the store's result.
  func sendManifest(
    _ version: VersionRecord, _ files: [FileRecord]
  ) throws {
    if let id = receipt.entry.current?.manifestFileID,
      let file = files.first(where: { $0.id == id }),
      file.state == "COMPLETE"
    {
      return
    }
    var sender = FileSender(
      file: manifest, source: .bytes(pack.manifest), upload: self, version: version.id,
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
    tell("the manifest was accepted", .note)
  }
}

extension StoreError {
  /// Whether it means that a version accepts no more reservations.
  fileprivate var isOfReservation: Bool {
    refusal?.status == 409 && refusal?.request == "POST /v1/backgroundAssetUploadFiles"
  }
}
