import BAPackCore

struct DepotSelectors {
  private(set) var selectors: [FileSelector] = []
  private(set) var findings: [Finding] = []
  private let plan: DepotPlan
  /// What the selectors match, before exclusions.
  private var files: Set<RelativePath> = []
  private var folders: [RelativePath] = []
  private var patterns: [Glob] = []

  init(_ plan: DepotPlan) {
    self.plan = plan
    for (mapping, taken) in zip(plan.mappings, plan.taken) { add(mapping, taken) }
    for (exclusion, excluded) in zip(plan.exclusions, plan.excluded) { add(exclusion, excluded) }
    addReplacements()
  }

  // MARK: Mappings

  private mutating func add(_ mapping: DepotMapping, _ taken: [RelativePath]) {
    switch mapping.names {
    case .one(let file):
      select(file, as: mapping.destination.appending(file.name), isFolder: false, mapping.location)
    case .pattern(let pattern) where pattern.matchesAll && mapping.isRecursive:
      addFolder(mapping, taken)
    case .pattern(let pattern) where mapping.folder == mapping.destination:
      addPattern(pattern, mapping, taken)
    case .pattern(let pattern):
      addElsewhere(pattern, mapping, taken)
    }
  }

  /// A folder. One that is mapped to the top of the pack is selected entry by entry: Apple's tool
  /// can't map a whole folder to the top.
  private mutating func addFolder(_ mapping: DepotMapping, _ taken: [RelativePath]) {
    let entries = mapping.destination == .root ? entries(of: mapping, taken) : []
    if entries.isEmpty {
      return select(mapping.folder, as: mapping.destination, isFolder: true, mapping.location)
    }
    findings.report(
      .depotListed,
      "the files and folders at the top are named one by one (\(entries.count)), because Apple's "
        + "tool fails on \(mapping.folder == .root ? "'directory'" : "'directoryDestination'") '.'",
      at: mapping.location)
    for (path, isFolder) in entries {
      let destination = path.moved(from: mapping.folder, to: .root)
      select(path, as: destination, isFolder: isFolder, mapping.location)
    }
  }

  /// The files and folders in the mapping's folder that the depot's files come from, in order.
  private func entries(
    of mapping: DepotMapping, _ taken: [RelativePath]
  ) -> [(path: RelativePath, isFolder: Bool)] {
    var entries: [(path: RelativePath, isFolder: Bool)] = []
    for path in taken {
      guard plan.files[path.moved(from: mapping.folder, to: .root)]?.source == path else {
        continue
      }
      let start = mapping.folder == .root ? 0 : mapping.folder.bytes.count + 1
      let name = path.bytes[start...].prefix { $0 != ASCII.slash }
      let entry = RelativePath(unchecked: Array(path.bytes[..<name.endIndex]))
      if entries.last?.path != entry { entries.append((entry, entry != path)) }
    }
    return entries
  }

  /// Files that keep their folder: a pattern, and another for names with a leading dot, which
  /// wildcards in a manifest don't match. Remaining files are listed.
  private mutating func addPattern(
    _ pattern: DepotWildcard, _ mapping: DepotMapping, _ taken: [RelativePath]
  ) {
    var left = taken
    let name = pattern.globs?.first ?? pattern.bytes
    let folder =
      mapping.folder == .root
      ? [] : DepotWildcard.escaped(mapping.folder.bytes) + [ASCII.slash]
    let start = folder + (mapping.isRecursive ? Array("**/".utf8) : [])
    for pattern in [start + name] + Self.dotted(name).map({ start + $0 }) {
      let glob = Self.glob(pattern)
      let remaining = left.filter { glob?.matches($0) != true }
      // A pattern that matches nothing is an error in the manifest; only the first pattern reports
      // it.
      guard remaining.count < left.count || taken.isEmpty && pattern == start + name else {
        continue
      }
      add(.filePattern, pattern, mapping.location)
      patterns += [glob].compactMap(\.self)
      left = remaining
    }
    if !left.isEmpty {
      reportList(
        left, "patterns don't match names and folders with a leading dot", mapping.location)
      for path in left { select(path, as: path, isFolder: false, mapping.location) }
    }
  }

  /// Patterns for the names with a leading dot that `name`, which begins with a wildcard, matches
  /// in Steam.
  private static func dotted(_ name: [UInt8]) -> [[UInt8]] {
    switch name.first {
    case UInt8(ascii: "*"): [[ASCII.dot] + name]
    case UInt8(ascii: "?"): [[ASCII.dot] + name.dropFirst()]
    default: []
    }
  }

  /// Files that move to another folder: manifests have no pattern with a destination.
  private mutating func addElsewhere(
    _ pattern: DepotWildcard, _ mapping: DepotMapping, _ taken: [RelativePath]
  ) {
    let below = plan.tree.filter { $0.isInside(mapping.folder) && $0 != mapping.folder }
    if pattern.matchesAll, mapping.destination != .root, !below.isEmpty,
      below.allSatisfy({ $0.parent == mapping.folder })
    {
      findings.report(
        .depotReading,
        "the whole folder is selected, which has no other files now; files added to folders in it "
          + "would be included, but not by Steam", at: mapping.location)
      return addFolder(mapping, taken)
    }
    if taken.isEmpty {
      return findings.report(
        .nothingMatched, "no file matches '\(printable(pattern.bytes))' in '\(mapping.folder)'",
        at: mapping.location)
    }
    reportList(taken, "a manifest has no pattern with a destination", mapping.location)
    for path in taken {
      let destination = path.moved(from: mapping.folder, to: mapping.destination)
      select(path, as: destination, isFolder: false, mapping.location)
    }
  }

