import BAPackCore

/// A `FileMapping` with its paths resolved.
struct DepotMapping {
  let folder: RelativePath
  let names: Names
  /// Their folder in the depot.
  let destination: RelativePath
  let isRecursive: Bool
  /// The location of `LocalPath`.
  let location: SourceLocation

  enum Names {
    /// A single file, by its path in the content root.
    case one(RelativePath)
    case pattern(DepotWildcard)
  }

  func destination(of path: RelativePath, ignoringCase: Bool = false) -> RelativePath? {
    switch names {
    case .one(let file):
      guard file.bytes.count == path.bytes.count,
        file == path
          || ignoringCase && file.bytes.map(ASCII.lowercased) == path.bytes.map(ASCII.lowercased)
      else { return nil }
      return destination.appending(file.name)
    case .pattern(let pattern):
      guard path.isInside(folder), path != folder,
        isRecursive || path.parent == folder,
        pattern.matches(path.name, ignoringCase: ignoringCase)
      else { return nil }
      return path.moved(from: folder, to: destination)
    }
  }
}

/// A `FileExclusion` with its path resolved.
struct DepotExclusion {
  /// The pattern for whole paths.
  let pattern: DepotWildcard
  /// Whether it names a folder, without wildcards.
  let isFolder: Bool
  let location: SourceLocation

  /// Whether the file at `path` or a folder that it is in is excluded.
  func matches(_ path: RelativePath) -> Bool {
    pattern.matches(path.bytes)
      || path.bytes.indices.contains {
        path.bytes[$0] == ASCII.slash && pattern.matches(path.bytes[..<$0])
      }
  }
}

/// What Steam would build from a content root: the mappings and exclusions of a script, and each file
/// of the depot with its source, according to the SteamPipe documentation. The conversion is checked
/// against this.
struct DepotPlan {
  struct File {
    let source: RelativePath
    let mapping: Int
  }

  private(set) var mappings: [DepotMapping] = []
  private(set) var exclusions: [DepotExclusion] = []
  private(set) var findings: [Finding] = []
  /// All files of the content root.
  let tree: [RelativePath]
  /// The files of the depot, by destination.
  private(set) var files: [RelativePath: File] = [:]
  /// The files that each mapping matches, even if a later one replaces them.
  private(set) var taken: [[RelativePath]] = []
  /// The files that each exclusion removes from a mapping.
  private(set) var excluded: [[RelativePath]] = []
  /// Files that a later mapping replaces: the replaced file, and the destination.
  private(set) var replaced: [(loser: File, destination: RelativePath)] = []
  /// The forms of the content root that absolute paths may begin with.
  private let contentRoots: [DepotPath]

  /// A plan for the files in `tree` of the content root at `folder`. Fails if the root doesn't
  /// exist.
  init(_ script: DepotScript, _ tree: [RelativePath], in folder: BytePath) throws {
    let written = [script.contentRoot?.value, folder.bytes, try folder.resolved().bytes]
    contentRoots = written.compactMap { $0.map(DepotPath.init) }
    self.tree = tree
    for mapping in script.mappings { add(mapping) }
    for exclusion in script.exclusions { add(exclusion) }
    taken = Array(repeating: [], count: mappings.count)
    excluded = Array(repeating: [], count: exclusions.count)
    for path in tree { add(path) }
  }

  private mutating func add(_ path: RelativePath) {
    let excluding = exclusions.indices.filter { exclusions[$0].matches(path) }
    for (index, mapping) in mappings.enumerated() {
      guard let destination = mapping.destination(of: path) else { continue }
      if excluding.isEmpty {
        taken[index].append(path)
        put(File(source: path, mapping: index), at: destination)
      } else {
        for exclusion in excluding where excluded[exclusion].last != path {
          excluded[exclusion].append(path)
        }
      }
    }
  }

  /// The later of two mappings wins.
  private mutating func put(_ file: File, at destination: RelativePath) {
    guard let old = files[destination], old.source != file.source else {
      files[destination] = file
      return
    }
    let (loser, winner) = old.mapping <= file.mapping ? (old, file) : (file, old)
    replaced.append((loser, destination))
    files[destination] = winner
  }

  private mutating func add(_ written: DepotScript.FileMapping) {
    let location = written.localPath.location
    let destination = destination(written.depotPath)
    guard let parts = localParts(written.localPath), let destination else { return }
    let path = DepotPath(written.localPath.value)
    guard let last = parts.last, !path.isFolder, !isFolder(parts) else {
      let all = RelativePath(joining: parts + [Array("*".utf8)])
      return report(
        written.localPath, "is a folder, but a mapping needs a file, or names with '*' and '?'",
        note: "write '\(all)' with \"Recursive\" \"1\"")
    }
    if let wild = parts.dropLast().first(where: DepotWildcard.isPattern) {
      return report(
        Located(wild, at: location), "has a wildcard in the name of a folder",
        note:
          "wildcards are documented for the last component only; write a mapping for each folder")
    }
    let isPattern = DepotWildcard.isPattern(last)
    mappings.append(
      DepotMapping(
        folder: RelativePath(joining: parts.dropLast()),
        names: isPattern
          ? .pattern(DepotWildcard(last, crossesFolders: false))
          : .one(RelativePath(joining: parts)),
        destination: destination, isRecursive: written.isRecursive && isPattern,
        location: location))
    warnOfOtherReadings(written, last, isPattern)
  }

