extension Git {
  /// A finding for each selector that matches files that the Git repository around the source root
  /// does not track, or has as executable; or one if that can't be determined.
  func findings(_ pack: CheckedPack, _ scope: RuleSettings.Scope) -> [Finding] {
    let isOff = [Rule.untrackedFile, .lostExecuteBit].allSatisfy { scope.level(of: $0) == .off }
    guard let selection = pack.selection, !isOff else { return [] }
    let (tracked, paths): ([BytePath: Entry], [BytePath?])
    do throws(SystemError) {
      guard let files = try files(trackedBelow: selection.root.resolved()) else { return [] }
      (tracked, paths) = (files, try selection.resolvedSources())
    } catch {
      // A missing root has been reported.
      if error.code == .noSuchFile { return [] }
      // An error of Git isn't fatal here.
      let rule: Rule = error.operation == .runGit ? .untrackedFile : .unreadableFile
      return [Finding(rule, "\(error)", at: SourceLocation(pack.manifest.source, 0..<0))]
    }
    var untracked: [SelectedFile] = []
    var withoutBit: [SelectedFile] = []
    for (file, path) in zip(selection.files, paths) {
      guard let path else { continue }
      switch tracked[path]?.isExecutable {
      case nil: untracked.append(file)
      case true? where !file.isExecutable: withoutBit.append(file)
      case _?: break
      }
    }
    return FileRule.untracked.findings(untracked, pack.manifest, scope)
      + FileRule.lostExecuteBit.findings(withoutBit, pack.manifest, scope)
  }

  /// The files that Git tracks; nil in a folder that it ignores, too.
  private func files(trackedBelow root: BytePath) throws(SystemError) -> [BytePath: Entry]? {
    // From the top, since links may point to files outside the root.
    guard let index = try index(around: root) else { return nil }
    let prefix = root.bytes + [ASCII.slash]
    if !index.keys.contains(where: { $0.bytes.starts(with: prefix) }), try ignores(root) {
      return nil
    }
    return index
  }
}
