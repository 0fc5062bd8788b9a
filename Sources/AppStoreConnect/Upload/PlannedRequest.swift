import BAPackCore

/// A request that an upload would send.
package struct PlannedRequest: Sendable {
  /// For example `POST /v1/backgroundAssetVersions`.
  package let line: String
  /// The document to send.
  package let body: JSONValue
}

extension PackUpload {
  /// Whether the pack's bytes must be sent.
  var sends: Bool {
    switch step {
    case .resume, .newVersion: true
    case .unchanged, .committed, .rejected: false
    }
  }

  /// The remaining requests; IDs that the server has yet to assign are in angle brackets.
  func plannedRequests(app: String) -> [PlannedRequest] {
    guard sends else { return [] }
    var requests: [PlannedRequest] = []
    if record == nil {
      requests.append(
        PlannedRequest(
          line: "POST /v1/backgroundAssets",
          body: APIClient.packDocument(pack.identifier, app: app)))
    }
    var versionID = "<version>"
    var files: [FileRecord] = []
    if case .resume(let version, let found) = step {
      versionID = version.id
      files = found
    } else {
      requests.append(
        PlannedRequest(
          line: "POST /v1/backgroundAssetVersions",
          body: APIClient.versionDocument(pack: record?.id ?? "<asset pack>")))
    }
    let asset = FileToSend(assetType: "ASSET", name: pack.fileName, size: pack.size)
    let manifest = FileToSend(
      assetType: "MANIFEST", name: "Manifest.json", size: UInt64(pack.manifest.count))
    for file in (options.sendsManifestFirst ? [manifest] : []) + [asset] {
      let reserved = files.last { $0.matches(file) && $0.isAwaitingUpload }
      if reserved == nil {
        requests.append(
          PlannedRequest(
            line: "POST /v1/backgroundAssetUploadFiles",
            body: APIClient.fileDocument(file, version: versionID)))
      }
      let id = reserved?.id ?? "<file>"
      requests.append(
        PlannedRequest(
          line: "PATCH /v1/backgroundAssetUploadFiles/\(id)",
          body: APIClient.commitDocument(
            id, sha256: file.assetType == "ASSET" ? pack.sha256 : manifestDigest)))
    }
    return requests
  }
}
