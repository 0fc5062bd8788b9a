import BACommandLine
import BAPackCore

/// `info`: summarizes packs, and shows what an upload needs.
struct Info: Command {
  static let checksums = Option(
    "checksums",
    help:
      "Read all of the file, too: show its MD5 and SHA-256, and the space that duplicates waste.")
  static let row = CommandRow(
    name: "info", overview: "Show the manifest, container and sizes of asset packs.",
    discussion: [
      """
      An upload to App Store Connect needs the file's name, its size in bytes and its MD5, which \
      --checksums adds. The sizes by extension are uncompressed.
      """,
      """
      With several packs, the sizes of what each of the players has follow, by language and platform; \
      with --language, of one player.
      """,
      DeviceOptions.discussion,
    ],
    arguments: [PackReading.packs],
    options: [checksums, PackReading.format] + DeviceOptions.all + [Checking.project]
      + PackReading.options,
    examples: [
      "ba-package info Harbour.aar": "Summarize a pack.",
      "ba-package info --format json Harbour.aar": "The same as JSON.",
    ],
    exitStatus: PackReading.exitStatus,
    synonyms: ["show", "dump", "inspect"],
    command: Info.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let reading = PackReading(typed)
    let format = try typed.format()
    let paths = try typed.packs()
    let device = try DeviceOptions(typed)
    var list: [JSONValue] = []
    var packs: [PackIndex] = []
    for (index, path) in paths.enumerated() {
      let pack = try reading.read(path, fileDigests: typed.has(Self.checksums))
      let copies = typed.has(Self.checksums) ? try copies(in: pack, jobs: reading.jobs) : nil
      packs.append(pack)
      switch format {
      case .text:
        if paths.count > 1 { try console.write((index > 0 ? "\n" : "") + "\(path.shown):\n\n") }
        try console.write(pack.text(width: console.width, copies))
      case .json: list.append(pack.summary(copies))
      }
      if let remark = pack.remark { console.tell("warning: '\(path.shown)': \(remark)") }
    }
    let isApp = paths.count > 1 || device.device != nil
    let players =
      !isApp
      ? nil
      : try device.read(paths, console) { device in
        let players = try Players(packs.map(\.manifest), device ?? Device())
        return (players, (players.resolved.first, players.tags(of: packs.indices)))
      }
    if format == .json {
      try console.write(
        .object([
          "schemaVersion": 2, "packs": list, "languages": players.flatMap { packs.json(of: $0) },
        ]))
    } else if let players {
      try console.write("\none player:\n\n" + packs.text(of: players))
    }
    return .success
  }

  /// The files with the contents of an earlier one; nil for a pipe, which can't be read again.
  private func copies(in pack: PackIndex, jobs: Int) throws -> [PackCopies]? {
    guard pack.isFile else { return nil }
    var packs = [pack]
    try packs.findHashes(ofAll: false, jobs: jobs)
    return packs.copies
  }
}

extension PackIndex {
  func summary(_ copies: [PackCopies]?) -> JSONValue {
    .object([
      "pack": path.jsonName,
      "manifest": manifest?.summary,
      "container": containerJSON,
      "entries": JSONValue.object([
        "count": entries.count, "files": storedFiles.count,
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
      "upload": JSONValue.object([
        "fileName": JSONName(path.name),
        "size": downloadSize,
        "md5": fileDigests.map { hexadecimal($0.md5) },
        "sha256": fileDigests.map { hexadecimal($0.sha256) },
      ]),
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
      "assetPackID": assetPackID,
      "downloadPolicy": downloadPolicy.kind.rawValue,
      "installationEventTypes": downloadPolicy.events.rawValues,
      "platforms": platforms.rawValues,
      "language": language,
      "selectors": selectors.count,
    ])
  }
}
