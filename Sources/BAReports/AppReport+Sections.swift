import BAPackCore

extension AppReport {
  /// What should be seen first: warnings, and what old builds would miss.
  var alerts: [Section] {
    let sections = findingSections { $0 }
    return !losses.hasErrors && findings.hasErrors ? sections.reversed() : sections
  }

  /// The other sections.
  func sections(_ facts: PageFacts, hasPacks: Bool = true) -> [Section] {
    [
      hasPacks ? packSection : nil, playerSection, changeSection, changedFileSection,
      fileSection(facts), duplicateSection, coverageSection,
    ].compactMap(\.self) + findingSections { !$0 }
  }

  private func findingSections(_ isWanted: (_ isUrgent: Bool) -> Bool) -> [Section] {
    [
      (
        "losses", "Old builds",
        "Builds that people have read the new packs, too, and would miss this.", losses
      ),
      (
        "findings", "Findings",
        "About the manifests and the files they select, apart from duplicates and what Git tracks.",
        findings
      ),
    ].filter { !$3.isEmpty && isWanted($3.contains { $0.severity != .note }) }.map(section)
  }

  private func section(
    _ id: String, _ title: String, _ text: Words, _ findings: [Finding]
  ) -> Section {
    Section(
      id: id, title: title, text: text,
      table: Table(
        title,
        [.error, .warning, .note].flatMap { severity in
          findings.filter { $0.severity == severity }
        }, isBrief: true,
        [
          .text("Finding") { finding in
            Cell(["\(any: finding.message)"] + finding.notes.map { "\(any: $0.message)" })
          },
          .text("Severity") { .words("\($0.severity)") },
          .text("Rule") { .text($0.rule.id) },
          .text("Where") {
            $0.location.map {
              .text("\(printable($0.source.name)):\($0.start.line):\($0.start.column)")
            } ?? .text("")
          },
        ]))
  }

  /// Whether there is one player, who has all packs.
  var isOfOnePlayer: Bool { players.all.count == 1 && players.all[0].packs.count == packs.count }

  /// The packs, the largest first, with their download times.
  var packSection: Section {
    let total = packs.downloadSize
    let largest = packs.map(\.downloadSize).max()
    // One player doesn't have all packs if some are localized.
    let hasAll = packs.count > 1 && isOfOnePlayer
    func foot(_ cell: Cell) -> Cell? { hasAll ? cell : nil }
    let slow = rates.filter { rate in
      packs.contains { duration($0.downloadSize, rate) != underOneSecond }
    }
    let table = Table(
      "Packs, by the size of the download",
      packs.sorted { $0.downloadSize > $1.downloadSize }, sorted: 1,
      [
        .text("Pack", foot: foot(.text("All packs"))) { .name($0.name) },
        .number("Download", foot: foot(.size(downloadSize))) {
          .size($0.downloadSize, of: largest)
        },
        .number("Share", foot: foot(.ratio(total, of: total))) {
          .ratio($0.downloadSize, of: total)
        },
        .number("Size", foot: foot(.size(size))) { .size($0.size) },
        .number("Ratio", foot: foot(.ratio(downloadSize, of: size))) {
          .ratio($0.downloadSize, of: $0.size)
        },
        .number("Files", foot: foot(.count(fileCount))) { .count($0.storedFiles.count) },
      ] + times(slow, foot: hasAll ? downloadSize : nil) { $0.downloadSize } + [
        .text("Policy", isFact: true) { .text($0.manifest?.downloadPolicy.text ?? "") },
        .text("Platforms", isFact: true) { .text($0.manifest?.platformNames ?? "") },
        .text("Language", isFact: true) {
          $0.manifest?.language.map { .words("\(language: $0)") } ?? .text("")
        },
        .number("Budget", isFact: true) { pack in
          guard let limit = pack.manifest.flatMap(sizeBudgets.limit) else { return .text("") }
          let text = (percentage(pack.size, of: limit) ?? "over") + " of " + byteCount(limit)
          return .value(text, pack.size, of: limit, isBad: pack.size > limit)
        },
      ])
    var text: Words =
      installationSize == 0
      ? unknownPolicies == 0
        ? "Installing the app waits for no pack."
        : "As far as is known, installing the app waits for no pack."
      : "Installing the app waits for the packs that are essential on first installation: \(upTo)\(strong: byteCount(installationSize)), \(times(installationSize))."
    if unknownPolicies > 0 {
      text =
        "\(text) It is not known when devices download \(counted(unknownPolicies, "pack")) with a newer policy or event."
    }
    let isOne = packs.count == 1
    for (index, fact) in table.facts.enumerated() {
      let verb =
        switch fact.title {
        case "Policy": isOne ? "has the policy" : "have the policy"
        case "Platforms": isOne ? "is for" : "are for"
        case "Language": isOne ? "is in" : "are in"
        default: isOne ? "takes" : "each take"
        }
      let end =
        fact.title == "Budget" ? " (budget)" : fact.value == "all" ? " platforms" : ""
      text =
        "\(text) \(index > 0 ? "and" : isOne ? "The pack" : "All packs") \(verb) \(fact.value)\(end)"
    }
    return Section(
      id: "packs", title: "Packs", text: table.facts.isEmpty ? text : "\(text).", table: table)
  }

