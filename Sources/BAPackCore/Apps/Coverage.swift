extension Rule {
  /// A file that no pack contains.
  public static let fileInNoPack = Rule(
    "file-in-no-pack", .warning, .packs, "A file that no pack contains")
}

/// The files of a folder that are in none of an app's packs.
package struct Coverage: Sendable {
  package struct File: Sendable {
    package let path: RelativePath
    package let size: UInt64
  }

  /// Files that are reported together: all files of a folder that no pack uses, or a single file.
  package struct Group: Sendable {
    package let path: RelativePath
    package let isFolder: Bool
    /// The files, in archive order.
    package fileprivate(set) var files: [File]
    package var size: UInt64 { files.size(\.size) }
  }

  package let folder: BytePath
  /// The files in no pack, in archive order.
  package private(set) var files: [File] = []
  /// The same files in groups, in archive order.
  package private(set) var groups: [Group] = []
  /// Files and folders that could not be read, which may make the list incomplete or wrong.
  package private(set) var problems: [Finding] = []
  package var severity = Severity.warning
  package var size: UInt64 { files.size(\.size) }

  /// Finds the files in `folder` that are in none of `selections`. A file that is selected through
  /// a link counts as selected. Excludes the files at `exceptions`, files that Git ignores, Git's
  /// own files, the project file, manifests, and output of this program: packs, their lists,
  /// schemas, reports. Files and folders that can't be read become ``problems``.
  package init(
    of folder: BytePath, in selections: [Selection], except exceptions: [BytePath] = [],
    git: Git = Git()
  ) throws {
    let top = try folder.resolved()
    var taken: Set<BytePath> = []
    for selection in selections {
      taken.formUnion(try selection.resolvedSources().compactMap(\.self))
    }
    var exceptionPaths: Set<BytePath> = []
    for exception in exceptions where try FileStatus.ifPresent(exception) != nil {
      exceptionPaths.insert(try exception.resolved())
    }
    self.folder = folder
    let ignored = ignored(in: top, git)
    let tree = try SourceTree(folder)
    var packedFolders: Set<RelativePath> = [.root]
    var folders = [RelativePath.root]
    while let parent = folders.popLast() {
      for child in try children(of: parent, in: tree) {
        let path = parent.appending(child.name)
        let absolute = top.appending(path.bytes)
        if Self.ownNames.contains(child.name) || ignored.contains(absolute) { continue }
        switch child.status.kind {
        case .directory: folders.append(path)
        case .file where taken.contains(absolute): packedFolders.formUnion(path.ancestors)
        case .file where exceptionPaths.contains(absolute): break
        case .file:
          if !isOwnOutput(folder.appending(path.bytes), size: child.status.size) {
            files.append(File(path: path, size: child.status.size))
          }
        default: break
        }
      }
    }
    files.sort { $0.path < $1.path }
    for file in files {
      let folder = file.path.ancestors.reversed().first { !packedFolders.contains($0) }
      if let folder, groups.last?.path == folder {
        groups[groups.count - 1].files.append(file)
      } else {
        groups.append(
          Group(path: folder ?? file.path, isFolder: folder != nil, files: [file]))
      }
    }
  }

  private mutating func children(
    of folder: RelativePath, in tree: borrowing SourceTree
  ) throws -> [SourceTree.Child] {
    do {
      return try tree.children(of: folder).1
    } catch {
      // A file that was deleted meanwhile is in no pack either.
      if error.code == .noSuchFile { return [] }
      if folder == .root { throw error }
      problems.report(.unreadableFile, "\(error)", at: nil)
      return []
    }
  }

  private mutating func isOwnOutput(_ path: BytePath, size: UInt64) -> Bool {
    do {
      if let isOne = try OwnOutput.isOne(path, size: size) { return isOne }
      problems.report(.unreadableFile, "'\(path)' was written to while it was read", at: nil)
    } catch {
      if (error as? SystemError)?.code != .noSuchFile {
        problems.report(.unreadableFile, "\(error)", at: nil)
      }
    }
    return false
  }

  private static let ownNames = [
    ".git", ".gitignore", ".gitattributes", ".gitmodules", ".ba-package.json",
  ].map { Array($0.utf8) }

  /// The files and whole folders below `folder` that Git ignores. Empty outside a repository, and
  /// if Git isn't installed.
  private mutating func ignored(in folder: BytePath, _ git: Git) -> Set<BytePath> {
    do {
      return try git.ignored(below: folder)
    } catch {
      // An error of Git isn't fatal here.
      problems.report(
        error.operation == .runGit ? .fileInNoPack : .unreadableFile, "\(error)", at: nil,
        notes: [Note("files that Git ignores are listed too")])
      return []
    }
  }

  /// A finding for each group, at its first file.
  package var findings: [Finding] {
    groups.map { group in
      let name = folder.appending(group.files[0].path.bytes)
      let location = SourceLocation(SourceText(name: name.bytes, bytes: []), 0..<0)
      let size = byteCount(group.size)
      return Finding(
        .fileInNoPack, severity: severity,
        group.isFolder
          ? "no pack contains the folder '\(group.path)': \(counted(group.files.count, "file")), \(size)"
          : "no pack contains '\(group.path)' (\(size))",
        at: location)
    }
  }
}

extension Coverage: JSONRepresentable {
  /// The files for `--format json`.
  package var json: JSONValue {
    .object([
      "folder": JSONName(folder.bytes),
      "size": size,
      "files": files.map {
        JSONValue.object(["path": JSONName($0.path.bytes), "size": $0.size])
      },
    ])
  }
}

/// Text in the first kilobyte of an HTML report.
package let reportPageMark = "<meta name=\"generator\" content=\"ba-package\">"

/// Files that this program writes next to packs, and manifests.
enum OwnOutput {
  /// Larger JSON files are not read.
  private static let limit: UInt64 = 1 << 20

  /// Whether the file at `path`, of `size` bytes, is a pack or its record, a manifest, a list of
  /// packs, a schema of manifests, or a report; nil if it was truncated meanwhile.
  static func isOne(_ path: BytePath, size: UInt64) throws -> Bool? {
    func start(_ count: UInt64) throws -> [UInt8]? {
      let wanted = Int(min(count, size))
      let file = try path.attempt(.open, FileDescriptor.reading(path))
      let start = try path.attempt(.read, file.read(upTo: wanted))
      return start.count < wanted ? nil : start
    }
    if path.hasExtension("record") {
      let title = Array(PackRecord.title.utf8)
      return try start(UInt64(title.count)).map { $0 == title }
    }
    if path.hasExtension("aar") {
      return try start(UInt64(ContainerKind.headerSize)).map { ContainerKind.begins($0) }
    }
    if path.hasExtension("html") {
      return try start(1 << 10).map {
        String(decoding: $0, as: UTF8.self).contains(reportPageMark)
      }
    }
    guard path.hasExtension("json"), size <= limit else { return false }
    guard let bytes = try start(limit) else { return nil }
    let root = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes)).root
    return root?["assetPacks"]?.array != nil
      || root?["assetPackID"] != nil && root?["fileSelectors"] != nil
      || root?["tool"]?["name"]?.string == "ba-package"
      || root?["title"]?.string == "Asset pack manifest" && root?["$schema"] != nil
  }
}
