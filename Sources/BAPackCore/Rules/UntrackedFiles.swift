/// Files that the Git repository around a source root does not track.
struct UntrackedFiles {
  /// The files that Git tracks below each root, as absolute paths without links; nil outside a
  /// repository, and if Git isn't installed.
  private var indices: [BytePath: Set<BytePath>?] = [:]

  /// A finding for each selector that matches untracked files, or one if they can't be determined.
  mutating func findings(_ pack: CheckedPack, _ scope: RuleSettings.Scope) -> [Finding] {
    guard let selection = pack.selection, scope.level(of: .untrackedFile) != .off else { return [] }
    let (tracked, paths): (Set<BytePath>, [BytePath?])
    do throws(SystemError) {
      guard let files = try files(trackedBelow: selection.root) else { return [] }
      (tracked, paths) = (files, try selection.resolvedSources())
    } catch {
      // A missing root has been reported.
      if error.code == .noSuchFile { return [] }
      let location = SourceLocation(pack.manifest.source, 0..<0)
      // An error of Git isn't fatal here.
      let rule: Rule = error.operation == .runGit ? .untrackedFile : .unreadableFile
      return [Finding(rule, "\(error)", at: location)]
    }
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

  private mutating func files(
    trackedBelow root: BytePath
  ) throws(SystemError) -> Set<BytePath>? {
    let root = try root.resolved()
    if let known = indices[root] { return known }
    // From the top, since links may point to files outside the root.
    let top = try root.repositoryTop() ?? root
    let index = try top.gitFiles(["--recurse-submodules"]).map { files in
      Set(files.map { top.appending($0) })
    }
    indices[root] = .some(index)
    return index
  }
}
