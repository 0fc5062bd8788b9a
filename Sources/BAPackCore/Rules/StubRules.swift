extension Rule {
  /// A placeholder for a file that was not fetched.
  public static let stubFile = Rule(
    "stub-file", .error, .files, "A placeholder for a file that was not fetched",
    adjustment: .warnings)
}

extension FileRule {
  /// Pointers, with the commands that fetch their files. If `lackingContents`, those of Git LFS have
  /// no SHA-256 and size.
  static func pointers(below root: BytePath, lackingContents: Bool = false) -> FileRule {
    FileRule(
      rule: .stubFile, reason: { $0.pointer?.kind.rawValue },
      message: { kind, files in
        let subject =
          named(files[0].source, of: files.count)
          + (files.count == 1 ? " is a \(kind)" : " are \(kind)s")
        if lackingContents, kind == Stub.Kind.lfsPointer.rawValue {
          return "\(subject) without a SHA-256 and size"
        }
        let sizes = files.compactMap { $0.pointer?.size }
        let total = sizes.size { $0 }
        guard sizes.count == files.count, total < .max else { return subject }
        return "\(subject); the file\(files.count == 1 ? " has" : "s have") \(byteCount(total))"
      },
      notes: { kind, files in
        let others = files.dropFirst().lazy.map { file in
          "'\(file.source)'" + (file.pointer?.size.map { " (\(byteCount($0)))" } ?? "")
        }
        let paths = files.map(\.source)
        return [
          Note(onOtherFiles: others),
          Note(
            Stub.Kind(rawValue: kind) == .annexPointer
              ? fetching(paths, by: git(in: root) + ["annex", "get"] + shown(paths))
              : fetchingFromLFS(paths, below: root)),
        ]
      })
  }

  /// Links that are text here, by Git's index.
  static func textsOfLinks(below root: BytePath) -> FileRule {
    FileRule(
      rule: .stubFile,
      message: { _, files in
        named(files[0].source, of: files.count)
          + (files.count == 1
            ? " is a symbolic link in Git, and only its target as text here"
            : " are symbolic links in Git, and only their targets as text here")
      },
      notes: { _, files in
        let command = ["-c", "core.symlinks=true", "checkout", "--"] + shown(files.map(\.source))
        return [
          Note(onOtherFiles: files.dropFirst().lazy.map { "'\($0.source)'" }),
          Note(
            "where the file system has links, check out again with: "
              + shellWords(git(in: root) + command)),
        ]
      })
  }

  /// Files with nothing but the path of another one, where Git doesn't tell whether they are links.
  static var possibleTextsOfLinks: FileRule {
    FileRule(
      rule: .stubFile, severity: .warning,
      message: { _, files in
        "\(subject(files)) nothing but the path of another file, as where a symbolic link was "
          + "written as text"
      })
  }

  /// Up to three of `paths`, or the folder of all.
  private static func shown(_ paths: [RelativePath]) -> [String] {
    (paths.count > 3 ? [commonFolder(of: paths)] : paths).map(\.description)
  }

  private static func fetchingFromLFS(_ paths: [RelativePath], below root: BytePath) -> String {
    // An error here has been reported.
    guard let prefix = try? root.resolved().pathInRepository() else {
      return "the source root is in no Git repository: fetch the files in a clone that has Git LFS"
    }
    let included = (paths.count > 3 ? [commonFolder(of: paths)] : paths).map {
      $0.prefixed(by: prefix)
    }
    let list = included.map(\.description).joined(separator: ",")
    let isPlain = included.allSatisfy { $0 != .root && $0.bytes.allSatisfy(isPlainInPattern) }
    return fetching(
      paths, by: git(in: root) + ["lfs", "pull"] + (isPlain ? ["--include=\(list)"] : []))
  }
}

extension SourceTree {
  /// The command that fetches the file or folder that is missing at `path`, by the file of DVC beside
  /// it; nil without one.
  func fetching(missing path: RelativePath) -> Note? {
    let file = (path.parent ?? .root).appending(path.name + ".dvc".utf8)
    guard (try? FileStatus.following(root.appending(file.bytes)))?.kind == .file else { return nil }
    let folder = root == "." ? [] : ["--cd", root.description]
    return Note(BAPackCore.fetching([path], by: ["dvc"] + folder + ["pull", "\(file)"]))
  }

  /// The command that fetches what the link at `path` leads to through these targets, an object of
  /// git-annex; nil for others.
  func fetching(_ path: RelativePath, _ targets: [BytePath]) -> String? {
    guard targets.contains(where: { isAnnexObject($0.bytes[...]) }) else { return nil }
    return BAPackCore.fetching([path], by: git(in: root) + ["annex", "get", "\(path)"])
  }
}

private func fetching(_ paths: [RelativePath], by command: [String]) -> String {
  "fetch \(paths.count == 1 ? "it" : "them") with: \(shellWords(command))"
}

private func git(in root: BytePath) -> [String] {
  root == "." ? ["git"] : ["git", "-C", root.description]
}

/// The deepest folder that contains all paths.
private func commonFolder(of paths: [RelativePath]) -> RelativePath {
  var folder = paths.first?.parent ?? .root
  while let above = folder.parent, !paths.allSatisfy({ $0.isInside(folder) }) { folder = above }
  return folder
}

/// Whether a byte has no special meaning in Git LFS patterns.
private func isPlainInPattern(_ byte: UInt8) -> Bool {
  ASCII.isLetter(byte) || ASCII.isDigit(byte) || "/._- ".utf8.contains(byte) || byte >= 0x80
}

/// A command, with words quoted for a shell if necessary.
private func shellWords(_ words: [String]) -> String {
  words.map { word in
    let isSafe = word.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "/._-=,".utf8.contains($0)
    }
    if isSafe, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#) + "'"
  }.joined(separator: " ")
}
