/// A file in Git's index, with what the copy on disk may have lost: file systems without links or
/// execute bits can't keep them, and Git converts line endings where it is told to.
struct GitEntry {
  let path: RelativePath
  let isLink: Bool
  let isExecutable: Bool
  /// Whether the index has lines that end with LF, and the copy CRLF, which no attribute asks for.
  let isConverted: Bool

  /// `MODE OBJECT STAGE<tab>PATH`, or with `--eol` `MODE OBJECT STAGE<tab>ENDINGS<tab>PATH`; nil for
  /// anything else.
  init?(_ line: ArraySlice<UInt8>, hasEndings: Bool) {
    let fields = line.split(
      separator: UInt8(ascii: "\t"), maxSplits: hasEndings ? 2 : 1,
      omittingEmptySubsequences: false)
    guard fields.count == (hasEndings ? 3 : 2), let name = fields.last,
      let path = RelativePath(name)
    else { return nil }
    self.path = path
    isLink = fields[0].starts(with: "120000 ".utf8)
    isExecutable = fields[0].starts(with: "100755 ".utf8)
    let endings = fields[1].split(separator: UInt8(ascii: " "))
    func has(_ word: String) -> Bool { endings.contains { $0.elementsEqual(word.utf8) } }
    isConverted = hasEndings && has("i/lf") && has("w/crlf") && !has("eol=crlf")
  }
}

extension BytePath {
  /// The files that Git tracks in the repository with this top, an absolute path, and whether they
  /// are executable there; nil if this is no repository, or if Git isn't installed.
  func gitIndex() throws(SystemError) -> [BytePath: Bool]? {
    var index: [BytePath: Bool] = [:]
    // Only newer versions of Git show the modes of files in submodules.
    guard try FileStatus.ifPresent(appending(".gitmodules".utf8)) == nil else {
      guard let files = try gitFiles(["--recurse-submodules"]) else { return nil }
      for file in files { index[appending(file)] = false }
      return index
    }
    guard let lines = try gitFiles(["-s"]) else { return nil }
    for line in lines {
      guard let entry = GitEntry(line, hasEndings: false) else { continue }
      index[appending(entry.path.bytes)] = entry.isExecutable
    }
    return index
  }

  /// Those of `paths` that Git's index has, with their line endings, for which Git reads the files.
  func gitEntries(of paths: [RelativePath]) throws(SystemError) -> [GitEntry] {
    var entries: [GitEntry] = []
    var rest = paths[...]
    while !rest.isEmpty {
      // A command on Windows has at most 32,767 characters.
      var size = 0
      let part = rest.prefix { path in
        size += path.bytes.count + 3
        return size < 24_000
      }
      rest = rest.dropFirst(max(1, part.count))
      let lines = try gitFiles(["-s", "--eol", "--"], part.map(\.bytes)) ?? []
      entries += lines.compactMap { GitEntry($0, hasEndings: true) }
    }
    return entries
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
  func gitFolder() throws(SystemError) -> BytePath {
    let path = appending(".git".utf8)
    guard try FileStatus.following(path).kind == .file else { return path }
    let text = try path.contents(limit: 1 << 16)
    guard text.starts(with: "gitdir: ".utf8) else { return path }
    let name = text.dropFirst(8).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return appending(name)
  }
}

extension [SelectedFile] {
  /// Those with converted line endings, and links that are files, below `root`, by Git's index.
  func changedByGit(
    in root: BytePath
  ) throws(SystemError) -> (converted: [SelectedFile], links: [SelectedFile]) {
    if isEmpty { return ([], []) }
    let entries = try root.gitEntries(of: Set(map(\.source)).sorted())
    let converted = Set(entries.lazy.filter(\.isConverted).map(\.path))
    // Links here may lead to files that Git converted.
    var links: Set<RelativePath> = []
    for entry in entries where entry.isLink {
      let status = try FileStatus.ifPresent(root.appending(entry.path.bytes))
      if status?.kind == .file { links.insert(entry.path) }
    }
    return (filter { converted.contains($0.source) }, filter { links.contains($0.source) })
  }
}
