import BAPackCore

extension AppReport {
  /// The maximum size of the files of `pack`, if it has one for itself.
  func limit(of pack: PackIndex) -> UInt64? {
    guard let manifest = pack.manifest else { return nil }
    let policy = manifest.downloadPolicy.name
    return sizeBudgets.packs[manifest.assetPackID.value]
      ?? (policy == "essential" ? nil : sizeBudgets.policies[policy])
  }

  /// The packs, the largest first, with their download times.
  var packSection: String {
    let sorted = packs.indices.sorted { packs[$0].downloadSize > packs[$1].downloadSize }
    let rates = rates.filter { rate in
      packs.contains { duration($0.downloadSize, rate) != underOneSecond }
    }
    let total = Double(max(1, packs.downloadSize))
    let shares = apportioned(packs.map { Double($0.downloadSize) * 1000 / total })
    let largest = packs.map(\.downloadSize).max()
    var table = PageTable(
      caption: "Packs, by the size of the download",
      columns: [
        .text("Pack"), .number("Download"), .number("Share"), .number("Size"), .number("Ratio"),
        .number("Files"),
      ] + rates.map { .number("At \(grouped($0)) Mbit/s", isFact: true) } + [
        .text("Policy", isFact: true), .text("Platforms", isFact: true),
        .text("Language", isFact: true), .number("Budget", isFact: true),
      ],
      rows: sorted.map { index in
        let pack = packs[index]
        let share = shares[index]
        let budget = limit(of: pack).map { limit -> PageCell in
          let text = (percentage(pack.size, of: limit) ?? "over") + " of " + byteCount(limit)
          return .value(text, pack.size, of: limit, isBad: pack.size > limit)
        }
        return [
          .text(pack.name), .size(pack.downloadSize, of: largest),
          .value(share == 0 ? "<0.1%" : "\(share / 10).\(share % 10)%", pack.downloadSize),
          .size(pack.size), .ratio(pack.downloadSize, of: pack.size), .count(pack.files.count),
        ] + rates.map { .value(duration(pack.downloadSize, $0), pack.downloadSize) } + [
          .text(pack.policyText), .text(pack.platformText),
          .text(printable((pack.manifest?.language?.value ?? "").utf8)), budget ?? .text(""),
        ]
      },
      foot: [
        .text("All packs"), .size(downloadSize), .text(downloadSize == 0 ? "" : "100.0%"),
        .size(size), .ratio(downloadSize, of: size), .count(fileCount),
      ] + rates.map { .text(duration(downloadSize, $0)) } + [
        .text(""), .text(""), .text(""), .text(""),
      ],
      sorted: 1)
    let facts = table.removeFacts().map { "\($0.title): \($0.value)" }
    // One player doesn't have all packs if some are localized.
    if packs.count == 1 || players.all.count > 1 { table.foot = [] }
    let waits =
      installationSize == 0
      ? "Installing the app waits for no pack."
      : "Installing the app waits for the packs that are essential on first installation: "
        + "\(upTo)\(byteCount(installationSize)), \(escapedXML(times(installationSize)))."
    let all = packs.count > 1 ? "All packs: " : ""
    return section(
      "packs", "Packs", facts.isEmpty ? waits : waits + " \(all)\(facts.joined(separator: "; ")).",
      table)
  }

  var playerSection: String? {
    guard let heads = playerHeads else { return nil }
    return section(
      "players", "Players", playersText,
      PageTable(
        caption: "What one player has",
        columns: heads.map { .text($0) } + [
          .number("Packs"), .number("Files"), .number("Size"),
          .number("Download"), .number("Installation"),
        ] + rates.map { .number("At \(grouped($0)) Mbit/s") },
        rows: zip(playerCells { $0 }, players.all).map { cells, player in
          let packs = self.packs[player]
          return cells.map { .text($0) } + [
            .count(packs.count),
            .count(packs.fileCount), .size(packs.size), .size(packs.downloadSize, of: downloadSize),
            .size(packs.installationSize),
          ] + rates.map { .value(duration(packs.downloadSize, $0), packs.downloadSize) }
        }))
  }

  /// The findings of the check of the manifests.
  var findingSection: String? {
    section(
      "findings", "Findings",
      "About the manifests and the files they select, apart from duplicates and what Git tracks.",
      findings)
  }

  /// The files that builds that read the old packs miss.
  var lossSection: String? {
    section(
      "losses", "Old builds",
      "Builds that people have read the new packs, too, and would miss this.", losses)
  }

