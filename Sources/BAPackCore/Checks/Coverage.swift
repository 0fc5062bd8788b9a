/// The files of a folder that are in none of an app's packs.
package struct Coverage: Sendable {
  /// A file in no pack.
  package struct File: Sendable {
    /// The path below the folder.
    package let path: RelativePath
    /// Bytes of contents.
    package let size: UInt64
  }

  /// Files that stand together: all files of a folder of which no pack has any, or one file.
  package struct Group: Sendable {
    /// The path of the folder or file.
    package let path: RelativePath
    /// Whether it is a folder.
    package let isFolder: Bool
    /// The files, in archive order.
    package fileprivate(set) var files: [File]
    /// Bytes of all of them.
    package var size: UInt64 { files.reduce(0) { $0 + $1.size } }
  }

  /// The folder, as given.
  package let folder: BytePath
  /// The files in no pack, in archive order.
  package let files: [File]
  /// The same files in groups, in archive order.
  package let groups: [Group]
  /// The severity of its findings.
  package var severity = Severity.warning
  /// Bytes of all files in no pack.
  package var size: UInt64 { files.reduce(0) { $0 + $1.size } }

  /// Looks for the files in `folder` that are in none of `selections`. A file selected through a
  /// link is selected. Left out are the files at `exceptions`, what Git ignores, Git's own files,
  /// the project file, manifests, and what this program writes: packs, their lists, schemas, reports.
  package init(
    of folder: BytePath, in selections: [Selection], except exceptions: [BytePath] = []
  ) throws(SystemError) {
    let top = try folder.resolved()
    var taken: Set<BytePath> = []
    for selection in selections {
      taken.formUnion(try selection.resolvedSources().compactMap(\.self))
    }
    let exceptions = Set(exceptions.compactMap { try? $0.resolved() })
    let ignored = Self.ignored(in: top)
    let tree = try SourceTree(folder, outputs: [])
    var files: [File] = []
    var packedFolders: Set<RelativePath> = [.root]
    var folders = [RelativePath.root]
    while let parent = folders.popLast() {
      for child in try Self.children(of: parent, in: tree) {
        let path = parent.appending(child.name)
        let place = top.appending(path.bytes)
        if Self.isGit(child.name) || ignored.contains(place) { continue }
        switch child.status.kind {
        case .directory: folders.append(path)
        case .file where taken.contains(place): packedFolders.formUnion(path.ancestors)
        case .file where exceptions.contains(place) || OwnOutput.isOne(place): break
        case .file: files.append(File(path: path, size: child.status.size))
        default: break
        }
      }
    }
    files.sort { $0.path < $1.path }
    self.folder = folder
    self.files = files
    groups = Self.groups(files, packedFolders)
  }

  private static func children(
    of folder: RelativePath, in tree: borrowing SourceTree
  ) throws(SystemError) -> [SourceTree.Child] {
    do throws(SourceError) {
      return try tree.children(of: folder).1
    } catch {
      guard case .unreadable(let error) = error, error.code != .noSuchFile else { return [] }
      throw error
    }
  }

  private static func isGit(_ name: [UInt8]) -> Bool {
    [".git", ".gitignore", ".gitattributes", ".gitmodules", ".ba-package.json"]
      .contains { name.elementsEqual($0.utf8) }
  }

  /// What Git ignores below `folder`: files, and folders as a whole. Nothing outside of
  /// repositories and without Git.
  private static func ignored(in folder: BytePath) -> Set<BytePath> {
    let words = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
    let output = ChildProcess.output(
      of: ["git", "-C"].map { Array($0.utf8) } + [folder.bytes] + words.map { Array($0.utf8) },
      // Not those that Git sets for hooks, which are about another folder.
      with: ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"])
    return Set(
      (output ?? []).split(separator: 0).map { path in
        folder.appending(path.last == ASCII.slash ? path.dropLast() : path)
      })
  }

  private static func groups(_ files: [File], _ packedFolders: Set<RelativePath>) -> [Group] {
    var groups: [Group] = []
    for file in files {
      let folder = file.path.ancestors.reversed().first { !packedFolders.contains($0) }
      if let folder, groups.last?.path == folder {
        groups[groups.count - 1].files.append(file)
      } else {
        groups.append(
          Group(path: folder ?? file.path, isFolder: folder != nil, files: [file]))
      }
    }
    return groups
  }
}

extension RelativePath {
  /// The folders that contain this path, the nearest first, without the root.
  fileprivate var ancestors: [RelativePath] {
    var folders: [RelativePath] = []
    var path = self
    while let parent = path.parent, parent != .root {
      folders.append(parent)
      path = parent
    }
    return folders
  }
}
