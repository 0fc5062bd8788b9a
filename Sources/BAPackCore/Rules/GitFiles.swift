extension BytePath {
  /// The top of the Git repository that contains the folder at this absolute path; nil if there is
  /// none. A `.git` without a `HEAD`, such as an empty one, doesn't count.
  func gitTop() throws(SystemError) -> BytePath? {
    guard let top = try repositoryTop() else { return nil }
    let folder = top.appending(".git".utf8)
    if try FileStatus.following(folder).kind != .directory { return top }
    return try FileStatus.ifPresent(folder.appending("HEAD".utf8)) == nil ? nil : top
  }

  /// The absolute paths that `git ls-files` lists in this folder, which is in a repository; nil if
  /// Git isn't installed.
  func gitFiles(_ options: [String]) throws(SystemError) -> Set<BytePath>? {
    let words = ["git", "-C"].map { Array($0.utf8) } + [bytes]
    let output: [UInt8]?
    do throws(Errno) {
      output = try ChildProcess.output(
        of: words + (["ls-files", "-z"] + options).map { Array($0.utf8) },
        // Not the variables that Git sets for hooks, which refer to another folder.
        with: ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"])
    } catch {
      if error == .noSuchFile || error == .permissionDenied { return nil }
      throw SystemError(.runGit, self, code: error)
    }
    guard let output else { throw SystemError(.runGit, self, code: .failedCommand) }
    return Set(
      output.split(separator: 0).map { path in
        appending(path.last == ASCII.slash ? path.dropLast() : path)
      })
  }
}
