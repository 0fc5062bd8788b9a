import BAPackCore

extension APIClient {
  /// The app's ID; `name` is the ID or a bundle identifier.
  package func app(_ name: String) throws -> String {
    if !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return try resource("/v1/apps/\(name)").id
    }
    let apps = try list("/v1/apps", [("filter[bundleId]", name)]).resources
    // The filter may match more than the exact name.
    guard let app = apps.first(where: { $0["bundleId"]?.string == name }) else {
      throw StoreError(
        "the API key has no access to an app with the bundle identifier '\(printable(name.utf8))'")
    }
    return app.id
  }

  func packs(ofApp app: String, _ query: [(String, String)] = []) throws -> [AssetPackRecord] {
    try list("/v1/apps/\(percentEncoded(app))/backgroundAssets", query).resources
      .map(AssetPackRecord.init)
  }

  func createPack(_ identifier: String, app: String) throws -> AssetPackRecord {
    try create(.pack(identifier, app: app), AssetPackRecord.init) {
      try packs(ofApp: app, [("filter[assetPackIdentifier]", identifier)])
        .first { $0.identifier == identifier }
    }
  }

  package func archive(_ pack: AssetPackRecord) throws {
    let request = ResourceRequest(
      "backgroundAssets", id: pack.id, attributes: .object(["archived": true]))
    try change(request) { try AssetPackRecord(resource(request.path)).isArchived }
  }

  /// A pack's versions, newest first, with the states of their releases if those are asked for.
  func versions(ofPack pack: String, withReleases: Bool = false) throws -> [VersionRecord] {
    let (resources, included) = try list(
      "/v1/backgroundAssets/\(percentEncoded(pack))/versions",
      withReleases
        ? [("include", "internalBetaRelease,externalBetaRelease,appStoreRelease")] : [])
    let states = Dictionary(
      included.map { ($0.id, $0["state"]?.string) }, uniquingKeysWith: { first, _ in first })
    return try resources.map { try VersionRecord($0, states) }
      .sorted { VersionRecord.precedes($1, $0) }
  }

  package func version(_ id: String) throws -> VersionRecord {
    try VersionRecord(resource("/v1/backgroundAssetVersions/\(percentEncoded(id))"))
  }

  /// Creates a version. `known` are the existing versions: after a request without a response, a
  /// new one without files is the result, if there is only one.
  func createVersion(ofPack pack: String, known: Set<String>) throws -> VersionRecord {
    try create(.version(ofPack: pack), { try VersionRecord($0) }) {
      let new = try versions(ofPack: pack).filter {
        !known.contains($0.id) && $0.state == .awaitingUpload
      }
      guard new.count == 1, try files(ofVersion: new[0].id).isEmpty else { return nil }
      return new[0]
    }
  }

  func files(ofVersion version: String) throws -> [FileRecord] {
    try list("/v1/backgroundAssetVersions/\(percentEncoded(version))/backgroundAssetUploadFiles")
      .resources.map(FileRecord.init)
  }

  func file(_ id: String) throws -> FileRecord {
    try FileRecord(resource("/v1/backgroundAssetUploadFiles/\(percentEncoded(id))"))
  }

  /// Reserves space for a file. `known` are the files that the version had.
  func createFile(_ file: FileToSend, version: String, known: Set<String>) throws -> FileRecord {
    try create(.file(file, version: version), FileRecord.init) {
      let new = try files(ofVersion: version).filter {
        !known.contains($0.id) && $0.matches(file) && $0.isAwaitingUpload
      }
      return new.count == 1 ? new[0] : nil
    }
  }

  /// Commits a file after all parts were sent. If the server rejects the digest attribute, the file
  /// is committed without it; returns whether the digest was accepted.
  func commit(_ id: String, sha256: String) throws -> Bool {
    let isDone = { try !self.file(id).isAwaitingUpload }
    do {
      try change(.commit(file: id, sha256: sha256), isDone: isDone)
      return true
    } catch let error as StoreError where error.refusal != nil {
      if try isDone() { return true }
      guard error.refusal?.refusesChecksum == true else { throw error }
    }
    try change(.commit(file: id, sha256: nil), isDone: isDone)
    return false
  }
}

extension ResourceRequest {
  static func pack(_ identifier: String, app: String) -> ResourceRequest {
    ResourceRequest(
      "backgroundAssets",
      attributes: .object(["assetPackIdentifier": identifier]), related: ["app": ("apps", app)])
  }

  static func version(ofPack pack: String) -> ResourceRequest {
    ResourceRequest(
      "backgroundAssetVersions", related: ["backgroundAsset": ("backgroundAssets", pack)])
  }

  static func file(_ file: FileToSend, version: String) -> ResourceRequest {
    ResourceRequest(
      "backgroundAssetUploadFiles",
      attributes: .object([
        "assetType": file.assetType, "fileName": file.name, "fileSize": file.size,
      ]),
      related: ["backgroundAssetVersion": ("backgroundAssetVersions", version)])
  }

  static func commit(file: String, sha256: String?) -> ResourceRequest {
    let checksums = sha256.map { sha256 -> JSONValue in
      .object(["file": JSONValue.object(["hash": sha256, "algorithm": "SHA_256"])])
    }
    return ResourceRequest(
      "backgroundAssetUploadFiles", id: file,
      attributes: .object(["uploaded": true, "sourceFileChecksums": checksums]))
  }
}

extension Refusal {
  /// Whether the checksum attribute as such was rejected, rather than its value.
  fileprivate var refusesChecksum: Bool {
    status == 409
      && errors.contains {
        $0.code.hasPrefix("ENTITY_ERROR.ATTRIBUTE")
          && $0.source?.hasPrefix("/data/attributes/sourceFileChecksum") == true
      }
  }
}

package struct FileToSend: Sendable {
  /// `ASSET` or `MANIFEST`.
  package let assetType: String
  package let name: String
  package let size: UInt64
}

extension FileRecord {
  package func matches(_ file: FileToSend) -> Bool {
    assetType == file.assetType && fileName == printable(file.name.utf8) && fileSize == file.size
  }
}
