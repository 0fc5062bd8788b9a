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
      "split": split,
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

extension PackSplit: JSONRepresentable {
  package var json: JSONValue {
    .object([
      "maximumPacks": maximumPacks,
      "granularity": granularity.rawValue,
      "isUncompressed": isUncompressed,
      "packCost": Self.packCost,
      "today": today,
      "proposed": proposed,
      "updates": updates.map { update in
        JSONValue.object([
          "release": update.release.shown, "today": update.today, "proposed": update.proposed,
        ])
      },
      "packs": packs.map { pack in
        JSONValue.object([
          "assetPackID": pack.name,
          "downloadPolicy": pack.manifest.downloadPolicy.kind.rawValue,
          "installationEventTypes": pack.manifest.downloadPolicy.events.rawValues,
          "platforms": pack.manifest.platforms.rawValues,
          "language": pack.manifest.language?.value,
          "size": pack.size,
          "downloadSize": pack.downloadSize,
          "changes": pack.changes,
          "files": pack.files.map { JSONName($0.bytes) },
        ])
      },
    ])
  }
}
