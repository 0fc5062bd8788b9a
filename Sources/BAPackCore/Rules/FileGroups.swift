/// Groups of files for one finding each: the files with the same key and selector.
struct FileGroups<Key: Hashable> {
  /// The files of one selector and key.
  struct Group {
    let key: Key
    let selector: Int
    var files: [SelectedFile]

    /// A note with the files after the first, if there are any.
    var notesOnOthers: [Note] {
      [Note(onOtherFiles: files.dropFirst().lazy.map { "'\($0.source)'" })].compactMap(\.self)
    }
  }

  private(set) var groups: [Group] = []
  private var known: [Index: Int] = [:]

  private struct Index: Hashable {
    let key: Key
    let selector: Int?
  }

  /// Adds a file to the group of `key`; groups are separate for each selector if `bySelector`.
  mutating func add(_ file: SelectedFile, _ key: Key, bySelector: Bool = true) {
    let index = Index(key: key, selector: bySelector ? file.selector : nil)
    if let group = known[index] {
      groups[group].files.append(file)
    } else {
      known[index] = groups.count
      groups.append(Group(key: key, selector: file.selector, files: [file]))
    }
  }
}

extension Manifest {
  /// Whether a selector is exactly the path of this file, which is then intended.
  func names(_ file: SelectedFile) -> Bool {
    switch selectors[file.selector].kind {
    case .file, .fileMapping: true
    default: false
    }
  }
}
