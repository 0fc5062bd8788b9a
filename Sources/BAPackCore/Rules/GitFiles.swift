extension BytePath {
  /// The paths that `git ls-files -z` prints in the folder at this absolute path, relative to it;
  /// nil if it is in no repository, or if Git isn't installed.
  ///
  /// Git asks the nearest `.git` and runs nothing that the repository's configuration names.
  func gitFiles(_ options: [String]) throws(SystemError) -> [ArraySlice<UInt8>]? {
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
      + (["--no-optional-locks", "--literal-pathspecs"] + settings + ["ls-files", "-z"] + options)
      .map { Array($0.utf8) }
    // Not the variables that Git sets for hooks, which refer to another folder.
    let environment =
      ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"].compactMap { name in
        ProcessContext.environment(name).map { Array("\(name)=".utf8) + $0 }
      }
      // A partial clone would fetch what it lacks, with programs that its configuration names.
      + ["GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"].map {
        Array($0.utf8)
      }
    for folder in (ProcessContext.environment("PATH") ?? []).split(separator: UInt8(ascii: ":"))
    // Others are relative to the working directory, which may be in the repository.
    where folder.first == ASCII.slash {
      do throws(Errno) {
        let output = try ChildProcess.output(
          of: [Array(folder) + "/git".utf8] + words, environment, within: .seconds(60),
          limit: 1 << 28)
        guard let output else { throw .failedCommand }
        return output.split(separator: 0)
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
