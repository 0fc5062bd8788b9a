import BAPackCore

extension AppReport {
  /// The heads of the columns that tell players apart; nil if all have the same packs.
  var playerHeads: [String]? {
    guard players.all.count > 1 || !players.resolved.isEmpty else { return nil }
    return zip(["Language", "Platforms", "Lacks"], playerColumns).compactMap { $1 ? $0 : nil }
  }

  /// Whether the language, the platforms and the lacking packs are shown.
  private var playerColumns: [Bool] {
    [
      packs.contains { $0.manifest?.language != nil },
      players.all.contains { !$0.platforms.isEmpty }, lacks.contains { !$0.isEmpty },
    ]
  }

  /// The cells below ``playerHeads`` for each of the players, with tags and names `quoted`.
  func playerCells(_ quoted: (String) -> String) -> [[String]] {
    let columns = playerColumns
    return zip(players.all, lacks).map { player, lacks in
      let cells = [
        player.language.map(quoted) ?? (players.resolved.isEmpty ? "before OS 27" : "none"),
        player.platforms.isEmpty ? "all" : player.platforms.map(\.rawValue).joined(separator: ", "),
        lacks.map { lack in
          "\(lack.contents): +\(byteCount(lack.size)) with \(quoted(lack.name))"
            + (lack.more > 0 ? " and \(grouped(lack.more)) more" : "")
        }.joined(separator: ", "),
      ]
      return zip(cells, columns).compactMap { $1 ? $0 : nil }
    }
  }

  /// What the table of players means.
  var playersText: String {
    let inferred = players.resolved.first { !$0.isCertain }.map {
      " '\($0.tag)' is taken for '\($0.wanted)'; Apple doesn't document it."
    }
    return packs.contains { $0.manifest?.language != nil }
      ? "By default, one player has the packs without a language and those in one language, which the "
        + "system chooses once for all packs; players of other languages have the primary one. Devices "
        + "before OS 27 have only packs without a language." + (inferred ?? "")
      : "Platforms have different packs."
  }
}
