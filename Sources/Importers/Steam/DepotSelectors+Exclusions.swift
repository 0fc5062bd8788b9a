import BAPackCore

extension DepotSelectors {
  mutating func add(_ exclusion: DepotExclusion, _ excluded: [RelativePath]) {
    let pattern = exclusion.pattern
    // Files in unselected top-level entries need no exclusion.
    if !excluded.isEmpty, !excluded.contains(where: taken.contains), pattern.beginsWithName {
      return
    }
    guard DepotWildcard.isPattern(pattern.bytes) else {
      // A folder can be excluded only by its literal name; if that is also a pattern, the check
      // below detects it.
      let path = exclusion.isFolder ? pattern.bytes : DepotWildcard.escaped(pattern.bytes)
      return exclude(path, exclusion.location)
    }
    guard let globs = pattern.globs else {
      findings.append(
        Finding(
          .depotPath,
          "'\(printable(pattern.bytes))' has too many '*' for the patterns of a manifest",
          at: exclusion.location, notes: [Note("write several exclusions with fewer '*'")]))
      return
    }
    var left = excluded.filter(taken.contains)
    let isUnused = left.isEmpty
    for (index, glob) in globs.enumerated() {
      let remaining = left.filter { !isMatch(glob, $0) }
      // An exclusion that excludes nothing causes a warning for the manifest; one is enough.
      guard remaining.count < left.count || isUnused && index == 0 else { continue }
      exclude(glob, exclusion.location)
      left = remaining
    }
    if !left.isEmpty {
      findings.append(
        Finding(
          .depotListed, list(left) + " because patterns don't match names with a leading dot",
          at: exclusion.location))
      for path in left { exclude(DepotWildcard.escaped(path.bytes), exclusion.location) }
    }
  }

  /// The source of a file that a later mapping replaces is excluded, which is correct only if no
  /// other mapping uses it.
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
            "'\(winner.source)' replaces '\(loser.source)' at '\(destination)', but the latter also "
              + "has another destination: a manifest can't express that", at: second.location,
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
