/// What Git knows about the files of a run, for all of its manifests and rules.
///
/// All questions together have one deadline. After an error, Git isn't asked again: each later
/// question fails in the same way.
package final class Git: Sendable {
  /// What a copy on disk may have lost, since file systems may have no links or execute bits.
  struct Entry {
    var isLink = false
    var isExecutable = false
  }

  fileprivate struct State {
    var time: Duration
    var failure: SystemError?
    /// By the top of the repository, as the other answers.
    var indices: [BytePath: [BytePath: Entry]?] = [:]
    var converted: [BytePath: Set<BytePath>] = [:]
    var ignored: [BytePath: Bool] = [:]
    /// The number of paths that were asked for by name, and of questions about them.
    var asked = (paths: 0, questions: 0)
  }

  private let state: Monitor<State>

  /// Questions that take at most `time` together.
  package init(within time: Duration = .seconds(60)) { state = Monitor(State(time: time)) }

  /// The files that Git tracks in the repository around the folder at this absolute path, by their
  /// absolute paths; nil outside a repository, and if Git isn't installed.
  func index(around folder: BytePath) throws(SystemError) -> [BytePath: Entry]? {
    guard let top = try folder.repositoryTop() else { return nil }
    return try ask { (state) throws(SystemError) -> [BytePath: Entry]? in
      if let known = state.indices[top] { return known }
      var index: [BytePath: Entry]?
      if let lines = try state.list(["-s"], in: top) {
        var entries: [BytePath: Entry] = [:]
        // MODE OBJECT STAGE<tab>PATH
        for line in lines {
          guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
          entries[top.appending(line[(tab + 1)...])] = Entry(
            isLink: line.starts(with: "120000 ".utf8),
            isExecutable: line.starts(with: "100755 ".utf8))
        }
        // Only newer versions of Git show the modes of files in submodules.
        if try FileStatus.ifPresent(top.appending(".gitmodules".utf8)) != nil {
          for file in try state.list(["--recurse-submodules"], in: top) ?? [] {
            let path = top.appending(file)
            if entries[path] == nil { entries[path] = Entry() }
          }
        }
        index = entries
      }
      state.indices[top] = .some(index)
      return index
    }
  }

  /// The files among `paths` of text formats, absolute and in the repository around `folder`, whose
  /// lines end with LF in the index and with CRLF here, which no attribute asks for. May have others,
  /// too.
  ///
  /// Git compares each file in its index with each path, and reads the files. So many paths are
  /// replaced by patterns for all text formats.
  func converted(
    _ paths: [BytePath], around folder: BytePath
  ) throws(SystemError) -> Set<BytePath> {
    guard let top = try folder.repositoryTop() else { return [] }
    return try ask { (state) throws(SystemError) -> Set<BytePath> in
      if let known = state.converted[top] { return known }
      var found: Set<BytePath> = []
      // ENDINGS<tab>PATH
      func add(_ lines: [ArraySlice<UInt8>]?) {
        for line in lines ?? [] {
          guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
          let words = line[..<tab].split(separator: UInt8(ascii: " "))
          func has(_ word: String) -> Bool { words.contains { $0.elementsEqual(word.utf8) } }
          if has("i/lf"), has("w/crlf"), !has("eol=crlf") {
            found.insert(top.appending(line[(tab + 1)...]))
          }
        }
      }
      state.asked.paths += paths.count
      state.asked.questions += 1
      if state.asked.paths > 1000 || state.asked.questions > 10 {
        let patterns = FileType.textExtensions.map { Array("*.\($0)".utf8) }
        add(try state.list(["--eol", "--"], patterns, arePatterns: true, in: top))
        state.converted[top] = found
        return found
      }
      var rest = paths.compactMap { $0.path(inside: top)?.bytes }[...]
      while !rest.isEmpty {
        // A command on Windows has at most 32,767 characters.
        var size = 0
        let part = rest.prefix { path in
          size += path.count + 3
          return size < 24_000
        }
        rest = rest.dropFirst(max(1, part.count))
        add(try state.list(["--eol", "--"], Array(part), in: top))
      }
      return found
    }
  }

  /// Whether Git ignores all that is in the folder at this absolute path, which has no tracked file.
  func ignores(_ folder: BytePath) throws(SystemError) -> Bool {
    try ask { (state) throws(SystemError) -> Bool in
      if let known = state.ignored[folder] { return known }
      let others = try state.list(["--others", "--exclude-standard"], in: folder)
      state.ignored[folder] = others?.isEmpty ?? false
      return others?.isEmpty ?? false
    }
  }

  /// The files and whole folders that Git ignores below the folder at this absolute path; none
  /// outside a repository, and if Git isn't installed.
  func ignored(below folder: BytePath) throws(SystemError) -> Set<BytePath> {
    try ask { (state) throws(SystemError) -> Set<BytePath> in
      let options = ["--others", "--ignored", "--exclude-standard", "--directory"]
      return Set(
        (try state.list(options, in: folder) ?? []).map { path in
          folder.appending(path.last == ASCII.slash ? path.dropLast() : path)
        })
    }
  }

  private func ask<Answer>(
    _ question: (inout State) throws(SystemError) -> Answer
  ) throws(SystemError) -> Answer {
    try state.withLock { state in
      Result { () throws(SystemError) in try question(&state) }
    }.get()
  }
}