  private mutating func destination(_ written: Located<[UInt8]>) -> RelativePath? {
    let path = DepotPath(written.value)
    if case .windows = path.anchor {
      report(
        written, "is an absolute path",
        note: "'DepotPath' is a folder in the depot; use '.' for its top")
    } else if path.climbs > 0 {
      report(written, "is outside the depot")
    } else if path.parts.contains(where: DepotWildcard.isPattern) {
      report(written, "has a wildcard, but 'DepotPath' is the name of a folder")
    } else {
      return RelativePath(joining: path.parts)
    }
    return nil
  }

  private mutating func add(_ written: Located<[UInt8]>) {
    guard let parts = localParts(written) else { return }
    let path = DepotPath(written.value)
    let joined = RelativePath(joining: parts)
    let isPattern = DepotWildcard.isPattern(joined.bytes)
    let isFolder = !isPattern && (path.isFolder || self.isFolder(parts))
    if joined == .root { return report(written, "excludes the whole content root") }
    let bytes = isPattern && path.isFolder ? joined.bytes + "/*".utf8 : joined.bytes
    exclusions.append(
      DepotExclusion(
        pattern: DepotWildcard(bytes, crossesFolders: true), isFolder: isFolder,
        location: written.location))
  }

  private mutating func localParts(_ written: Located<[UInt8]>) -> [[UInt8]]? {
    let path = DepotPath(written.value)
    if written.value.isEmpty {
      findings.report(.depotPath, "the path is empty", at: written.location)
    } else if path.anchor != .relative {
      let below = contentRoots.lazy.compactMap { path.parts(below: $0) }
      if let parts = below.first { return parts }
      report(
        written, "is an absolute path that is not below the content root",
        note: "give the content root as it is on this machine")
    } else if path.climbs > 0 {
      report(
        written, "is outside the content root",
        note: "a manifest selects files in one folder only, 'ContentRoot'")
    } else {
      return path.parts
    }
    return nil
  }

  private func isFolder(_ parts: [[UInt8]]) -> Bool {
    let path = RelativePath(joining: parts)
    return tree.contains { $0 != path && $0.isInside(path) }
  }

  private mutating func report(
    _ path: Located<[UInt8]>, _ problem: String, note: String? = nil
  ) {
    findings.report(
      .depotPath, "'\(printable(path.value))' \(problem)", at: path.location,
      notes: [note.map { Note($0) }])
  }
}

// MARK: - What Steam's documentation leaves open

extension DepotPlan {
  private mutating func warnOfOtherReadings(
    _ written: DepotScript.FileMapping, _ name: [UInt8], _ isPattern: Bool
  ) {
    let depotPath = DepotPath(written.depotPath.value)
    if !isPattern, !depotPath.isFolder, let last = depotPath.parts.last,
      last == name || fileExtension(last) != nil && fileExtension(last) == fileExtension(name)
    {
      warn(
        "'\(printable(written.depotPath.value))' is read as a folder, as 'DepotPath' is documented: "
          + "the file is mapped to '\(RelativePath(joining: depotPath.parts + [name]))'",
        written.depotPath.location)
    }
    if name.elementsEqual("*.*".utf8) {
      warn(
        "'*.*' is read as names with a dot; write '*' for all names",
        written.localPath.location)
    }
    guard let mapping = mappings.last else { return }
    let others = tree.filter { path in
      mapping.destination(of: path) == nil
        && mapping.destination(of: path, ignoringCase: true) != nil
    }
    if let first = others.first {
      let rest = others.count > 1 ? " and \(counted(others.count - 1, "more file"))" : ""
      warn(
        "'\(first)'\(rest) would match if case is ignored, as on Windows, but is not included",
        written.localPath.location)
    }
  }

  private mutating func warn(_ message: String, _ location: SourceLocation) {
    findings.report(.depotReading, message, at: location)
  }
}

private func fileExtension(_ name: [UInt8]) -> ArraySlice<UInt8>? {
  name.lastIndex(of: ASCII.dot).map { name[$0...] }
}

extension RelativePath {
  /// The path with these components, none of which may be empty, `.` or `..`, or contain `/` or
  /// NUL.
  init(joining parts: some Sequence<[UInt8]>) {
    self.init(unchecked: Array(parts.joined(separator: [ASCII.slash])))
  }
}
