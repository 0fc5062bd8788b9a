import BAPackCore
import CommandLine

extension PackIndex {
  /// The summary for `--format json`.
  func summary(_ copies: [PackCopies]?) -> JSONValue {
    .object([
      "pack": path.jsonName,
      "manifest": manifest?.summary,
      "container": containerJSON,
      "entries": JSONValue.object([
        "count": entries.count, "files": files.count,
        "directories": entries.count { $0.kind == .directory },
      ]),
      "fileBytes": size,
      "duplicates": copies.map { copies in
        JSONValue.object([
          "files": copies.duplicates, "size": copies.duplicateSize,
          "compressedSize": copies.duplicateShares,
        ])
      },
      "largestFiles": largest.map {
        JSONValue.object(["path": JSONName($0.shownPath), "size": $0.size])
      },
      "extensions": extensions.map {
        JSONValue.object(["extension": JSONName($0.name), "files": $0.files, "size": $0.size])
      },
      "upload": fileDigests.map { digests in
        JSONValue.object([
          "fileName": JSONName(path.name),
          "size": digests.size,
          "md5": hexadecimal(digests.md5),
          "sha256": hexadecimal(digests.sha256),
        ])
      },
    ])
  }

  private var containerJSON: JSONValue? {
    guard let container else { return nil }
    var (algorithm, blockSize): (Algorithm?, Int?) = (nil, nil)
    if case .blocks(let used, let size) = container.kind { (algorithm, blockSize) = (used, size) }
    return .object([
      "algorithm": algorithm?.name,
      "blockSize": blockSize,
      "blocks": blockSize.map { _ in container.blocks },
      "storedBlocks": blockSize.map { _ in container.storedBlocks },
      "rawSize": container.rawSize,
      "packedSize": container.packedSize,
    ])
  }
}

extension Manifest {
  fileprivate var summary: JSONValue {
    .object([
      "assetPackID": assetPackID.value,
      "downloadPolicy": downloadPolicy.name,
      "installationEventTypes": downloadPolicy.events.map(\.rawValue),
      "platforms": platforms.map(\.rawValue),
      "language": language?.value,
      "selectors": selectors.count,
    ])
  }
}
