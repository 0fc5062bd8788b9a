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

  package func packs(ofApp app: String) throws -> [AssetPackRecord] {
    try list("/v1/apps/\(percentEncoded(app))/backgroundAssets").resources
      .map(AssetPackRecord.init)
  }

  package func findPack(_ identifier: String, app: String) throws -> Resource? {
    let packs = try list(
      "/v1/apps/\(percentEncoded(app))/backgroundAssets",
      [("filter[assetPackIdentifier]", identifier)])
    return packs.resources.first { $0["assetPackIdentifier"]?.string == identifier }
  }

  static func packDocument(_ identifier: String, app: String) -> JSONValue {
    .document(
      "backgroundAssets",
      attributes: .object(["assetPackIdentifier": identifier]), related: ["app": ("apps", app)])
  }

  package func createPack(_ identifier: String, app: String) throws -> AssetPackRecord {
    let document = Self.packDocument(identifier, app: app)
    return AssetPackRecord(
      try create("/v1/backgroundAssets", document) { try findPack(identifier, app: app) })
  }

  package func archive(_ pack: AssetPackRecord) throws {
    let path = "/v1/backgroundAssets/\(percentEncoded(pack.id))"
    let document = JSONValue.document(
      "backgroundAssets", id: pack.id, attributes: .object(["archived": true]))
    try change(path, document) {
      try get(path)["data"]?["attributes"]?["archived"]?.flag ?? false
    }
  }

  /// A pack's versions, newest first.
  package func versions(ofPack pack: String) throws -> [VersionRecord] {
    try list("/v1/backgroundAssets/\(percentEncoded(pack))/versions").resources
      .map { try VersionRecord($0) }.sorted { VersionRecord.precedes($1, $0) }
  }

  package func version(_ id: String) throws -> VersionRecord {
    try VersionRecord(resource("/v1/backgroundAssetVersions/\(percentEncoded(id))"))
  }

  static func versionDocument(pack: String) -> JSONValue {
    .document(
      "backgroundAssetVersions", related: ["backgroundAsset": ("backgroundAssets", pack)])
  }

  /// Creates a version. `known` are the existing versions: after a request without a response, a
  /// new one without files is the result, if there is only one.
  package func createVersion(ofPack pack: String, known: Set<String>) throws -> VersionRecord {
    let path = "/v1/backgroundAssets/\(percentEncoded(pack))/versions"
    let resource = try create(
      "/v1/backgroundAssetVersions", Self.versionDocument(pack: pack)
    ) {
      let new = try list(path).resources.filter {
        !known.contains($0.id) && $0["state"]?.string == VersionState.awaitingUpload.rawValue
      }
      guard new.count == 1, try files(ofVersion: new[0].id).isEmpty else { return nil }
      return new[0]
    }
    return try VersionRecord(resource)
  }

  package func files(ofVersion version: String) throws -> [FileRecord] {
    try fileResources(version).map(FileRecord.init)
  }

  private func fileResources(_ version: String) throws -> [Resource] {
    let path = "/v1/backgroundAssetVersions/\(percentEncoded(version))/backgroundAssetUploadFiles"
    return try list(path).resources
  }

  package func file(_ id: String) throws -> FileRecord {
    try FileRecord(resource("/v1/backgroundAssetUploadFiles/\(percentEncoded(id))"))
  }

  static func fileDocument(_ file: FileToSend, version: String) -> JSONValue {
    .document(
      "backgroundAssetUploadFiles",
      attributes: .object([
        "assetType": file.assetType, "fileName": file.name, "fileSize": file.size,
      ]),
      related: ["backgroundAssetVersion": ("backgroundAssetVersions", version)])
  }

  /// Reserves space for a file. `known` are the files that the version had.
  package func createFile(
    _ file: FileToSend, version: String, known: Set<String>
  ) throws -> FileRecord {
    let document = Self.fileDocument(file, version: version)
    let resource = try create(
      "/v1/backgroundAssetUploadFiles", document
    ) {
      let new = try fileResources(version).filter {
        let record = FileRecord($0)
        return !known.contains(record.id) && record.matches(file) && record.isAwaitingUpload
      }
      return new.count == 1 ? new[0] : nil
    }
    return FileRecord(resource)
  }

  static func commitDocument(_ file: String, sha256: String?) -> JSONValue {
    let checksums = sha256.map { sha256 -> JSONValue in
      .object(["file": JSONValue.object(["hash": sha256, "algorithm": "SHA_256"])])
    }
    return .document(
      "backgroundAssetUploadFiles", id: file,
      attributes: .object(["uploaded": true, "sourceFileChecksums": checksums]))
  }

  /// Commits a file after all parts were sent. If the server rejects the digest attribute, the file
  /// is committed without it; returns whether the digest was accepted.
  package func commit(_ id: String, sha256: String) throws -> Bool {
    let path = "/v1/backgroundAssetUploadFiles/\(percentEncoded(id))"
    let isDone = { try !self.file(id).isAwaitingUpload }
    do {
      try change(path, Self.commitDocument(id, sha256: sha256), isDone: isDone)
      return true
    } catch let error as StoreError where error.refusal != nil {
      if try isDone() { return true }
      guard error.refusal?.refusesChecksum == true else { throw error }
    }
    try change(path, Self.commitDocument(id, sha256: nil), isDone: isDone)
    return false
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
