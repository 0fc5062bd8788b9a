import BAPackCore

/// The mappings and exclusions of a script, resolved against the content root's files, with
/// findings.
struct DepotPlan {
  private(set) var mappings: [DepotMapping] = []
  private(set) var exclusions: [DepotExclusion] = []
  private(set) var findings: [Finding] = []
  /// The forms of the content root that absolute paths may begin with.
  private let contentRoots: [DepotPath]
  private let tree: [RelativePath]

  /// A plan for the files in `tree` of the content root at `folder`. Fails if the root doesn't
  /// exist.
  init(
    _ script: DepotScript, _ tree: [RelativePath], in folder: BytePath
  ) throws(SystemError) {
    let written = [script.contentRoot?.value, folder.bytes, try folder.resolved().bytes]
    contentRoots = written.compactMap { $0.map(DepotPath.init) }
    self.tree = tree
    for mapping in script.mappings { add(mapping) }
    for exclusion in script.exclusions { add(exclusion) }
  }

  private mutating func add(_ written: DepotScript.FileMapping) {
    let location = written.localPath.location
    let destination = destination(written.depotPath)
    guard let parts = localParts(written.localPath), let destination else { return }
    let path = DepotPath(written.localPath.value)
    guard let last = parts.last, !path.isFolder, !isFolder(parts) else {
      let shown = printable(written.localPath.value)
      return report(
        .depotPath, "'\(shown)' is a folder, but a mapping needs a file, or names with '*' and '?'",
        location, note: "write '\((parts + [Array("*".utf8)]).shown)' with \"Recursive\" \"1\"")
    }
    if let wild = parts.dropLast().first(where: DepotWildcard.isPattern) {
      return report(
        .depotPath, "'\(printable(wild))' has a wildcard in the name of a folder", location,
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
    let shown = printable(written.value)
    switch path.anchor {
    case .windows:
      report(
        .depotPath, "'\(shown)' is an absolute path", written.location,
        note: "'DepotPath' is a folder in the depot; use '.' for its top")
      return nil
    case .top, .relative:
      if path.climbs > 0 {
        report(.depotPath, "'\(shown)' is outside the depot", written.location)
        return nil
      }
      if path.parts.contains(where: DepotWildcard.isPattern) {
        report(
          .depotPath, "'\(shown)' has a wildcard, but 'DepotPath' is the name of a folder",
          written.location)
        return nil
      }
      return RelativePath(joining: path.parts)
    }
  }

  private mutating func add(_ written: Located<[UInt8]>) {
    guard let parts = localParts(written) else { return }
    let path = DepotPath(written.value)
    let joined = RelativePath(joining: parts)
    let isPattern = DepotWildcard.isPattern(joined.bytes)
    let isFolder = !isPattern && (path.isFolder || self.isFolder(parts))
    if joined == .root {
      return report(
        .depotPath, "'\(printable(written.value))' excludes the whole content root",
        written.location)
    }
    let bytes = isPattern && path.isFolder ? joined.bytes + "/*".utf8 : joined.bytes
    exclusions.append(
      DepotExclusion(
        pattern: DepotWildcard(bytes, crossesFolders: true), isFolder: isFolder,
        location: written.location))
  }

  private mutating func localParts(_ written: Located<[UInt8]>) -> [[UInt8]]? {
    let path = DepotPath(written.value)
    let shown = printable(written.value)
    if written.value.isEmpty {
      report(.depotPath, "the path is empty", written.location)
      return nil
    }
    if path.anchor != .relative {
      for root in contentRoots {
        if let parts = path.parts(below: root) { return parts }
      }
      report(
        .depotPath, "'\(shown)' is an absolute path that is not below the content root",
        written.location, note: "give the content root as it is on this machine")
      return nil
    }
    if path.climbs > 0 {
      report(
        .depotPath, "'\(shown)' is outside the content root", written.location,
        note: "a manifest selects files in one folder only, 'ContentRoot'")
      return nil
    }
    return path.parts
  }

  private func isFolder(_ parts: [[UInt8]]) -> Bool {
    let path = RelativePath(joining: parts)
    return tree.contains { $0 != path && $0.isInside(path) }
  }

  private mutating func report(
    _ rule: Rule, _ message: String, _ location: SourceLocation, note: String? = nil
  ) {
    findings.append(
      Finding(rule, message, at: location, notes: note.map { [Note($0)] } ?? []))
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
          + "the file is mapped to '\((depotPath.parts + [name]).shown)'",
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
    findings.append(Finding(.depotReading, message, at: location))
  }
}

private func fileExtension(_ name: [UInt8]) -> ArraySlice<UInt8>? {
  name.lastIndex(of: ASCII.dot).map { name[($0 + 1)...] }
}

extension [[UInt8]] {
  /// The components joined with slashes, escaped for display.
  fileprivate var shown: String { RelativePath(joining: self).description }
}

extension RelativePath {
  /// The path with these components, none of which may be empty, `.` or `..`, or contain `/` or
  /// NUL.
  init(joining parts: some Sequence<[UInt8]>) {
    self.init(unchecked: Array(parts.joined(separator: [ASCII.slash])))
  }
}