  private func times<Row>(
    _ rates: [Int], foot: UInt64? = nil, _ size: @escaping (Row) -> UInt64
  ) -> [Column<Row>] {
    rates.map { rate in
      .number(
        "At \(grouped(rate)) Mbit/s",
        foot: foot.map { .value(duration($0, rate), $0) }
      ) { .value(duration(size($0), rate), size($0)) }
    }
  }

  /// What players have, unless all have the same packs.
  private var playerSection: Section? {
    guard players.all.count > 1 || !players.resolved.isEmpty else { return nil }
    let isLocalized = packs.contains { $0.manifest?.language != nil }
    let inferred: Words =
      players.resolved.first { !$0.isCertain }.map {
        " \(quoted: $0.tag.utf8) is taken for \(quoted: $0.wanted.utf8); Apple doesn't document it."
      } ?? ""
    let text: Words =
      isLocalized
      ? """
      By default, one player has the packs without a language and those in one language, which the \
      system chooses once for all packs; players of other languages have the primary one. Devices \
      before OS 27 have only packs without a language.\(inferred)
      """ : "Platforms have different packs."
    let hasPlatforms = players.all.contains { !$0.platforms.isEmpty }
    let columns: [Column<(player: Players.Player, lacks: [Players.Lack], packs: [PackIndex])>] = [
      .text("Language") { row in
        row.player.language.map { .words("\(language: $0)") }
          ?? .text(!isLocalized ? "" : players.resolved.isEmpty ? "before OS 27" : "none")
      },
      .text("Platforms") { row in
        .text(hasPlatforms && row.player.platforms.isEmpty ? "all" : row.player.platforms.shown)
      },
      .number("Download") { .size($0.packs.downloadSize, of: downloadSize) },
      .number("Installation") { .size($0.packs.installationSize) },
      .number("Packs") { .count($0.packs.count) },
      .number("Files") { .count($0.packs.fileCount) },
      .number("Size") { .size($0.packs.size) },
      .text("Lacks") { row in
        Cell(
          row.lacks.map { lack in
            let more = lack.more > 0 ? " and \(grouped(lack.more)) more" : ""
            return "\(any: lack.contents): +\(byteCount(lack.size)) with \(name: lack.name)\(more)"
          })
      },
    ]
    return Section(
      id: "players", title: "Players", text: text,
      table: Table(
        "What one player has",
        zip(players.all, lacks).map { (player: $0, lacks: $1, packs: packs[$0]) },
        columns + times(rates) { $0.packs.downloadSize }))
  }

  private var changeSection: Section? {
    guard let changes else { return nil }
    let changed = changes.filter { !$0.isEmpty }.sorted { $0.downloadSize > $1.downloadSize }
    if changed.isEmpty {
      return Section(
        id: "changes", title: "Changes", text: "Nothing changed: players download nothing.")
    }
    let same = changes.count - changed.count
    return Section(
      id: "changes", title: "Changes",
      text: """
        Players who have the old packs download \(upTo)\(strong: byteCount(updateSize)), since \
        devices load a changed pack as a whole.\
        \(same == 0 ? "" : " \(counted(same, "pack")) did not change.")
        """,
      table: Table(
        "Packs that changed, by what players download", changed, sorted: 1,
        [
          .text("Pack") { .name($0.name) },
          .number("Players download") { .size($0.downloadSize, of: changed[0].downloadSize) },
          .number("Before") { .size($0.old?.downloadSize) },
          .number("Now") { .size($0.new?.downloadSize) },
          .number("Difference") { pack in
            let growth =
              Int64(clamping: pack.new?.downloadSize ?? 0)
              - Int64(clamping: pack.old?.downloadSize ?? 0)
            let sign = growth > 0 ? "+" : growth < 0 ? "\u{2212}" : ""
            return .value(sign + byteCount(growth.magnitude), "\(growth)")
          },
          .text("Change") { .text($0.kind.rawValue) },
          .text("Files") { .text($0.changedText) },
        ]))
  }

