import BAPackCore

extension AppReport {
  /// The report as Markdown, for a comment on a pull request or a step summary. Long lists are
  /// truncated.
  package var markdown: String {
    let head = ["# \(Markdown.plain(title))\n\n" + summary + "\n", packTable]
    return
      (head
      + [splitPart, languagesPart, changesPart, largestFiles, duplicatesPart, coveragePart]
      .compactMap(\.self))
      .joined(separator: "\n")
  }

  /// The words before the largest size of one player.
  var upTo: String { players.all.count > 1 ? "up to " : "" }

  /// The maximum number of rows in a list.
  private static let rows = 10

  private var summary: String {
    let waits = installationSize
    let wait =
      waits == 0
      ? "Installing the app waits for no pack."
      : "Installing the app waits for \(upTo)**\(byteCount(waits))**: "
        + "\(times(waits))."
    return "\(counted(packs.count, "pack")), \(counted(fileCount, "file"))"
      + (players.all.count > 1 ? "; one player has up to " : ", ")
      + "\(byteCount(size)), to download **\(byteCount(downloadSize))**"
      + (percentage(downloadSize, of: size).map { " (\($0))" } ?? "")
      + (largestDownload.player.words { Markdown.code($0) }.map { ", \($0)" } ?? "") + ". \(wait)"
      + (measured.map { " Packs are measured with \(Markdown.plain($0))." } ?? "")
  }

  private var packTable: String {
    var rows = packs.map { pack in
      [
        Markdown.code(pack.name), pack.policyText, pack.platformText,
        pack.manifest?.language?.value ?? "",
        grouped(pack.files.count), byteCount(pack.size), byteCount(pack.downloadSize),
        percentage(pack.downloadSize, of: pack.size) ?? "",
      ] + rates.map { duration(pack.downloadSize, $0) }
    }
    if packs.count > 1, players.all.count == 1 {
      rows.append(
        [
          "**All**", "", "", "", grouped(fileCount), byteCount(size),
          byteCount(downloadSize), percentage(downloadSize, of: size) ?? "",
        ] + rates.map { duration(downloadSize, $0) })
    }
    return Markdown.table(
      ["Pack", "Policy", "Platforms", "Language"],
      numbers: ["Files", "Size", "Download", "Ratio"] + rates.map { "\(grouped($0)) Mbit/s" }, rows)
  }

  private var languagesPart: String? {
    guard let heads = playerHeads else { return nil }
    let rows = zip(playerCells { Markdown.code($0) }, players.all).map { cells, player in
      let packs = self.packs[player]
      return cells + [
        grouped(packs.count),
        grouped(packs.fileCount), byteCount(packs.size), byteCount(packs.downloadSize),
        byteCount(packs.installationSize),
      ] + rates.map { duration(packs.downloadSize, $0) }
    }
    return "## Players\n\n\(playersText)\n\n"
      + Markdown.table(
        heads,
        numbers: ["Packs", "Files", "Size", "Download", "Installation"]
          + rates.map { "\(grouped($0)) Mbit/s" }, rows)
  }

  private var changesPart: String? {
    guard let changes else { return nil }
    let changed = changes.filter { !$0.isEmpty }
    if changed.isEmpty { return "## Changes\n\nNothing changed: players download nothing.\n" }
    let rows = changed.map { pack in
      [
        Markdown.code(pack.name), pack.kind.rawValue, pack.changedText,
        (pack.old?.downloadSize).map(byteCount) ?? "",
        (pack.new?.downloadSize).map(byteCount) ?? "",
        byteCount(pack.downloadSize),
      ]
    }
    return "## Changes\n\nPlayers who have the old packs download "
      + "\(upTo)**\(byteCount(updateSize))**.\n\n"
      + Markdown.table(["Pack", "Change", "Files"], numbers: ["Before", "Now", "Download"], rows)
      + lossesPart
  }

  private var lossesPart: String {
    guard !losses.isEmpty else { return "" }
    let lines = losses.prefix(Self.rows).map { finding in
      "- **\(finding.severity.rawValue)**: \(Markdown.plain(finding.message))"
        + finding.notes.filter { $0.location == nil }.map { " (\(Markdown.plain($0.message)))" }
        .joined()
        + " [\(finding.rule.id)]\n"
    }
    return "\nBuilds that people have read the new packs, too, and would miss this:\n\n"
      + lines.joined() + rest(losses.count)
  }

  private var splitPart: String? {
    guard let split else { return nil }
    let rows = split.updates.map { update in
      [Markdown.code(update.release.bytes), byteCount(update.today), byteCount(update.proposed)]
        + [percentage(update.proposed, of: update.today) ?? ""]
    }
    let updates = Markdown.table(["Update to"], numbers: ["Today", "Proposed", "Ratio"], rows)
    guard !split.packs.isEmpty else {
      return "## Other packs\n\n\(split.summary)\n\n"
        + Markdown.table(
          ["Update to"], numbers: ["Today"], rows.map { Array($0.prefix(2)) })
    }
    let packs = split.packs.map { pack in
      [
        Markdown.code(pack.name), pack.manifest.downloadPolicy.text, pack.manifest.platformNames,
        pack.manifest.language?.value ?? "", grouped(pack.files.count), byteCount(pack.size),
        byteCount(pack.downloadSize), grouped(pack.changes),
      ]
    }
    return "## Other packs\n\n\(split.summary)\n\n\(updates)\n"
      + Markdown.table(
        ["Pack", "Policy", "Platforms", "Language"],
        numbers: ["Files", "Size", "Download", "Changes"], packs)
  }

