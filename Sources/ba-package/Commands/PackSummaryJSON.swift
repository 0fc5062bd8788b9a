import BAPackCore

extension PackSummary {
  /// The summary for programs.
  var json: JSONValue {
    var members = [
      JSONMember("schemaVersion", JSONValue(1)), JSONMember("pack", JSONValue(pack.path.shown)),
    ]
    if let manifest { members.append(JSONMember("manifest", manifest.summary)) }
    members += [
      JSONMember("container", containerJSON),
      JSONMember(
        "entries",
        [
          "count": JSONValue(pack.entries.count), "files": JSONValue(files.count),
          "directories": JSONValue(pack.entries.count { $0.kind == .directory }),
        ]),
      JSONMember("fileBytes", JSONValue(contentSize)),
      JSONMember(
        "largestFiles",
        JSONValue(
          .array(
            largest.map {
              [
                "path": JSONValue(printable($0.gamePathBytes ?? [])), "size": JSONValue($0.size),
              ]
            }))),
      JSONMember(
        "extensions",
        JSONValue(
          .array(
            extensions.map {
              [
                "extension": JSONValue($0.name), "files": JSONValue($0.files),
                "size": JSONValue($0.size),
              ]
            }))),
      JSONMember(
        "upload",
        [
          "fileName": JSONValue(printable(pack.path.name)), "size": JSONValue(digests.size),
          "md5": JSONValue(hexadecimal(digests.md5)),
          "sha256": JSONValue(hexadecimal(digests.sha256)),
        ]),
    ]
    return JSONValue(.object(members))
  }

  private var containerJSON: JSONValue {
    var members: [JSONMember] = []
    if case .blocks(let algorithm, let blockSize) = pack.container.kind {
      members += [
        JSONMember("algorithm", JSONValue(algorithm.name)),
        JSONMember("blockSize", JSONValue(blockSize)),
        JSONMember("blocks", JSONValue(pack.container.blocks)),
        JSONMember("storedBlocks", JSONValue(pack.container.storedBlocks)),
      ]
    }
    members += [
      JSONMember("rawSize", JSONValue(pack.container.rawSize)),
      JSONMember("packedSize", JSONValue(pack.container.packedSize)),
    ]
    return JSONValue(.object(members))
  }
}

extension Manifest {
  fileprivate var summary: JSONValue {
    var members = [
      JSONMember("assetPackID", JSONValue(assetPackID.value)),
      JSONMember("downloadPolicy", JSONValue(downloadPolicy.name)),
      JSONMember(
        "installationEventTypes",
        JSONValue(.array(downloadPolicy.events.map { JSONValue($0.rawValue) }))),
      JSONMember("platforms", JSONValue(.array(platforms.map { JSONValue($0.rawValue) }))),
    ]
    if let language { members.append(JSONMember("language", JSONValue(language.value))) }
    members.append(JSONMember("selectors", JSONValue(selectors.count)))
    return JSONValue(.object(members))
  }
}
