extension AppReport {
  /// The report for programs, and for the HTML page. Hashes are for later comparisons.
  package func json(includingHashes: Bool) -> JSONValue {
    .object([
      "schemaVersion": 1,
      "tool": JSONValue.object(["name": "ba-package", "version": toolVersion]),
      "rates": rates,
      "totals": JSONValue.object([
        "packs": packs.count,
        "files": fileCount,
        "size": size,
        "downloadSize": downloadSize,
        "installationSize": packsOfInstallation.reduce(UInt64(0)) { $0 + $1.downloadSize },
        "wastedSize": wastedSize,
        "wastedDownload": wastedDownload,
      ]),
      "packs": packs.map { $0.json(includingHashes: includingHashes) },
      "duplicates": duplicates.map(json),
      "coverage": coverage,
      "changes": changes,
    ])
  }

  private func json(_ duplicate: Duplicate) -> JSONValue {
    .object([
      "size": duplicate.size,
      "wastedSize": duplicate.wastedSize,
      "wastedDownload": duplicate.wastedDownload,
      "copies": duplicate.copies.map { copy in
        JSONValue.object([
          "pack": copy.pack, "path": JSONName(packs[copy.pack].files[copy.file].path),
        ])
      },
    ])
  }
}

extension ReportedPack {
  fileprivate func json(includingHashes: Bool) -> JSONValue {
    .object([
      "file": path.jsonName,
      "isFromManifest": isFromManifest,
      "assetPackID": facts?.assetPackID,
      "downloadPolicy": facts?.policy,
      "installationEventTypes": facts?.events,
      "platforms": facts?.platforms,
      "language": facts?.language,
      "manifestSHA256": includingHashes ? manifestHash.map { hexadecimal($0) } : nil,
      "size": size,
      "downloadSize": downloadSize,
      "files": JSONValue(
        .rows(files.count) { [files] in files[$0].json(includingHash: includingHashes) }),
    ])
  }
}

extension ReportedFile {
  fileprivate func json(includingHash: Bool) -> JSONValue {
    .object([
      "path": JSONName(path),
      "size": size,
      "compressedSize": compressedSize,
      "blocks": blocks.rawValue,
      "isExecutable": isExecutable ? true : nil,
      "sha256": includingHash ? hash.map { hexadecimal($0) } : nil,
    ])
  }
}

extension ReportChanges: JSONRepresentable {
  package var json: JSONValue {
    .object([
      "since": origin.map { JSONName($0.bytes) }.map(\.json),
      "downloadSize": downloadSize,
      "packs": packs.map(\.json),
    ])
  }
}

extension PackChange {
  fileprivate var json: JSONValue {
    .object([
      "name": name,
      "change": kind.rawValue,
      "oldSize": oldSize,
      "newSize": newSize,
      "downloadSize": downloadSize,
      "hasSameManifest": hasSameManifest,
      "files": files.map { file in
        JSONValue.object([
          "path": JSONName(file.path), "change": file.kind.rawValue, "oldSize": file.oldSize,
          "newSize": file.newSize,
        ])
      },
    ])
  }
}