  private func section(
    _ id: String, _ title: String, _ text: String, _ findings: [Finding]
  ) -> String? {
    if findings.isEmpty { return nil }
    let rows = findings.map { finding -> [PageCell] in
      let notes = finding.notes.map { "<div class=\"quiet\">\(escapedXML($0.message))</div>" }
      let place = finding.location.map {
        "\(printable($0.source.name)):\($0.start.line):\($0.start.column)"
      }
      return [
        PageCell(html: escapedXML(finding.message) + notes.joined()),
        .text(finding.severity.rawValue), .text(finding.rule.id), .text(place ?? ""),
      ]
    }
    return section(
      id, title, text,
      PageTable(
        caption: title,
        columns: [.text("Finding"), .text("Severity"), .text("Rule"), .text("Where")], rows: rows))
  }

  /// A better division into packs, with a chart of what updates cost.
  var splitSection: String? {
    guard let split else { return nil }
    let largest = split.updates.map { max($0.today, $0.proposed) }.max()
    let updates = PageTable(
      caption: "What players download for each update",
      columns: [.text("Update to"), .number("Today"), .number("Proposed"), .number("Ratio")],
      rows: split.updates.map { update in
        [
          .path(update.release.bytes), .size(update.today, of: largest),
          .size(update.proposed, of: largest), .ratio(update.proposed, of: update.today),
        ]
      })
    let packs = PageTable(
      caption: "Proposed packs",
      columns: [
        .text("Pack"), .number("Changed in updates"), .number("Download"), .number("Size"),
        .number("Files"), .text("Policy", isFact: true), .text("Platforms", isFact: true),
        .text("Language", isFact: true),
      ],
      rows: split.packs.map { pack in
        [
          .text(pack.name), .count(pack.changes),
          .size(pack.downloadSize, of: split.packs.map(\.downloadSize).max()), .size(pack.size),
          .count(pack.files.count), .text(pack.manifest.downloadPolicy.text),
          .text(pack.manifest.platformNames), .text(pack.manifest.language?.value ?? ""),
        ]
      })
    let text =
      "\(escapedXML(split.summary)) The proposal counts "
      + "\(byteCount(PackSplit.packCost)) for each download of a pack, besides its files. The past "
      + "need not repeat."
    return section("split", "Other packs", text + splitChart(split), updates)
      + (split.packs.isEmpty
        ? "" : section("proposal", "Proposed packs", "The most stable first.", packs))
  }

  /// Two bars for each update.
  private func splitChart(_ split: PackSplit) -> String {
    let largest = Double(max(1, split.updates.map { max($0.today, $0.proposed) }.max() ?? 1))
    let width = 600 / Double(max(1, split.updates.count))
    func bar(_ size: UInt64, _ index: Int, _ part: Double, _ name: String) -> String {
      let height = Double(size) / largest * 150
      func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
      return "<rect class=\"\(name)\" x=\"\(rounded((Double(index) + part) * width))\" "
        + "y=\"\(rounded(150 - height))\" width=\"\(rounded(width * 0.38))\" "
        + "height=\"\(rounded(height))\"/>"
    }
    let bars = split.updates.enumerated().map { index, update in
      "<g><title>\(escapedXML(printable(update.release.bytes))): "
        + "\(byteCount(update.today)) today, \(byteCount(update.proposed)) proposed</title>"
        + bar(update.today, index, 0.1, "today") + bar(update.proposed, index, 0.5, "proposed")
        + "</g>"
    }
    return
      "</p><svg class=\"chart\" viewBox=\"0 0 600 150\" preserveAspectRatio=\"none\" role=\"img\" "
      + "aria-label=\"Bytes that players download for each update, today and proposed\">"
      + bars.joined()
      + "</svg><p class=\"quiet\">For each update: <span class=\"key today\"></span> "
      + "today, <span class=\"key proposed\"></span> proposed."
  }

  var changeSection: String? {
    guard let changes else { return nil }
    let changed = changes.filter { !$0.isEmpty }.sorted { $0.downloadSize > $1.downloadSize }
    if changed.isEmpty {
      return section("changes", "Changes", "Nothing changed: players download nothing.", nil)
    }
    let same = changes.count - changed.count
    let text =
      "Players who have the old packs download \(byteCount(updateSize)), since devices "
      + "load a changed pack as a whole."
      + (same == 0 ? "" : " \(counted(same, "pack")) did not change.")
    let rows = changed.map { pack -> [PageCell] in
      let (old, new) = (pack.old?.downloadSize ?? 0, pack.new?.downloadSize ?? 0)
      let growth = Int64(clamping: new) - Int64(clamping: old)
      let sign = growth > 0 ? "+" : growth < 0 ? "\u{2212}" : ""
      return [
        .text(pack.name), .size(pack.downloadSize, of: changed.first?.downloadSize),
        .size(pack.old?.downloadSize), .size(pack.new?.downloadSize),
        PageCell(html: sign + byteCount(growth.magnitude), key: "\(growth)"),
        .text(pack.kind.rawValue), .text(pack.changedText),
      ]
    }
    return section(
      "changes", "Changes", text,
      PageTable(
        caption: "Packs that changed, by what players download",
        columns: [
          .text("Pack"), .number("Players download"), .number("Before"), .number("Now"),
          .number("Difference"), .text("Change"), .text("Files"),
        ], rows: rows, sorted: 1))
  }