  // MARK: Exclusions

  private mutating func add(_ exclusion: DepotExclusion, _ excluded: [RelativePath]) {
    let pattern = exclusion.pattern
    // Files in unselected top-level entries need no exclusion.
    if !excluded.isEmpty, !excluded.contains(where: isSelected), pattern.beginsWithName {
      return
    }
    guard DepotWildcard.isPattern(pattern.bytes) else {
      // A folder can be excluded only by its literal name; if that is also a pattern, the check
      // below detects it.
      let path = exclusion.isFolder ? pattern.bytes : DepotWildcard.escaped(pattern.bytes)
      return exclude(path, exclusion.location)
    }
    guard let globs = pattern.globs else {
      return findings.report(
        .depotPath,
        "'\(printable(pattern.bytes))' has too many '*' for the patterns of a manifest",
        at: exclusion.location, notes: [Note("write several exclusions with fewer '*'")])
    }
    var left = excluded.filter(isSelected)
    let isUnused = left.isEmpty
    for (index, excluding) in (globs + globs.map { $0 + "/**".utf8 }).enumerated() {
      let glob = Self.glob(excluding)
      let remaining = left.filter { glob?.matches($0) != true }
      // An exclusion that excludes nothing causes a warning for the manifest; one is enough.
      guard remaining.count < left.count || isUnused && index == 0 else { continue }
      if index >= globs.count {
        findings.report(
          .depotReading,
          "'\(printable(pattern.bytes))' also names a folder, so '\(left[0])' is left out",
          at: exclusion.location)
      }
      exclude(excluding, exclusion.location)
      left = remaining
    }
    if !left.isEmpty {
      reportList(left, "patterns don't match names with a leading dot", exclusion.location)
      for path in left { exclude(DepotWildcard.escaped(path.bytes), exclusion.location) }
    }
  }

  /// The source of a file that a later mapping replaces is excluded, which is correct only if no
  /// other mapping uses it.
  private mutating func addReplacements() {
    var done: Set<RelativePath> = []
    let winners = Set(plan.files.values.map(\.source))
    var isFirst = true
    for (loser, destination) in plan.replaced {
      guard let winner = plan.files[destination] else { continue }
      let (first, second) = (plan.mappings[loser.mapping], plan.mappings[winner.mapping])
      if winners.contains(loser.source) {
        findings.report(
          .depotPath,
          "'\(winner.source)' replaces '\(loser.source)' at '\(destination)', but the latter also "
            + "has another destination: a manifest can't express that", at: second.location,
          notes: [Note("the other mapping is here", at: first.location)])
        continue
      }
      if isFirst {
        isFirst = false
        findings.report(
          .depotReading,
          "'\(winner.source)' replaces '\(loser.source)' at '\(destination)': of two mappings the "
            + "later one counts, and \(counted(plan.replaced.count, "file")) of the earlier are "
            + "left out", at: second.location,
          notes: [Note("the earlier mapping is here", at: first.location)])
      }
      if isSelected(loser.source), done.insert(loser.source).inserted {
        exclude(DepotWildcard.escaped(loser.source.bytes), second.location)
      }
    }
  }

  private mutating func exclude(_ pattern: [UInt8], _ location: SourceLocation) {
    add(.fileExclusion, pattern, location)
  }

  // MARK: Selectors and findings

  private mutating func select(
    _ source: RelativePath, as destination: RelativePath, isFolder: Bool, _ location: SourceLocation
  ) {
    if isFolder { folders.append(source) } else { files.insert(source) }
    add(
      isFolder ? .directory : .file, source.bytes,
      to: source == destination ? nil : destination.bytes, location)
  }

  private mutating func add(
    _ kind: FileSelector.Kind, _ source: [UInt8], to destination: [UInt8]? = nil,
    _ location: SourceLocation
  ) {
    // Paths in a script are UTF-8, and so are those of files that can be packaged.
    func shown(_ path: [UInt8]) -> Located<String> {
      Located(path.isEmpty ? "." : String(decoding: path, as: UTF8.self), at: location)
    }
    do {
      selectors.append(
        try FileSelector(kind, shown(source), to: destination.map(shown), at: location))
    } catch {
      findings.append(error)
    }
  }

  private static func glob(_ pattern: [UInt8]) -> Glob? {
    RelativePath(pattern).flatMap { try? Glob($0) }
  }

  private func isSelected(_ path: RelativePath) -> Bool {
    files.contains(path) || folders.contains { path.isInside($0) }
      || patterns.contains { $0.matches(path) }
  }

  private mutating func reportList(
    _ paths: [RelativePath], _ reason: String, _ location: SourceLocation
  ) {
    let subject =
      paths.count == 1 ? "'\(paths[0])' is" : "\(counted(paths.count, "file")) are"
    findings.report(
      .depotListed, subject + " listed by name because " + reason, at: location)
  }
}