  private var largestFiles: String? {
    let files = packs.enumerated().flatMap { index, pack in
      pack.files.filter { $0.size > 0 }.map { (pack: index, file: $0, share: pack.share(of: $0)) }
    }
    if files.isEmpty { return nil }
    let largest = files.sorted { ($0.share, $0.file.size) > ($1.share, $1.file.size) }
      .prefix(Self.rows)
    let rows = largest.map { pack, file, share in
      [
        Markdown.code(file.shownPath), Markdown.code(packs[pack].name), byteCount(file.size),
        byteCount(share), percentage(share, of: file.size) ?? "",
      ]
    }
    return "## Largest files\n\n"
      + Markdown.table(["File", "Pack"], numbers: ["Size", "Compressed", "Ratio"], rows)
  }

  private var duplicatesPart: String? {
    if duplicates.isEmpty { return nil }
    let rows = duplicates.prefix(Self.rows).map { duplicate in
      let copies = duplicate.files.prefix(3).map { copy in
        Markdown.code(packs[copy.pack].entries[copy.number].shownPath)
          + (packs.count > 1 ? " in \(Markdown.code(packs[copy.pack].name))" : "")
      }
      let more = duplicate.files.count - copies.count
      return [
        copies.joined(separator: ", ") + (more > 0 ? " and \(grouped(more)) more" : ""),
        byteCount(duplicate.wastedSize), byteCount(duplicate.wastedDownload),
      ]
    }
    return "## Duplicates\n\nThe same contents more than once waste \(byteCount(wastedSize)), "
      + "\(byteCount(wastedDownload)) of the download.\n\n"
      + Markdown.table(["Files"], numbers: ["Wasted", "Of the download"], rows)
      + rest(duplicates.count)
  }

  private var coveragePart: String? {
    guard let coverage else { return nil }
    let head =
      "## In no pack\n\n\(counted(coverage.files.count, "file")) in "
      + "\(Markdown.code(coverage.folder.bytes)), \(byteCount(coverage.size)).\n"
    if coverage.files.isEmpty { return head }
    let largest = coverage.groups.sorted { $0.size > $1.size }.prefix(Self.rows)
    let rows = largest.map { group in
      [
        Markdown.code(group.path.bytes + (group.isFolder ? [ASCII.slash] : [])),
        grouped(group.files.count), byteCount(group.size),
      ]
    }
    return head + "\n" + Markdown.table(["Path"], numbers: ["Files", "Size"], rows)
      + rest(coverage.groups.count)
  }

  private func rest(_ count: Int) -> String {
    count > Self.rows ? "\nThe first \(Self.rows) of \(grouped(count)).\n" : ""
  }
}

extension PackIndex {
  var policyText: String { manifest?.downloadPolicy.text ?? "" }

  var platformText: String { manifest?.platformNames ?? "" }
}

extension PackDifference {
  /// The numbers of files that changed, or `manifest`.
  var changedText: String {
    let counts = [Kind.added, .removed, .renamed, .changed].compactMap { kind -> String? in
      let count = changes.count { $0.kind == kind }
      return count == 0 ? nil : "\(grouped(count)) \(kind.rawValue)"
    }
    return counts.isEmpty && kind == .changed ? "manifest" : counts.joined(separator: ", ")
  }
}

extension AppReport {
  /// The times to download `size` bytes, such as `12 s at 10 Mbit/s, 2 s at 50 Mbit/s`, up to the
  /// first rate for which it is less than a second.
  func times(_ size: UInt64) -> String {
    let fast = rates.firstIndex { duration(size, $0) == underOneSecond } ?? rates.endIndex
    return rates.prefix(fast + 1).map { "\(duration(size, $0)) at \(grouped($0)) Mbit/s" }
      .joined(separator: ", ")
  }
}

extension DownloadPolicy {
  /// For example `essential (firstInstallation)`.
  var text: String {
    name + (events.isEmpty ? "" : " (\(events.map(\.rawValue).joined(separator: ", ")))")
  }
}

let underOneSecond = "<1 s"

/// The time to download `size` bytes at `rate` Mbit/s: `12 s`, `3 min 20 s`.
func duration(_ size: UInt64, _ rate: Int) -> String {
  let seconds = Int(min(Double(size) * 8 / (Double(rate) * 1_000_000), 1e15).rounded())
  if seconds < 1 { return underOneSecond }
  if seconds < 60 { return "\(seconds) s" }
  if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
  return "\(grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
}

/// `values` rounded up or down so that they add up to their rounded sum.
func apportioned(_ values: [Double]) -> [Int] {
  var rounded = values.map { Int($0) }
  let missing = Int(values.reduce(0, +).rounded()) - rounded.reduce(0, +)
  let order = values.indices.sorted {
    values[$0] - Double(rounded[$0]) > values[$1] - Double(rounded[$1])
  }
  for index in order.prefix(max(0, missing)) { rounded[index] += 1 }
  return rounded
}
