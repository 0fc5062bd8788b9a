import BAPackCore
import CommandLine

extension PackSummary {
  /// The summary for `--format json`.
  var json: JSONValue {
    var members = [JSONMember("schemaVersion", JSONValue(1))] + pack.path.members("pack")
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
            largest.map { file in
              let size = JSONMember("size", JSONValue(file.size))
              return JSONValue(
                .object(JSONMember.named("path", file.gamePathBytes ?? file.path) + [size]))
            }))),
      JSONMember(
        "extensions",
        JSONValue(
          .array(
            extensions.map { kind in
              JSONValue(
                .object(
                  JSONMember.named("extension", kind.name) + [
                    JSONMember("files", JSONValue(kind.files)),
                    JSONMember("size", JSONValue(kind.size)),
                  ]))
            }))),
      JSONMember(
        "upload",
        JSONValue(
          .object(
            JSONMember.named("fileName", pack.path.name) + [
              JSONMember("size", JSONValue(digests.size)),
              JSONMember("md5", JSONValue(hexadecimal(digests.md5))),
              JSONMember("sha256", JSONValue(hexadecimal(digests.sha256))),
            ]))),
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
