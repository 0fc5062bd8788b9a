import BAPackCore

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
        "installationSize": installationSize,
        "wastedSize": wastedSize,
        "wastedDownload": wastedDownload,
      ]),
      "languages": packs.json(of: players),
      "packs": packs.map { $0.json(includingHashes: includingHashes) },
      "duplicates": duplicates.map(json),
      "coverage": coverage,
      "changes": changes.map { changes in
        JSONValue.object([
          "since": origin.map { JSONName($0.bytes) },
          "downloadSize": updateSize,
          "packs": changes.map(\.json),
          "findings": losses,
        ])
      },
    ])
  }

  private func json(_ duplicate: PackCopies) -> JSONValue {
    .object([
      "size": duplicate.size,
      "wastedSize": duplicate.wastedSize,
      "wastedDownload": duplicate.wastedDownload,
      "copies": duplicate.files.map { file in
        JSONValue.object([
          "pack": file.pack, "path": JSONName(packs[file.pack].entries[file.number].shownPath),
        ])
      },
    ])
  }
}

extension PackDifference {
  fileprivate var json: JSONValue {
    .object([
      "name": name,
      "change": kind.rawValue,
      "oldSize": old?.downloadSize,
      "newSize": new?.downloadSize,
      "downloadSize": downloadSize,
      "hasSameManifest": hasSameManifest,
      "files": changes,
    ])
  }
}
