/// Files that the Git repository around a source root does not track, or has as executable.
struct TrackedFiles {
  /// The files that Git tracks below each root, as absolute paths without links, and whether they
  /// are executable there; nil outside a repository, in a folder that Git ignores, and if Git isn't
  /// installed.
  private var indices: [BytePath: [BytePath: Bool]?] = [:]
  /// An error of Git, which is not asked again.
  private var failure: SystemError?

  /// A finding for each selector that matches such files, or one if they can't be determined.
  mutating func findings(_ pack: CheckedPack, _ scope: RuleSettings.Scope) -> [Finding] {
    let isOff = [Rule.untrackedFile, .lostExecuteBit].allSatisfy { scope.level(of: $0) == .off }
    guard let selection = pack.selection, !isOff else { return [] }
    let (tracked, paths): ([BytePath: Bool], [BytePath?])
    do throws(SystemError) {
      if let failure { throw failure }
      guard let files = try files(trackedBelow: selection.root) else { return [] }
      (tracked, paths) = (files, try selection.resolvedSources())
    } catch {
      // A missing root has been reported.
      if error.code == .noSuchFile { return [] }
      let location = SourceLocation(pack.manifest.source, 0..<0)
      if error.operation == .runGit { failure = error }
      // An error of Git isn't fatal here.
      let rule: Rule = error.operation == .runGit ? .untrackedFile : .unreadableFile
      return [Finding(rule, "\(error)", at: location)]
    }
    var untracked: [SelectedFile] = []
    var withoutBit: [SelectedFile] = []
    for (file, path) in zip(selection.files, paths) {
      guard let path else { continue }
      switch tracked[path] {
      case nil: untracked.append(file)
      case true? where !file.isExecutable: withoutBit.append(file)
      case _?: break
      }
    }
    return FileRule.untracked.findings(untracked, pack.manifest, scope)
      + FileRule.lostExecuteBit.findings(withoutBit, pack.manifest, scope)
  }

  private mutating func files(
    trackedBelow root: BytePath
  ) throws(SystemError) -> [BytePath: Bool]? {
    let root = try root.resolved()
    if let known = indices[root] { return known }
    // From the top, since links may point to files outside the root.
    let top = try root.repositoryTop() ?? root
    var index = try top.gitIndex()
    let prefix = root.bytes + [ASCII.slash]
    if let files = index, !files.keys.contains(where: { $0.bytes.starts(with: prefix) }),
      try root.gitFiles(["--others", "--exclude-standard"])?.isEmpty ?? false
    {
      index = nil
    }
    indices[root] = .some(index)
    return index
  }
}

extension BytePath {
  /// The lines that `git ls-files -z` prints in the folder at this absolute path, for which paths
  /// are relative to it; nil if it is in no repository, or if Git isn't installed.
  func gitFiles(
    _ options: [String], _ paths: [[UInt8]] = []
  ) throws(SystemError) -> [ArraySlice<UInt8>]? {
    try git(["ls-files", "-z"] + options, paths)?.split(separator: 0)
  }

  /// The output of a command of Git, given `input`, in the folder at this absolute path; nil if it
  /// is in no repository, or if Git isn't installed.
  ///
  /// Git asks the nearest `.git` and runs nothing that the repository's configuration names.
  func git(
    _ command: [String], _ paths: [[UInt8]] = [], limit: Int = 1 << 28, input: [UInt8] = []
  ) throws(SystemError) -> [UInt8]? {
    guard let top = try gitTop() else { return nil }
    let settings = [
      "core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit",
    ].flatMap { ["-c", $0] }
    let words =
      [Array("-C".utf8), bytes]
      + [
        Array("--git-dir=".utf8) + top.appending(".git".utf8).bytes,
        Array("--work-tree=".utf8) + top.bytes,
      ]
      + (["--no-optional-locks", "--literal-pathspecs"] + settings + command)
      .map { Array($0.utf8) } + paths
    // Not the variables that Git sets for hooks, which refer to another folder.
    let environment =
      ProcessContext.userVariables.compactMap { name in
        ProcessContext.environment(name).map { Array("\(name)=".utf8) + $0 }
      }
      // A partial clone would fetch what it lacks, with programs that its configuration names.
      + ["GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"].map {
        Array($0.utf8)
      }
    for program in ProcessContext.paths(ofProgram: "git") {
      do throws(Errno) {
        let output = try ChildProcess.output(
          of: [program] + words, environment, within: .seconds(60),
          limit: limit, input: input)
        guard let output else { throw .failedCommand }
        return output
      } catch {
        let isMissing: [Errno] = [.noSuchFile, .notDirectory, .permissionDenied, .notProgram]
        if !isMissing.contains(error) { throw SystemError(.runGit, self, code: error) }
      }
    }
    return nil
  }

  /// The top of the Git repository that contains the folder at this absolute path; nil if there is
  /// none. A `.git` without a `HEAD`, such as an empty one, doesn't count.
  private func gitTop() throws(SystemError) -> BytePath? {
    guard let top = try repositoryTop() else { return nil }
    let folder = top.appending(".git".utf8)
    if try FileStatus.following(folder).kind != .directory { return top }
    return try FileStatus.ifPresent(folder.appending("HEAD".utf8)) == nil ? nil : top
  }
}

extension Selection {
  /// The absolute path of each file, with links resolved; nil if it doesn't exist.
  func resolvedSources() throws(SystemError) -> [BytePath?] {
    var folders: [RelativePath: BytePath] = [:]
    var paths: [BytePath?] = []
    for file in files {
      let parent = file.source.parent ?? .root
      let full = root.appending(file.source.bytes)
      do {
        // Only links are resolved one by one, because that is slow.
        if try FileStatus.notFollowing(full).kind == .symbolicLink {
          paths.append(try full.resolved())
          continue
        }
        if folders[parent] == nil { folders[parent] = try full.folder.resolved() }
        paths.append(folders[parent]?.appending(file.source.name))
      } catch {
        if error.code != .noSuchFile { throw error }
        paths.append(nil)
      }
    }
    return paths
  }
}