  private var changedFileSection: Section? {
    let files = (changes ?? []).flatMap { pack in pack.changes.map { (pack: pack.name, file: $0) } }
      .map { ($0.pack, $0.file, max($0.file.old?.size ?? 0, $0.file.new?.size ?? 0)) }
      .sorted { $0.2 > $1.2 }
    if files.isEmpty { return nil }
    return Section(
      id: "changed-files", title: "Changed files",
      text: "\(counted(files.count, "file")), with uncompressed sizes.",
      table: Table(
        "Files that changed, by size", files, isBrief: true,
        [
          .text("File") { .path($0.1.path.bytes) },
          .number("Now") { .size($0.1.new?.size, of: files[0].2) },
          .number("Before") { .size($0.1.old?.size) },
          .text("Change") { .text($0.1.kind.rawValue) },
          .text("Pack") { .name($0.0) },
        ]))
  }

  /// The largest files. The script of the page replaces them by those that are searched for.
  private func fileSection(_ facts: PageFacts) -> Section {
    let largest = facts.files.sorted { ($0.share, $0.size) > ($1.share, $1.size) }.prefix(50)
    return Section(
      id: "files", title: "Files",
      text: """
        \(counted(fileCount, "file")), by share of the download. Small files share blocks, which are \
        compressed as a whole: each has the ratio of its block.
        """,
      table: Table(
        "Files, by their share of the download", largest, total: facts.files.count, sorted: 1,
        isBrief: true,
        [
          .text("File") { .path(packs[$0.pack].entries[$0.number].shownPath) },
          .number("Compressed") { .size($0.share, of: largest.first?.share) },
          .number("Size") { .size($0.size) },
          .number("Ratio of its block") { .ratio($0.share, of: $0.size) },
          .text("Type") { .text(PageFacts.titles[$0.type]) },
          .text("Pack") { packs.count > 1 ? .name(packs[$0.pack].name) : .text("") },
        ]))
  }

  /// The contents that occur more than once.
  private var duplicateSection: Section? {
    if duplicates.isEmpty { return nil }
    let most = duplicates.map(\.wastedDownload).max()
    return Section(
      id: "duplicates", title: "Duplicates",
      text: """
        The same contents more than once waste \(byteCount(wastedDownload)) of the download, \
        \(byteCount(wastedSize)) uncompressed.
        """,
      table: Table(
        "Duplicates, by what they waste of the download",
        duplicates.sorted { $0.wastedDownload > $1.wastedDownload }, sorted: 1, isBrief: true,
        [
          .text("Files") { copies in
            let files = copies.files.prefix(5).map { file -> Words in
              let pack = packs[file.pack]
              let path: Words = "\(name: pack.entries[file.number].shownPath)"
              return packs.count == 1 ? path : "\(path) in \(name: pack.name)"
            }
            let more = copies.files.count - files.count
            return Cell(files + (more > 0 ? ["\(grouped(more)) more"] : []))
          },
          .number("Wasted") { .size($0.wastedDownload, of: most) },
          .number("Uncompressed") { .size($0.wastedSize) },
          .number("Size of one") { .size($0.size) },
          .number("Copies") { .count($0.files.count) },
        ]))
  }

  /// The files of a folder that are in no pack.
  private var coverageSection: Section? {
    guard let coverage else { return nil }
    let folder: Words = "\(quoted: coverage.folder.bytes)"
    if coverage.files.isEmpty {
      return Section(
        id: "in-no-pack", title: "In no pack", text: "Every file in \(folder) is in a pack.")
    }
    let groups = coverage.groups.sorted { $0.size > $1.size }
    return Section(
      id: "in-no-pack", title: "In no pack",
      text: "\(counted(coverage.files.count, "file")) in \(folder), \(byteCount(coverage.size)).",
      table: Table(
        "Files in no pack, by size", groups, sorted: 1, isBrief: true,
        [
          .text("Path") { .path($0.path.bytes + ($0.isFolder ? [ASCII.slash] : [])) },
          .number("Size") { .size($0.size, of: groups[0].size) },
          .number("Files") { .count($0.files.count) },
        ]))
  }
}
