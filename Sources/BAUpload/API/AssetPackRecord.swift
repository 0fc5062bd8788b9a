import BAPackCore

package struct AssetPackRecord: Sendable {
  package let id: String
  package let identifier: String
  package let isArchived: Bool
  /// What counts for the app's limit, in bytes: the largest of the pack's versions that can be
  /// tested or sold. Nil if unknown.
  package let usedBytes: UInt64?
  /// Newest first; empty unless they were asked for.
  package internal(set) var versions: [VersionRecord] = []

  package init(_ resource: Resource) {
    id = resource.id
    identifier = resource["assetPackIdentifier"]?.string ?? ""
    isArchived = resource["archived"]?.flag ?? false
    // The sum of any number of packs fits.
    usedBytes = resource["usedBytes"]?.count.map { min($0, 1 << 40) }
  }
}

package struct VersionRecord: Sendable {
  package let id: String
  package let number: String
  package let state: VersionState
  /// The state's details: the store's remarks on the pack.
  package let remarks: [StoreRemark]
  package let platforms: [String]
  /// The language of the pack's contents, a BCP 47 tag.
  package let language: String?
  package let createdDate: String?
  /// `READY_FOR_TESTING` and others; nil until the version is processed, or unless asked for.
  package let internalBeta: String?
  package let externalBeta: String?
  package let appStore: String?

  /// A version, with the states of releases by their IDs.
  package init(_ resource: Resource, _ states: [String: String?] = [:]) throws {
    func release(_ name: String) -> String? {
      resource.related(name).flatMap { states[$0] ?? nil }
    }
    id = resource.id
    number = resource["version"]?.string ?? ""
    guard number.utf8.allSatisfy(ASCII.isDigit), UInt64(number) != nil else {
      throw StoreError(
        "App Store Connect sent '\(number)' as the number of a version, which must be digits")
    }
    state = VersionState(rawValue: resource["state"]?.string ?? "?")
    remarks = StoreRemark.list(resource["stateDetails"])
    platforms = (resource["platforms"]?.array ?? []).compactMap(\.string)
    language = resource["locale"]?.string
    createdDate = resource["createdDate"]?.string
    internalBeta = release("internalBetaRelease")
    externalBeta = release("externalBetaRelease")
    appStore = release("appStoreRelease")
  }

  package static func precedes(_ a: VersionRecord, _ b: VersionRecord) -> Bool {
    (UInt64(a.number) ?? 0, a.id) < (UInt64(b.number) ?? 0, b.id)
  }
}

/// The state of a version. Unknown states are preserved.
package struct VersionState: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let awaitingUpload = VersionState(rawValue: "AWAITING_UPLOAD")
  package static let processing = VersionState(rawValue: "PROCESSING")
  package static let failed = VersionState(rawValue: "FAILED")
  package static let complete = VersionState(rawValue: "COMPLETE")
}

/// A remark of the store on a pack, with its ITMS code.
package struct StoreRemark: Sendable {
  package enum Severity: String, Sendable { case error, warning, info }

  package let severity: Severity
  package let code: String
  package let text: String

  /// Those in the details of a state.
  static func list(_ details: JSONValue?) -> [StoreRemark] {
    [("errors", Severity.error), ("warnings", .warning), ("infos", .info)].flatMap {
      key, severity in
      (details?[key]?.array ?? []).prefix(200).map { remark in
        StoreRemark(
          severity: severity, code: remark["code"]?.string ?? "?",
          text: remark["description"]?.string ?? remark["detail"]?.string ?? "no reason is given")
      }
    }
  }
}

/// A file of a version, reserved or uploaded.
package struct FileRecord: Sendable {
  package let id: String
  package let assetType: String
  package let fileName: String
  package let fileSize: UInt64
  /// `AWAITING_UPLOAD`, `UPLOAD_COMPLETE`, `COMPLETE` or `FAILED`.
  package let state: String
  package let remarks: [StoreRemark]
  /// Digests of the whole file, in lowercase, by algorithm.
  package let checksums: [String: String]
  /// How to send the file; nil after the commit.
  package let operations: [JSONValue]?

  package init(_ resource: Resource) {
    id = resource.id
    assetType = resource["assetType"]?.string ?? ""
    fileName = resource["fileName"]?.string ?? ""
    fileSize = resource["fileSize"]?.count ?? 0
    let delivery = resource["assetDeliveryState"]
    state = delivery?["state"]?.string ?? "?"
    remarks = StoreRemark.list(delivery)
    var checksums: [String: String] = [:]
    if let file = resource["sourceFileChecksums"]?["file"], let hash = file["hash"]?.string {
      checksums[file["algorithm"]?.string ?? ""] = hash.lowercased()
    }
    if let md5 = resource["sourceFileChecksum"]?.string { checksums["MD5"] = md5.lowercased() }
    self.checksums = checksums
    operations = resource["uploadOperations"]?.array
  }

  package var isAwaitingUpload: Bool { state == "AWAITING_UPLOAD" }
  var isCommittedAsset: Bool { assetType == "ASSET" && !isAwaitingUpload }

  /// Whether the server's digest matches `pack`; nil if there is none.
  package func holds(_ pack: LocalPack) -> Bool? {
    if fileSize != pack.size { return false }
    if let sha256 = checksums["SHA_256"] { return sha256 == pack.sha256 }
    if let md5 = checksums["MD5"] { return md5 == pack.md5 }
    return nil
  }
}
