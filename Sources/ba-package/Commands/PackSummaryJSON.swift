import BAPackCore
import CommandLine

extension PackSummary {
  /// The summary for `--format json`.
  func json(_ waste: PackWaste?) -> JSONValue {
    .object([
      "pack": pack.path.jsonName,
      "manifest": manifest?.summary,
      "container": container,
      "entries": JSONValue.object([
        "count": pack.entries.count, "files": files.count,
        "directories": pack.entries.count { $0.kind == .directory },
      ]),
      "fileBytes": contentSize,
      "duplicates": waste.map { waste in
        JSONValue.object([
          "files": waste.files, "size": waste.size, "compressedSize": waste.compressedSize,
        ])
      },
      "largestFiles": largest.map {
        JSONValue.object(["path": JSONName($0.gamePathBytes ?? $0.path), "size": $0.size])
      },
      "extensions": extensions.map {
        JSONValue.object(["extension": JSONName($0.name), "files": $0.files, "size": $0.size])
      },
      "upload": JSONValue.object([
        "fileName": JSONName(pack.path.name),
        "size": digests.size,
        "md5": hexadecimal(digests.md5),
        "sha256": hexadecimal(digests.sha256),
      ]),
    ])
  }

  private var container: JSONValue {
    let container = pack.container
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
