import BACommandLine
import BAPackCore

extension PackIndex {
  /// The summary as text, for a terminal `width` columns wide.
  func text(width: Int, _ copies: [PackCopies]?) -> String {
    var lines: [[String]] = []
    if let manifest {
      lines.append(["identifier", manifest.name])
      let policy = manifest.downloadPolicy
      let events = policy.events.shown
      lines.append(["policy", policy.kind.shown + (events.isEmpty ? "" : ": \(events)")])
      lines.append(["platforms", manifest.platformNames])
      if let language = manifest.language { lines.append(["language", language]) }
      for (index, selector) in manifest.selectors.enumerated() {
        lines.append([index == 0 ? "selectors" : "", "\(selector.kind): \(selector.paths)"])
      }
    }
    let container = container ?? ContainerFacts(kind: .bare)
    let ratio =
      percentage(container.packedSize, of: size).map { " (\($0) of the files)" } ?? ""
    let directories = entries.count { $0.kind == .directory }
    let others = entries.count - storedFiles.count - directories - (embedded == nil ? 0 : 1)
    lines += [
      ["container", container.name],
      [
        "entries",
        "\(grouped(entries.count)): \(counted(storedFiles.count, "file")) in "
          + counted(directories, "directory", "directories")
          + (others > 0 ? ", \(counted(others, "other"))" : "")
          + (embedded == nil ? "" : " and the manifest"),
      ],
      [
        "uncompressed",
        "\(counted(container.rawSize, "byte")), of which \(grouped(size)) in files",
      ],
      ["compressed", counted(container.packedSize, "byte") + ratio],
    ]
    if let copies, !copies.isEmpty {
      lines.append(
        [
          "duplicates",
          "\(counted(copies.duplicates, "file")) with contents of another, "
            + "\(byteCount(copies.duplicateSize)) (\(byteCount(copies.duplicateShares)) compressed)",
        ])
    }
    lines += [
      ["", ""],
      ["file name", printable(path.name)],
      ["size", "\(downloadSize) bytes"],
    ]
    if let digests = fileDigests {
      lines += [["MD5", hexadecimal(digests.md5)], ["SHA-256", hexadecimal(digests.sha256)]]
    }
    var text = aligned(lines).map { $0 + "\n" }.joined()
    if !storedFiles.isEmpty {
      text += "\nlargest files\n" + largestFiles + "\nby extension\n" + chart(width)
    }
    return text
  }

  private var largestFiles: String {
    aligned(largest.map { [byteCount($0.size), printable($0.shownPath)] }, numbers: 0..<1)
      .map { "  \($0)\n" }.joined()
  }

  /// The largest files, at most ten; those of equal size in the order of the archive.
  var largest: [PackEntry] {
    Array(
      storedFiles.sorted { ($0.size, $1.number) > ($1.size, $0.number) }.prefix(10))
  }

  /// The files by extension, those with the most bytes first. Extensions have no dot and are in
  /// lowercase if they are UTF-8.
  var extensions: [(name: [UInt8], files: Int, size: UInt64)] {
    var sums: [[UInt8]: (files: Int, size: UInt64)] = [:]
    for file in storedFiles {
      let name = fileExtension(of: file.shownPath)
      sums[name, default: (0, 0)].files += 1
      sums[name, default: (0, 0)].size += file.size
    }
    return sums.map { ($0.key, $0.value.files, $0.value.size) }.sorted { left, right in
      left.2 == right.2 ? left.0.lexicographicallyPrecedes(right.0) : left.2 > right.2
    }
  }

  /// A bar for each of the first fifteen extensions and one for the rest; the longest has the full
  /// width.
  private func chart(_ width: Int) -> String {
    let extensions = extensions
    var rows = Array(extensions.prefix(15))
    if extensions.count > 15 {
      let name = "\(extensions.count - 15) more"
      let rest = extensions.dropFirst(15)
      rows.append((Array(name.utf8), rest.reduce(0) { $0 + $1.files }, rest.size(\.size)))
    }
    let names = rows.map { $0.name.isEmpty ? "(none)" : String(printable($0.name).prefix(16)) }
    let values = rows.map { "\(byteCount($0.size)), \(counted($0.files, "file"))" }
    let nameWidth = names.map(\.count).max() ?? 0
    let room = width - nameWidth - 6 - (values.map(\.count).max() ?? 0)
    let most = Double(rows.map(\.size).max() ?? 0)
    let lines = zip(zip(names, rows), values).map { named, value in
      let (name, row) = named
      let share = most > 0 ? Double(row.size) / most : 0
      // At least an eighth of a column unless the files are empty.
      let eighths = max(row.size > 0 ? 1 : 0, Int(share * Double(max(1, room)) * 8))
      let slivers = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
      let bar = String(repeating: "█", count: eighths / 8) + slivers[eighths % 8]
      return [name, bar + (bar.isEmpty ? "" : " ") + value]
    }
    return aligned(lines).map { "  \($0)\n" }.joined()
  }
}

extension [PackIndex] {
  func text(of players: Players) -> String {
    let isLocalized = contains { $0.manifest?.language != nil }
    let rows =
      [["", "packs", "files", "uncompressed", "download", "installation"]]
      + players.all.map { player in
        let packs = self[player]
        let name = [
          player.language ?? (isLocalized ? "no language" : nil),
          player.platforms.isEmpty ? nil : "on " + player.platforms.shown,
        ].compactMap(\.self).joined(separator: " ")
        return [
          name.isEmpty ? "all packs" : name, grouped(packs.count), grouped(packs.fileCount),
          byteCount(packs.size), byteCount(packs.downloadSize), byteCount(packs.installationSize),
        ]
      }
    return aligned(rows, numbers: 1..<6).map { "  \($0)\n" }.joined()
  }
}

extension ContainerFacts {
  fileprivate var name: String {
    switch kind {
    case .bare: "none (a bare archive stream)"
    case .blocks(let algorithm, let blockSize):
      "\(algorithm.name), \(counted(blocks, "block")) of \(grouped(blockSize)) bytes "
        + "(\(grouped(storedBlocks)) stored)"
    }
  }
}

extension [PackCopies] {
  /// The number of files with the contents of an earlier one.
  var duplicates: Int { reduce(0) { $0 + $1.files.count - 1 } }
  /// Their uncompressed size in bytes.
  var duplicateSize: UInt64 { size(\.wastedSize) }
  /// The size of their shares of the blocks that contain them, in bytes.
  var duplicateShares: UInt64 {
    size { $0.files.dropFirst().size(\.share) }
  }
}

/// The extension of the file at `path`, without the dot, in lowercase if it is UTF-8.
private func fileExtension(of path: [UInt8]) -> [UInt8] {
  let name = path.suffix(from: path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0)
  // A name that starts with a dot is hidden and has no extension by that.
  guard let dot = name.dropFirst().lastIndex(of: ASCII.dot) else { return [] }
  let bytes = name[(dot + 1)...]
  return String(validating: bytes, as: UTF8.self).map { Array($0.lowercased().utf8) }
    ?? Array(bytes)
}
