import BAPackCore

extension PackUpload {
  package var sends: Bool {
    switch step {
    case .resume, .newVersion: true
    case .unchanged, .committed, .rejected: false
    }
  }

  package var isOfNewPack: Bool { record == nil }

  /// A line for people.
  package var summary: String {
    let size = byteCount(pack.size)
    let next = versions.first.flatMap { UInt64($0.number) }.map { $0 &+ 1 } ?? 1
    return switch step {
    case .unchanged(let version), .committed(let version):
      "nothing to send; version \(version.number) has these bytes"
    case .rejected(let version):
      "nothing to send; the store rejected these bytes as version \(version.number)"
    case .resume(let version, _): "\(size) for version \(version.number), which awaits its upload"
    case .newVersion where record == nil:
      "\(size) as version 1 of a new asset pack with the permanent name '\(pack.identifier)'"
    case .newVersion: "\(size) as version \(next)"
    }
  }

  /// The remaining requests; IDs that the server has yet to assign are in angle brackets.
  package var requests: [ResourceRequest] {
    guard sends else { return [] }
    var requests = record == nil ? [ResourceRequest.pack(pack.identifier, app: app)] : []
    var versionID = "<version>"
    var files: [FileRecord] = []
    if case .resume(let version, let found) = step {
      versionID = version.id
      files = found
    } else {
      requests.append(.version(ofPack: record?.id ?? "<asset pack>"))
    }
    let current = receipt.entry.current
    for file in (options.sendsManifestFirst ? [manifest] : []) + [asset] {
      let reserved = files.first {
        [current?.fileID, current?.manifestFileID].contains($0.id) && $0.matches(file)
          && $0.isAwaitingUpload
      }
      if reserved == nil { requests.append(.file(file, version: versionID)) }
      requests.append(
        .commit(
          file: reserved?.id ?? "<file>",
          sha256: file.assetType == "ASSET" ? pack.sha256 : manifestDigest))
    }
    return requests
  }
}
