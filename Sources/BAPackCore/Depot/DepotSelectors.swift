/// The selectors of a manifest that take the files of a depot.
struct DepotSelectors {
  private(set) var selectors: [Selector] = []
  private(set) var findings: [Finding] = []
  private let plan: DepotPlan
  private let files: DepotFiles
  private let tree: [RelativePath]

  init(_ plan: DepotPlan, _ files: DepotFiles, _ tree: [RelativePath]) {
    self.plan = plan
    self.files = files
    self.tree = tree
    for index in plan.mappings.indices { add(plan.mappings[index], files.taken[index]) }
    for index in plan.exclusions.indices { add(plan.exclusions[index], files.excluded[index]) }
    addReplacements()
  }

  private mutating func add(_ mapping: DepotMapping, _ taken: [RelativePath]) {
    let isSamePlace = mapping.folder == mapping.destination
    switch mapping.names {
    case .one(let file):
      addFile(file, to: mapping.destination.appending(file.name), mapping)
    case .pattern(let pattern) where pattern.matchesAll && mapping.isRecursive:
      addFolder(mapping)
    case .pattern(let pattern) where isSamePlace:
      addPattern(pattern, mapping, taken)
    case .pattern(let pattern):
      addElsewhere(pattern, mapping, taken)
    }
  }

  private mutating func addFile(
    _ source: RelativePath, to destination: RelativePath, _ mapping: DepotMapping
  ) {
    if source == destination {
      put(.file(located(source, mapping)), mapping.location)
    } else {
      put(
        .fileMapping(
          source: located(source, mapping), destination: located(destination, mapping)),
        mapping.location)
    }
  }

  private mutating func addFolder(_ mapping: DepotMapping) {
    if mapping.folder == mapping.destination {
      put(.directory(located(mapping.folder, mapping)), mapping.location)
    } else {
      put(
        .directoryMapping(
          source: located(mapping.folder, mapping),
          destination: located(mapping.destination, mapping)), mapping.location)
    }
  }

  /// Names that stay in their folder: a glob, and another for names with a dot first, which no
  /// wildcard of a manifest matches. What is left is listed.
  private mutating func addPattern(
    _ pattern: DepotWildcard, _ mapping: DepotMapping, _ taken: [RelativePath]
  ) {
    var left = taken
    let name = pattern.globs?.first ?? pattern.bytes
    let folder =
      mapping.folder == .root
      ? [] : DepotWildcard.escaped(mapping.folder.bytes) + [UInt8(ascii: "/")]
    let start = folder + (mapping.isRecursive ? Array("**/".utf8) : [])
    for glob in [start + name] + Self.dotted(name).map({ start + $0 }) {
      let remaining = left.filter { !isMatch(glob, $0) }
      // A pattern that matches nothing is an error of the manifest; the first says that of this one.
      guard remaining.count < left.count || taken.isEmpty && glob == start + name else { continue }
      put(.filePattern(located(glob, mapping)), mapping.location)
      left = remaining
    }
    if !left.isEmpty {
      warnOfList(left, "names and folders that begin with a dot match no pattern", mapping)
      for path in left { addFile(path, to: path, mapping) }
    }
  }

  /// The glob for names with a dot first that `name`, beginning with a wildcard, takes in Steam.
  private static func dotted(_ name: [UInt8]) -> [[UInt8]] {
    let dot = UInt8(ascii: ".")
    return switch name.first {
    case UInt8(ascii: "*"): [[dot] + name]
    case UInt8(ascii: "?"): [[dot] + name.dropFirst()]
    default: []
    }
  }

  /// Names that come into another folder: manifests have no pattern with a destination.
  private mutating func addElsewhere(
    _ pattern: DepotWildcard, _ mapping: DepotMapping, _ taken: [RelativePath]
  ) {
    let below = tree.filter { $0.isInside(mapping.folder) && $0 != mapping.folder }
    if pattern.matchesAll, !below.isEmpty, below.allSatisfy({ $0.parent == mapping.folder }) {
      findings.append(
        Finding(
          .depotReading,
          "the whole folder is taken, which holds no other now: files of a folder below would come "
            + "too, and Steam would leave them", at: mapping.location))
      return addFolder(mapping)
    }
    if taken.isEmpty {
      findings.append(
        Finding(
          .nothingMatched, "no file matches '\(printable(pattern.bytes))' in '\(mapping.folder)'",
          at: mapping.location))
    } else {
      warnOfList(taken, "a manifest has no pattern with a destination", mapping)
      for path in taken {
        addFile(path, to: path.moved(from: mapping.folder, to: mapping.destination), mapping)
      }
    }
  }
}

// MARK: - Exclusions

extension DepotSelectors {
  private mutating func add(_ exclusion: DepotExclusion, _ excluded: [RelativePath]) {
    let pattern = exclusion.pattern
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
    var left = excluded
    for (index, glob) in globs.enumerated() {
      let remaining = left.filter { !isMatch(glob, $0) }
      // One that takes nothing out is a warning of the manifest, which should be there once.
      guard remaining.count < left.count || excluded.isEmpty && index == 0 else { continue }
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
  private mutating func addReplacements() {
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
              + "excluded one by one", at: second.location,
            notes: [Note("the earlier mapping is here", at: first.location)]))
      }
      if done.insert(loser.source).inserted {
        exclude(DepotWildcard.escaped(loser.source.bytes), second.location)
      }
    }
  }

  private mutating func exclude(_ pattern: [UInt8], _ location: SourceLocation) {
    put(.fileExclusion(Located(text(pattern), at: location)), location)
  }
}

// MARK: - Parts

extension DepotSelectors {
  private mutating func put(_ kind: Selector.Kind, _ location: SourceLocation) {
    selectors.append(Selector(kind, at: location))
  }

  private func located(_ path: RelativePath, _ mapping: DepotMapping) -> Located<String> {
    located(path == .root ? Array(".".utf8) : path.bytes, mapping)
  }

  private func located(_ bytes: [UInt8], _ mapping: DepotMapping) -> Located<String> {
    Located(text(bytes), at: mapping.location)
  }

  /// Paths of a script are UTF-8, and so are those of a tree that can be packed.
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func isMatch(_ glob: [UInt8], _ path: RelativePath) -> Bool {
    guard let pattern = RelativePath(glob), let glob = try? Glob(pattern) else { return false }
    return glob.matches(path)
  }

  private mutating func warnOfList(
    _ paths: [RelativePath], _ reason: String, _ mapping: DepotMapping
  ) {
    findings.append(
      Finding(.depotListed, list(paths) + " because " + reason, at: mapping.location))
  }

  private func list(_ paths: [RelativePath]) -> String {
    paths.count == 1
      ? "'\(paths[0])' is listed by its own name"
      : "\(counted(paths.count, "file")) are listed one by one"
  }
}
