extension Git {
  /// A file that Git doesn't track, of the pack with this index.
  private typealias Untracked = (pack: Int, file: SelectedFile)

  /// A finding for each folder, or else selector, with files that the Git repository around the source
  /// root does not track, and for each selector with files that it has as executable; or one for a
  /// pack if that can't be determined.
  func findings(_ packs: [CheckedPack], _ scopes: [RuleSettings.Scope]) -> [Finding] {
    var folders = Groups<BytePath, Untracked>()
    var known: [BytePath: Set<RelativePath>] = [:]
    let others = packs.indices.flatMap { index in
      findings(packs[index], scopes[index], &known) { folders.add((index, $1), $0) }
        .map { finding in
          var finding = finding
          finding.manifests = [index]
          return finding
        }
    }
    return others
      + folders.all.map { folder, files in
        let (pack, file) = files[0]
        return Finding(
          .untrackedFile,
          files.count == 1
            ? "'\(file.source)' is not tracked by Git"
            : "none of the \(grouped(files.count)) selected files in '\(folder)' is tracked by Git",
          at: packs[pack].manifest.location(of: file),
          notes: [Note("add it with 'git add \(folder)'")],
          file: file.source, manifests: files.map(\.pack).unique())
      }
  }

  /// Passes the files in folders in which Git tracks none to `add`, with the outermost one.
  private func findings(
    _ pack: CheckedPack, _ scope: RuleSettings.Scope,
    _ known: inout [BytePath: Set<RelativePath>], _ add: (BytePath, SelectedFile) -> Void
  ) -> [Finding] {
    let isOff = [Rule.untrackedFile, .lostExecuteBit].allSatisfy { scope.level(of: $0) == .off }
    guard let selection = pack.selection, !isOff else { return [] }
    let (tracked, paths): ([BytePath: Entry], [BytePath?])
    let root: BytePath
    do throws(SystemError) {
      root = try selection.root.resolved()
      guard let files = try files(trackedBelow: root) else { return [] }
      (tracked, paths) = (files, try selection.resolvedSources())
    } catch {
      // A missing root has been reported.
      if error.code == .noSuchFile { return [] }
      // An error of Git isn't fatal here.
      let rule: Rule = error.operation == .runGit ? .untrackedFile : .unreadableFile
      return [Finding(rule, "\(error)", at: SourceLocation(pack.manifest.source, 0..<0))]
    }
    let folders = known[root] ?? Self.folders(of: tracked.keys, below: root)
    known[root] = folders
    var untracked: [SelectedFile] = []
    var withoutBit: [SelectedFile] = []
    for (file, path) in zip(selection.files, paths) {
      guard let path else { continue }
      switch tracked[path]?.isExecutable {
      case nil:
        let folder = file.source.ancestors.reversed().first { !folders.contains($0) }
        if let folder, path == root.appending(file.source.bytes) {
          if !scope.isOff(.untrackedFile, about: file.source) {
            add(folder == .root ? selection.root : selection.root.appending(folder.bytes), file)
          }
        } else {
          untracked.append(file)
        }
      case true? where !file.isExecutable: withoutBit.append(file)
      case _?: break
      }
    }
    return FileRule.untracked.findings(untracked, pack.manifest, scope)
      + FileRule.lostExecuteBit.findings(withoutBit, pack.manifest, scope)
  }

  /// The folders with tracked files, below `root`.
  private static func folders(
    of files: some Sequence<BytePath>, below root: BytePath
  ) -> Set<RelativePath> {
    var folders: Set<RelativePath> = []
    for file in files {
      for folder in file.path(inside: root)?.ancestors.map(\.self) ?? [] {
        if !folders.insert(folder).inserted { break }
      }
    }
    return folders
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
