import BAPackCore

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
  ) throws(StoreError) {
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
    var delays = PollDelays()
    var record = try api.file(sender.id)
    while !["COMPLETE", "FAILED"].contains(record.state), delays.total < .seconds(600) {
      try delays.pause()
      record = try api.file(sender.id)
    }
    if record.state == "FAILED" {
      throw .manifestRejected(pack.path, version: version.number, record.remarks)
    }
    report(.manifestAccepted(pack.path))
  }
}
