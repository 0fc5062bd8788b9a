/// Files that the Git repository around a source root does not track.
struct UntrackedFiles {
  /// What Git tracks below each root, by absolute paths without links; nil outside of repositories.
  private var indices: [BytePath: Set<BytePath>?] = [:]

  /// A finding for each selector that takes such files.
  mutating func findings(_ pack: CheckedPack, _ scope: RuleSettings.Scope) -> [Finding] {
    guard let selection = pack.selection, scope.level(of: .untrackedFile) != .off,
      let tracked = tracked(below: selection.root),
      let paths = try? selection.resolvedSources()
    else { return [] }
    var found = FileGroups<Bool>()
    for (file, path) in zip(selection.files, paths)
    where path.map({ !tracked.contains($0) }) ?? false
      && !scope.isOff(.untrackedFile, about: file.source)
    {
      found.add(file, true)
    }
    return found.groups.map { group in
      let first = group.files[0].source
      return Finding(
        .untrackedFile,
        group.files.count == 1
          ? "'\(first)' is not tracked by Git"
          : "'\(first)' and \(counted(group.files.count - 1, "more file")) are not tracked by Git",
        at: pack.manifest.selectors[group.selector].location,
        notes: group.notesOnOthers,
        file: first)
    }
  }

  private mutating func tracked(below root: BytePath) -> Set<BytePath>? {
    guard let root = try? root.resolved() else { return nil }
    if let known = indices[root] { return known }
    let index = Self.index(below: root)
    indices[root] = .some(index)
    return index
  }

  private static func index(below root: BytePath) -> Set<BytePath>? {
    var folder = root
    while (try? FileStatus.following(folder.appending(".git".utf8))) == nil {
      if folder.bytes == [ASCII.slash] { return nil }
      folder = folder.folder
    }
    // From the top, since links may lead to files beside the root.
    guard
      let output = ChildProcess.output(
        of: ["git", "-C"].map { Array($0.utf8) } + [folder.bytes]
          + ["ls-files", "-z", "--recurse-submodules"].map { Array($0.utf8) },
        // Not those that Git sets for hooks, which are about another folder.
        with: ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"])
    else { return nil }
    return Set(output.split(separator: 0).map { folder.appending($0) })
  }
}
