extension Rule {
  /// Files with the same contents.
  public static let duplicateFiles = Rule(
    "duplicate-files", .warning, .contents, "Files with the same contents")
}

/// Files with the same contents, in one pack or in two packs that can be on one device.
enum DuplicateFiles {
  /// Smaller files are not worth a finding.
  private static let smallest: UInt64 = 4096

  /// Files of the same size.
  static func candidates(_ packs: [CheckedPack]) -> [[AppPaths.Owner]] {
    var sizes: [UInt64: [AppPaths.Owner]] = [:]
    for (pack, files) in packs.map(\.files).enumerated() {
      for (index, file) in files.enumerated() where file.size >= smallest {
        sizes[file.size, default: []].append(AppPaths.Owner(pack: pack, file: index))
      }
    }
    return sizes.values.filter { $0.count > 1 }
  }

  /// A finding for each pack with duplicates, and for each pair of packs that share files, at the
  /// selector of the first copy.
  static func findings(
    _ packs: [CheckedPack], _ players: Players, _ candidates: [[AppPaths.Owner]],
    _ contents: EqualContents, isOff: (_ pack: Int, _ file: RelativePath) -> Bool
  ) -> [Finding] {
    var found = Groups<Pair, (original: SelectedFile, copy: SelectedFile)>()
    for same in candidates.flatMap(contents.classes(of:)) {
      // The first file of each pack: whether files conflict depends on their packs.
      var originals: [AppPaths.Owner] = []
      for copy in same {
        let original = originals.first {
          $0.pack == copy.pack || players.meet($0.pack, copy.pack)
        }
        if originals.last?.pack != copy.pack { originals.append(copy) }
        guard let original, !isOff(copy.pack, packs[copy].source) else { continue }
        found.add((packs[original], packs[copy]), Pair(first: original.pack, second: copy.pack))
      }
    }
    return found.all.sorted { $0.key < $1.key }.map { pair, copies in
      let sorted = copies.sorted { $0.copy.destination < $1.copy.destination }
      let (original, copy) = sorted[0]
      let (first, second) = (packs[pair.first].manifest, packs[pair.second].manifest)
      let isOne = pair.first == pair.second
      let size = byteCount(copies.size(\.copy.size))
      return Finding(
        .duplicateFiles,
        "'\(copy.destination)' has the same contents as '\(original.destination)'"
          + (isOne ? "" : " in the pack '\(first.name)'")
          + (sorted.count > 1
            ? "; \(counted(sorted.count, "file")) with \(size) are copies" : " (\(size))"),
        at: second.location(of: copy),
        notes: [
          Note(onOtherFiles: sorted.dropFirst().lazy.map { "'\($0.copy.destination)'" }),
          isOne && original.selector == copy.selector
            ? nil : Note("the first copy is here", at: first.location(of: original)),
        ], file: copy.source, manifests: [pair.second, pair.first])
    }
  }
}