extension Git.State {
  /// The lines that `git ls-files -z` prints in the folder at this absolute path, for which paths
  /// are relative to it; nil if it is in no repository, or if Git isn't installed.
  fileprivate mutating func list(
    _ options: [String], _ paths: [[UInt8]] = [], arePatterns: Bool = false, in folder: BytePath
  ) throws(SystemError) -> [ArraySlice<UInt8>]? {
    if let failure { throw failure }
    let start = ContinuousClock.now
    defer { time -= ContinuousClock.now - start }
    do {
      let kind = arePatterns ? "--icase-pathspecs" : "--literal-pathspecs"
      return try folder.git([kind, "ls-files", "-z"] + options, paths, within: time)?
        .split(separator: 0)
    } catch {
      if error.operation == .runGit { failure = error }
      throw error
    }
  }
}

extension BytePath {
  /// The output of a command of Git, given `input`, in the folder at this absolute path; nil if it
  /// is in no repository, or if Git isn't installed.
  ///
  /// Git asks the nearest `.git` and runs nothing that the repository's configuration names.
  func git(
    _ command: [String], _ paths: [[UInt8]] = [], within time: Duration = .seconds(60),
    limit: Int = 1 << 26, input: [UInt8] = []
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
      + (["--no-optional-locks"] + settings + command).map { Array($0.utf8) } + paths
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
          of: [program] + words, environment, within: time, limit: limit, input: input)
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
  func gitTop() throws(SystemError) -> BytePath? {
    guard let top = try repositoryTop() else { return nil }
    let folder = top.appending(".git".utf8)
    if try FileStatus.following(folder).kind != .directory { return top }
    return try FileStatus.ifPresent(folder.appending("HEAD".utf8)) == nil ? nil : top
  }

  /// This absolute path of a folder in its Git repository; nil if it is in none.
  func pathInRepository() throws(SystemError) -> RelativePath? {
    try repositoryTop().flatMap { path(inside: $0) }
  }

  /// Whether Git noticed, when it made the repository that has the folder at this absolute path,
  /// that the file system keeps no execute bits; then it goes by its index.
  var keepsNoExecuteBits: Bool {
    // Without a configuration that can be read, Git fails, which is reported where it is asked.
    guard let top = try? repositoryTop(), var folder = try? top.gitFolder() else { return false }
    if let common = try? folder.appending("commondir".utf8).contents(limit: 1 << 16) {
      folder = folder.appending(common.prefix { $0 != UInt8(ascii: "\n") })
    }
    guard let text = try? folder.appending("config".utf8).contents(limit: 1 << 20) else {
      return false
    }
    return text.split(separator: UInt8(ascii: "\n")).contains { line in
      let setting = line.filter { !" \t\r".utf8.contains($0) }.map { $0 | 0x20 }
      return setting.elementsEqual("filemode=false".utf8.map { $0 | 0x20 })
    }
  }

  /// `.git` in the top of a repository, or the folder that it names in worktrees and submodules.
  private func gitFolder() throws(SystemError) -> BytePath {
    let path = appending(".git".utf8)
    guard try FileStatus.following(path).kind == .file else { return path }
    let text = try path.contents(limit: 1 << 16)
    guard text.starts(with: "gitdir: ".utf8) else { return path }
    let name = text.dropFirst(8).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return appending(name)
  }
}

extension Selection {
  /// The absolute path of each file, with links resolved, except for one to an object of git-annex:
  /// there the link is what Git tracks. Nil if the file doesn't exist.
  func resolvedSources() throws(SystemError) -> [BytePath?] {
    var folders: [RelativePath: BytePath] = [:]
    var paths: [BytePath?] = []
    for file in files {
      let parent = file.source.parent ?? .root
      let full = root.appending(file.source.bytes)
      do {
        // Only links are resolved one by one, because that is slow.
        if try FileStatus.notFollowing(full).kind == .symbolicLink {
          let target = try full.resolved()
          if !isAnnexObject(target.bytes[...]) {
            paths.append(target)
            continue
          }
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
