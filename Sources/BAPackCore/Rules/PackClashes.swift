extension Rule {
  /// Different contents at one path in two packs.
  public static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs")
}

/// For each path that several packs have, the files there that can be on one device.
func meetingFiles(_ players: Players, _ paths: AppPaths) -> [[AppPaths.Owner]] {
  paths.shared.compactMap { owners in
    let languages = owners.map { players.languageNumbers[$0.pack] }
    // Translations of one file, as a rule.
    if !languages.contains(nil), Set(languages).count == owners.count { return nil }
    return players.meeting(owners.map { Players.Item($0, group: $0.pack) }).map(\.owner)
  }
}

/// A finding for each set of packs of which each can be on one device with another that has different
/// contents at the same path, with the first such path.
func contentsClashes(
  _ packs: [CheckedPack], _ players: Players, _ meeting: [[AppPaths.Owner]],
  _ contents: EqualContents
) -> [Finding] {
  clashes(
    meeting.map(contents.classes(of:)), players,
    by: { packs[$0].destination }
  ) { first, second, others, paths in
    let (older, newer) = (packs[first.pack].manifest, packs[second.pack].manifest)
    var tags = Groups<Int, String>()
    for pack in [first.pack, second.pack] + others {
      guard let tag = packs[pack].manifest.language,
        let number = players.languageNumbers[pack]
      else { continue }
      tags.add(tag, number)
    }
    let equal = tags.all.lazy.map { $0.elements.unique() }.first { $0.count > 1 }
    let more = paths > 1 ? " and \(counted(paths - 1, "more path"))" : ""
    return Finding(
      .contentsClash,
      "'\(packs[second].destination)' has different contents in the pack '\(older.name)'\(more)",
      at: newer.location(of: packs[second]),
      notes: [
        Note("there it comes from '\(packs[first].source)'", at: older.location(of: packs[first])),
        equal.map { Note("'\($0[0])' and '\($0[1])' are one language for a device") },
        Note(onOther: "pack", others.map { "'\(packs[$0].manifest.name)'" }),
      ], file: packs[second].source, manifests: [second.pack, first.pack] + others)
  }
}

/// A finding for each set of packs of which some have a file where others have a folder.
func folderClashes(_ packs: [CheckedPack], _ players: Players, _ paths: AppPaths) -> [Finding] {
  // The first file of each pack in a folder that is a file of another.
  var inside = Groups<RelativePath, AppPaths.Owner>()
  for (pack, own) in paths.packs.enumerated() where packs.count > 1 {
    var last = RelativePath.root
    for (index, path) in own.enumerated() {
      defer { last = path }
      for folder in path.folders(notOf: last) where !paths[folder].isEmpty {
        inside.add(AppPaths.Owner(pack: pack, file: index), folder)
      }
    }
  }
  return clashes(
    inside.all.map { [Array(paths[$0.key]), $0.elements] }, players,
    by: { packs[$0].destination }
  ) { first, second, others, _ in
    let isFile = packs[second].destination.isInside(packs[first].destination)
    let (file, inside) = isFile ? (first, second) : (second, first)
    let (one, other) = (packs[file.pack].manifest, packs[inside.pack].manifest)
    return Finding(
      .contentsClash,
      "'\(packs[file].destination)' is a folder for '\(packs[inside].destination)', and a file in "
        + "the pack '\(one.name)'",
      at: other.location(of: packs[inside]),
      notes: [
        Note("the file comes from here", at: one.location(of: packs[file])),
        Note(onOther: "pack", others.map { "'\(packs[$0].manifest.name)'" }),
      ], file: packs[inside].source, manifests: [inside.pack, file.pack] + others)
  }
}

/// A finding for each set of packs with files that can't be together. Each element of `paths` has
/// what is at one path, in groups that can. Passes to `finding` the first two files, the other packs
/// and the number of paths.
private func clashes(
  _ paths: some Sequence<[[AppPaths.Owner]]>, _ players: Players,
  by path: (AppPaths.Owner) -> RelativePath,
  _ finding: (AppPaths.Owner, AppPaths.Owner, _ others: [Int], _ paths: Int) -> Finding
) -> [Finding] {
  var found = Groups<[Int], (first: AppPaths.Owner, second: AppPaths.Owner)>()
  for groups in paths where groups.count > 1 {
    let files = players.meeting(
      groups.enumerated().flatMap { number, own in own.map { Players.Item($0, group: number) } }
    ).sorted { $0.owner.pack < $1.owner.pack }
    guard let first = files.first,
      let second = files.first(where: {
        $0.group != first.group && players.meet(first.owner.pack, $0.owner.pack)
      })
    else { continue }
    found.add((first.owner, second.owner), files.map(\.owner.pack))
  }
  return found.all.compactMap { packs, files -> (Pair, Finding)? in
    guard let (first, second) = files.min(by: { path($0.second) < path($1.second) }) else {
      return nil
    }
    let others = packs.filter { $0 != first.pack && $0 != second.pack }
    return (
      Pair(first: first.pack, second: second.pack), finding(first, second, others, files.count)
    )
  }.sorted { $0.0 < $1.0 }.map(\.1)
}

extension Players {
  /// A file at a path, or the first in the folder there, and the number of those that it can be with.
  package struct Item {
    package let owner: AppPaths.Owner
    package let group: Int

    package init(_ owner: AppPaths.Owner, group: Int) { (self.owner, self.group) = (owner, group) }
  }

  /// Those of these that one device can have together with one of another group.
  package func meeting(_ items: [Item]) -> [Item] {
    if items.count < 16 {
      return items.filter { one in
        items.contains { $0.group != one.group && meet(one.owner.pack, $0.owner.pack) }
      }
    }
    // With many, each is compared with what is known of all on its platforms in its language.
    struct Slot: Hashable {
      let platform: Platform?
      /// The number of the language; -1 for none, -2 for any.
      let language: Int
    }
    let platforms = items.map { manifests[$0.owner.pack]?.platforms ?? [] }
    let all = [nil] + platforms.joined().unique().map(Optional.some)
    func slots(_ index: Int, _ languages: [Int]) -> [Slot] {
      let own = platforms[index].isEmpty ? all : platforms[index].map(Optional.some)
      return own.flatMap { platform in languages.map { Slot(platform: platform, language: $0) } }
    }
    var groups: [Slot: (first: Int, hasOthers: Bool)] = [:]
    for (index, item) in items.enumerated() {
      for slot in slots(index, [languageNumbers[item.owner.pack] ?? -1, -2]) {
        if groups[slot, default: (item.group, false)].first != item.group {
          groups[slot]?.hasOthers = true
        } else if groups[slot] == nil {
          groups[slot] = (item.group, false)
        }
      }
    }
    return items.enumerated().filter { index, item in
      let language = languageNumbers[item.owner.pack]
      return slots(index, language.map { [$0, -1] } ?? [-2]).contains { slot in
        groups[slot].map { $0.hasOthers || $0.first != item.group } ?? false
      }
    }.map(\.element)
  }
}

/// Two packs, the first of which comes before the second.
struct Pair: Hashable, Comparable {
  let first: Int
  let second: Int

  static func < (left: Pair, right: Pair) -> Bool {
    (left.second, left.first) < (right.second, right.first)
  }
}
