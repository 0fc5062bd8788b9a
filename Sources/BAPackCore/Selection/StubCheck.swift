/// Stubs among the selected files, and placeholders for missing ones (``Stub``).
package struct StubCheck {
  private struct Key: Hashable {
    let selector: Int
    let kind: Stub.Kind
  }

  private var groups = Groups<Key, (path: RelativePath, size: UInt64?)>()
  private let readsPointers: Bool

  /// A check without stubs so far. With `readsPointers`, pointers are added only if they don't have
  /// the size and SHA-256 of the file.
  package init(readsPointers: Bool = false) { self.readsPointers = readsPointers }

  mutating func add(_ stub: Stub, at path: RelativePath, selector: Int) {
    groups.add((path, stub.size), Key(selector: selector, kind: stub.kind))
  }

  func hasAny(of index: Int) -> Bool { groups.all.contains { $0.key.selector == index } }

  /// Adds those of `files` that are not downloaded.
  package mutating func add(datalessAmong files: [SelectedFile]) {
    for file in files where file.isDataless {
      add(Stub(kind: .dataless, size: file.size), at: file.source, selector: file.selector)
    }
  }

  package func findings(_ selectors: [FileSelector], in tree: borrowing SourceTree) -> [Finding] {
    groups.all.map { key, files in
      let others = files.dropFirst().lazy.map { file in
        "'\(file.path)'" + (file.size.map { " (\(byteCount($0)))" } ?? "")
      }
      return Finding(
        .stubFile, message(key.kind, files), at: selectors[key.selector].location,
        notes: [
          Note(onOtherFiles: others), Note(tree.fetching(key.kind, files.map(\.path))),
        ])
    }
  }

  private func message(_ kind: Stub.Kind, _ files: [(path: RelativePath, size: UInt64?)]) -> String
  {
    let isOne = files.count == 1
    let (one, several) = kind.words
    let subject = named(files[0].path, of: files.count) + " " + (isOne ? one : several)
    if readsPointers, kind == .lfsPointer { return "\(subject) without a SHA-256 and size" }
    let sizes = files.compactMap(\.size)
    let total = sizes.size { $0 }
    guard sizes.count == files.count, total < .max else { return subject }
    return subject + (isOne ? "; the file has " : "; the files have ") + byteCount(total)
  }
}

extension Stub.Kind {
  /// What is said of one such file, and of several.
  fileprivate var words: (one: String, several: String) {
    switch self {
    case .lfsPointer: ("is a Git LFS pointer", "are Git LFS pointers")
    case .annexPointer: ("is a git-annex pointer", "are git-annex pointers")
    case .annexLink:
      (
        "is a git-annex link to contents that are not here",
        "are git-annex links to contents that are not here"
      )
    case .dvcFile: ("was not fetched by DVC", "were not fetched by DVC")
    case .iCloudPlaceholder: ("is in iCloud only", "are in iCloud only")
    case .dataless:
      (
        "was not downloaded from iCloud, or the service that has it",
        "were not downloaded from iCloud, or the service that has them"
      )
    case .sparseCheckout:
      ("is left out of this sparse checkout", "are left out of this sparse checkout")
    case .textOfLink:
      (
        "is a symbolic link in Git, and only its target as text here",
        "are symbolic links in Git, and only their targets as text here"
      )
    }
  }
}

extension SourceTree {
  /// The commands that get the files represented by stubs of one kind.
  fileprivate func fetching(_ kind: Stub.Kind, _ paths: [RelativePath]) -> String {
    let isFolder = paths.count > 3
    let files = isFolder ? [commonFolder(of: paths)] : paths
    var advice = "fetch \(paths.count == 1 ? "it" : "them") with: "
    var output = ""
    let command: [String]
    switch kind {
    case .lfsPointer:
      // An error here has been reported.
      guard let prefix = try? pathInRepository() else {
        return
          "the source root is in no Git repository: fetch the files in a clone that has Git LFS"
      }
      let included = files.map { $0.prefixed(by: prefix) }
      let list = included.map(\.description).joined(separator: ",")
      let isPlain = included.allSatisfy { $0 != .root && $0.bytes.allSatisfy(isPlainInPattern) }
      command = git + ["lfs", "pull"] + (isPlain ? ["--include=\(list)"] : [])
    case .annexPointer, .annexLink:
      command = git + ["annex", "get"] + files.map(\.description)
    case .dvcFile:
      command =
        ["dvc"] + (root == "." ? [] : ["--cd", root.description]) + ["pull"]
        + (isFolder ? ["--recursive"] + files.map(\.description) : files.map { "\($0).dvc" })
    case .sparseCheckout:
      let folder = commonFolder(of: paths)
      // Without a repository, nothing is sparse.
      let prefix = (try? pathInRepository()) ?? .root
      command =
        git + ["sparse-checkout"]
        + (folder == .root ? ["disable"] : ["add", folder.prefixed(by: prefix).description])
    case .dataless:
      // Reading a file downloads it.
      let places = files.map { root.appending($0.bytes).description }
      command =
        isFolder ? ["find", places[0], "-type", "f", "-exec", "cat", "{}", "+"] : ["cat"] + places
      output = " > /dev/null"
    case .textOfLink:
      advice = "where the file system has links, check out again with: "
      command =
        git + ["-c", "core.symlinks=true", "checkout", "--"] + files.map(\.description)
    case .iCloudPlaceholder:
      let path = files.count == 1 ? files[0] : commonFolder(of: files)
      command = ["brctl", "download", root.appending(path.bytes).description]
    }
    return advice + command.map(shellWord).joined(separator: " ") + output
  }

  private var git: [String] { root == "." ? ["git"] : ["git", "-C", root.description] }

  /// The deepest folder that contains all paths.
  private func commonFolder(of paths: [RelativePath]) -> RelativePath {
    var folder = paths.first?.parent ?? .root
    while let above = folder.parent, !paths.allSatisfy({ $0.isInside(folder) }) { folder = above }
    return folder
  }
}

/// Whether a byte has no special meaning in Git LFS patterns.
private func isPlainInPattern(_ byte: UInt8) -> Bool {
  ASCII.isLetter(byte) || ASCII.isDigit(byte) || "/._- ".utf8.contains(byte) || byte >= 0x80
}

/// `word`, quoted for a shell if necessary.
private func shellWord(_ word: String) -> String {
  let isSafe = word.utf8.allSatisfy {
    ASCII.isLetter($0) || ASCII.isDigit($0) || "/._-=,{}+".utf8.contains($0)
  }
  if isSafe, !word.isEmpty { return word }
  return "'"
    + word.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: #"'\''"#) + "'"
}
