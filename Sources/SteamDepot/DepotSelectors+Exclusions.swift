import BAPackCore

extension DepotSelectors {
  mutating func add(_ exclusion: DepotExclusion, _ excluded: [RelativePath]) {
    let pattern = exclusion.pattern
    // What lies in an entry of the top that is not named needs no exclusion.
    if !excluded.isEmpty, !excluded.contains(where: taken.contains), pattern.beginsWithName {
      return
    }
    guard DepotWildcard.isPattern(pattern.bytes) else {
      // A folder can be named as it is only; should that read as a pattern for more, it is found out.
      let path = exclusion.isFolder ? pattern.bytes : DepotWildcard.escaped(pattern.bytes)
      return exclude(path, exclusion.location)
    }
    guard let globs = pattern.globs else {
      findings.append(
        Finding(
          .depotPath,
          "'\(printable(pattern.bytes))' has more '*' than a manifest's patterns can follow",
          at: exclusion.location, notes: [Note("write several exclusions with fewer of them")]))
      return
    }
    var left = excluded.filter(taken.contains)
    let isUnused = left.isEmpty
    for (index, glob) in globs.enumerated() {
      let remaining = left.filter { !isMatch(glob, $0) }
      // One that takes nothing out is a warning of the manifest, which should be there once.
      guard remaining.count < left.count || isUnused && index == 0 else { continue }
      exclude(glob, exclusion.location)
      left = remaining
    }
    if !left.isEmpty {
      findings.append(
        Finding(
          .depotListed, list(left) + " because names that begin with a dot match no pattern",
          at: exclusion.location))
      for path in left { exclude(DepotWildcard.escaped(path.bytes), exclusion.location) }
    }
  }

  /// A file that a later mapping replaces must not be taken; so its source is excluded, which is
  /// right only while nothing else takes it.
  mutating func addReplacements() {
    var done: Set<RelativePath> = []
    let winners = Set(files.files.values.map(\.source))
    var isFirst = true
    for (loser, destination) in files.replaced {
      guard let winner = files.files[destination] else { continue }
      let (first, second) = (plan.mappings[loser.mapping], plan.mappings[winner.mapping])
      if winners.contains(loser.source) {
        findings.append(
          Finding(
            .depotPath,
            "'\(winner.source)' would replace '\(loser.source)' at '\(destination)', which also "
              + "comes to another place: a manifest can't say that", at: second.location,
            notes: [Note("the other mapping is here", at: first.location)]))
        continue
      }
      if isFirst {
        isFirst = false
        findings.append(
          Finding(
            .depotReading,
            "'\(winner.source)' replaces '\(loser.source)' at '\(destination)': of two mappings the "
              + "later one counts, and \(counted(files.replaced.count, "file")) of the earlier are "
              + "left out", at: second.location,
            notes: [Note("the earlier mapping is here", at: first.location)]))
      }
      if taken.contains(loser.source), done.insert(loser.source).inserted {
        exclude(DepotWildcard.escaped(loser.source.bytes), second.location)
      }
    }
  }

  private mutating func exclude(_ pattern: [UInt8], _ location: SourceLocation) {
    put(.fileExclusion(Located(text(pattern), at: location)), location)
  }
}