  var changedFileSection: String? {
    let files = (changes ?? []).flatMap { pack in pack.changes.map { (pack: pack.name, file: $0) } }
      .map { ($0.pack, $0.file, max($0.file.old?.size ?? 0, $0.file.new?.size ?? 0)) }
      .sorted { $0.2 > $1.2 }
    if files.isEmpty { return nil }
    let rows = files.map { pack, file, size -> [PageCell] in
      [
        .path(file.path.bytes), .size(file.new?.size, of: files[0].2), .size(file.old?.size),
        .text(file.kind.rawValue), .text(pack),
      ]
    }
    return section(
      "changed-files", "Changed files", "\(counted(files.count, "file")), with uncompressed sizes.",
      PageTable(
        caption: "Files that changed, by size",
        columns: [
          .text("File"), .number("Now"), .number("Before"), .text("Change"), .text("Pack"),
        ], rows: rows))
  }

  /// The largest files. The script replaces them by those that are searched for.
  func fileSection(_ facts: PageFacts) -> String {
    let largest = facts.files.sorted { ($0.share, $0.size) > ($1.share, $1.size) }.prefix(50)
    let rows = largest.map { file -> [PageCell] in
      [
        .path(packs[file.pack].entries[file.number].shownPath),
        .size(file.share, of: largest.first?.share), .size(file.size),
        .ratio(file.share, of: file.size), .text(PageFacts.titles[file.type]),
      ] + (packs.count > 1 ? [.text(packs[file.pack].name)] : [])
    }
    let table = PageTable(
      caption: "Files, by their share of the download",
      columns: [
        .text("File"), .number("Compressed"), .number("Size"), .number("Ratio"), .text("Type"),
      ] + (packs.count > 1 ? [.text("Pack")] : []), rows: rows, sorted: 1, id: "files")
    return """
      <section id="file-section">
      <h2>Files</h2>
      <p class="quiet" id="shown-files">The \(grouped(rows.count)) largest of \(counted(fileCount, "file")), by their share of the download.</p>
      <div class="controls js">
      <label>Search <input type="search" id="search" placeholder="part of a path" autocomplete="off" spellcheck="false"></label>
      <label><input type="checkbox" id="hardly"> hardly compressed (at least 90% of 4 kB or more)</label>
      </div>
      \(table.html)<button type="button" id="more" class="js" hidden></button>
      </section>

      """
  }

  /// The contents that occur more than once.
  var duplicateSection: String? {
    if duplicates.isEmpty { return nil }
    let most = duplicates.map(\.wastedDownload).max()
    let rows = duplicates.sorted { $0.wastedDownload > $1.wastedDownload }.map { copies in
      let files = copies.files.prefix(20).map { file in
        let pack = packs[file.pack]
        let path = escapedXML(printable(pack.entries[file.number].shownPath))
        return packs.count == 1
          ? "<div>\(path)</div>"
          : "<div>\(path) <span class=\"quiet\">\(escapedXML(pack.name))</span></div>"
      }
      let more = copies.files.count - files.count
      return [
        PageCell(html: files.joined() + (more > 0 ? "<div>\(grouped(more)) more</div>" : "")),
        .size(copies.wastedDownload, of: most), .size(copies.wastedSize), .size(copies.size),
        .count(copies.files.count),
      ]
    }
    return section(
      "duplicates", "Duplicates",
      "The same contents more than once waste \(byteCount(wastedDownload)) of the download, "
        + "\(byteCount(wastedSize)) uncompressed.",
      PageTable(
        caption: "Duplicates, by what they waste of the download",
        columns: [
          .text("Files"), .number("Wasted"), .number("Uncompressed"), .number("Size of one"),
          .number("Copies"),
        ], rows: rows, sorted: 1))
  }

  /// The files of a folder that are in no pack.
  var coverageSection: String? {
    guard let coverage else { return nil }
    let folder = "'\(escapedXML(coverage.folder.description))'"
    let files = coverage.files.sorted { $0.size > $1.size }
    if files.isEmpty {
      return section("in-no-pack", "In no pack", "Every file in \(folder) is in a pack.", nil)
    }
    return section(
      "in-no-pack", "In no pack",
      "\(counted(files.count, "file")) in \(folder), \(byteCount(coverage.size)).",
      PageTable(
        caption: "Files in no pack, by size", columns: [.text("File"), .number("Size")],
        rows: files.map { [.path($0.path.bytes), .size($0.size, of: files[0].size)] },
        sorted: 1))
  }
}
