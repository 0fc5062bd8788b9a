import BAPackCore

/// The selectors of a manifest for the files of a depot.
struct DepotSelectors {
  var selectors: [FileSelector] = []
  var findings: [Finding] = []
  let plan: DepotPlan
  let files: DepotFiles
  /// The files that the selectors match; set after all mappings were converted.
  var taken = DepotSelection()
  private let tree: [RelativePath]

  init(_ plan: DepotPlan, _ files: DepotFiles, _ tree: [RelativePath]) {
    self.plan = plan
    self.files = files
    self.tree = tree
    for index in plan.mappings.indices { add(plan.mappings[index], files.taken[index]) }
    taken = DepotSelection(selectors)
    for index in plan.exclusions.indices { add(plan.exclusions[index], files.excluded[index]) }
    addReplacements()
  }

  private mutating func add(_ mapping: DepotMapping, _ taken: [RelativePath]) {
    let isSamePlace = mapping.folder == mapping.destination
    switch mapping.names {
    case .one(let file):
      addFile(file, to: mapping.destination.appending(file.name), mapping)
    case .pattern(let pattern) where pattern.matchesAll && mapping.isRecursive:
      addFolder(mapping, taken)
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

  private mutating func addFolder(_ mapping: DepotMapping, _ taken: [RelativePath]) {
    let entries = mapping.destination == .root ? entries(of: mapping, taken) : []
    if !entries.isEmpty {
      addEntries(entries, mapping)
    } else if mapping.folder == mapping.destination {
      put(.directory(located(mapping.folder, mapping)), mapping.location)
    } else {
      put(
        .directoryMapping(
          source: located(mapping.folder, mapping),
          destination: located(mapping.destination, mapping)), mapping.location)
    }
  }

  /// The files and folders in the mapping's folder that the depot's files come from, in order.
  private func entries(
    of mapping: DepotMapping, _ taken: [RelativePath]
  ) -> [(path: RelativePath, isFolder: Bool)] {
    var entries: [(path: RelativePath, isFolder: Bool)] = []
    for path in taken {
      guard files.files[path.moved(from: mapping.folder, to: .root)]?.source == path else {
        continue
      }
      let start = mapping.folder == .root ? 0 : mapping.folder.bytes.count + 1
      let name = path.bytes[start...].prefix { $0 != ASCII.slash }
      let entry = RelativePath(unchecked: Array(path.bytes[..<name.endIndex]))
      if entries.last?.path != entry { entries.append((entry, entry != path)) }
    }
    return entries
  }

  /// A folder mapped to the top of the pack, entry by entry: Apple's tool can't map a whole folder
  /// to the top.
  private mutating func addEntries(
    _ entries: [(path: RelativePath, isFolder: Bool)], _ mapping: DepotMapping
  ) {
    findings.append(
      Finding(
        .depotListed,
        "the files and folders at the top are named one by one (\(entries.count)), because Apple's "
          + "tool fails on \(mapping.folder == .root ? "'directory'" : "'directoryDestination'") '.'",
        at: mapping.location))
    for (path, isFolder) in entries {
      let destination = path.moved(from: mapping.folder, to: .root)
      switch (isFolder, path == destination) {
      case (true, true):
        put(.directory(located(path, mapping)), mapping.location)
      case (true, false):
        put(
          .directoryMapping(
            source: located(path, mapping), destination: located(destination, mapping)),
          mapping.location)
      case (false, _):
        addFile(path, to: destination, mapping)
      }
    }
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
    for glob in [start + name] + Self.dotted(name).map({ start + $0 }) {
      let remaining = left.filter { !isMatch(glob, $0) }
      // A pattern that matches nothing is an error in the manifest; only the first pattern reports
      // it.
      guard remaining.count < left.count || taken.isEmpty && glob == start + name else { continue }
      put(.filePattern(located(glob, mapping)), mapping.location)
      left = remaining
    }
    if !left.isEmpty {
      warnOfList(left, "patterns don't match names and folders with a leading dot", mapping)
      for path in left { addFile(path, to: path, mapping) }
    }
  }

  /// Patterns for the names with a leading dot that `name`, which begins with a wildcard, matches
  /// in Steam.
  private static func dotted(_ name: [UInt8]) -> [[UInt8]] {
    let dot = ASCII.dot
    return switch name.first {
    case UInt8(ascii: "*"): [[dot] + name]
    case UInt8(ascii: "?"): [[dot] + name.dropFirst()]
    default: []
    }
  }

  /// Files that move to another folder: manifests have no pattern with a destination.
  private mutating func addElsewhere(
    _ pattern: DepotWildcard, _ mapping: DepotMapping, _ taken: [RelativePath]
  ) {
    let below = tree.filter { $0.isInside(mapping.folder) && $0 != mapping.folder }
    if pattern.matchesAll, mapping.destination != .root, !below.isEmpty,
      below.allSatisfy({ $0.parent == mapping.folder })
    {
      findings.append(
        Finding(
          .depotReading,
          "the whole folder is selected, which has no other files now; files added to folders in it "
            + "would be included, but not by Steam", at: mapping.location))
      return addFolder(mapping, taken)
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

// MARK: - Parts

extension DepotSelectors {
  mutating func put(_ kind: FileSelector.Kind, _ location: SourceLocation) {
    selectors.append(FileSelector(kind, at: location))
  }

  func located(_ path: RelativePath, _ mapping: DepotMapping) -> Located<String> {
    located(path == .root ? Array(".".utf8) : path.bytes, mapping)
  }

  func located(_ bytes: [UInt8], _ mapping: DepotMapping) -> Located<String> {
    Located(text(bytes), at: mapping.location)
  }

  /// Paths in a script are UTF-8, and so are those of files that can be packaged.
  func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  func isMatch(_ glob: [UInt8], _ path: RelativePath) -> Bool {
    guard let pattern = RelativePath(glob), let glob = try? Glob(pattern) else { return false }
    return glob.matches(path)
  }

  mutating func warnOfList(
    _ paths: [RelativePath], _ reason: String, _ mapping: DepotMapping
  ) {
    findings.append(
      Finding(.depotListed, list(paths) + " because " + reason, at: mapping.location))
  }

  func list(_ paths: [RelativePath]) -> String {
    paths.count == 1
      ? "'\(paths[0])' is listed by name"
      : "\(counted(paths.count, "file")) are listed by name"
  }
}
