/// The manifests at given paths, and the files in folders that were skipped.
package struct ManifestFiles: Sendable {
  /// The manifests, without duplicates.
  package private(set) var manifests: [BytePath] = []
  /// Files in folders that this program wrote and that aren't manifests.
  package private(set) var skipped: [Skipped] = []
  private var seen: Set<BytePath> = []

  /// A file that isn't a manifest.
  package struct Skipped: Sendable {
    /// The file.
    package let path: BytePath
    /// Its type: `a download manifest`.
    package let kind: String
  }

  /// The manifests at `paths`. A folder means every file in it whose name ends in .json, except for
  /// other output of this program; and in its subfolders, only those that have keys of manifests,
  /// because games have JSON files too. Hidden files and folders, and links to folders, are
  /// skipped. `-` is the standard input.
  package init(at paths: [BytePath]) throws(InputFilesError) {
    for path in paths {
      guard path.isFolder else {
        add(path)
        continue
      }
      let count = manifests.count + skipped.count
      try add(filesIn: path, isTop: true)
      if manifests.count + skipped.count == count { throw .noManifest(in: path) }
    }
  }

  private mutating func add(_ file: BytePath) {
    if seen.insert(file.place).inserted { manifests.append(file) }
  }

  private mutating func add(filesIn folder: BytePath, isTop: Bool) throws(InputFilesError) {
    let names = try mapping(InputFilesError.system, folder.names())
    var folders: [BytePath] = []
    for path in names.filter({ $0.first != ASCII.dot }).map({ folder.appending($0) }) {
      let kind = try Self.kind(of: path)
      if kind == .directory {
        folders.append(path)
      } else if path.hasExtension("json"), kind != .symbolicLink || !path.isFolder {
        let text: [UInt8]
        do throws(SystemError) {
          text = try path.contents(limit: JSONDocument.maximumSize)
        } catch {
          // It may be a manifest, so that the error becomes a finding; but a game's own file may be
          // too large for one.
          if error.code == .fileTooLarge, !isTop { continue }
          add(path)
          continue
        }
        if let kind = otherKind(ofManifest: text) {
          if seen.insert(path.place).inserted { skipped.append(Skipped(path: path, kind: kind)) }
        } else if isTop || hasManifestKeys(text) {
          add(path)
        }
      }
    }
    for folder in folders { try add(filesIn: folder, isTop: false) }
  }

  /// The kind of file at `path`, without following a link; nil if it was deleted meanwhile.
  private static func kind(of path: BytePath) throws(InputFilesError) -> FileKind? {
    try mapping(InputFilesError.system, FileStatus.ifPresent(path)?.kind)
  }
}

/// The type of a text that this program or Apple's writes next to manifests: `a download manifest`;
/// nil for other texts.
func otherKind(ofManifest text: [UInt8]) -> String? {
  // Most manifests don't contain these words and need not be parsed.
  guard contains(text, "assetPacks") || contains(text, "json-schema.org") else { return nil }
  let document = JSONDocument(reading: SourceText(name: "", bytes: text))
  guard let root = document.root, root["fileSelectors"] == nil else { return nil }
  if root["assetPacks"]?.array != nil {
    return root["schemaVersion"] == nil
      ? "a download manifest" : "the record of a download manifest"
  }
  let isSchema =
    root["$schema"]?.string?.utf8.starts(with: "http://json-schema.org/".utf8) == true
    || root["$schema"]?.string?.utf8.starts(with: "https://json-schema.org/".utf8) == true
  return isSchema ? "a JSON Schema" : nil
}

/// Whether a text contains the identifier key of manifests and one of their other keys, whatever
/// its syntax.
private func hasManifestKeys(_ text: [UInt8]) -> Bool {
  contains(text, "assetPackID")
    && (contains(text, "fileSelectors") || contains(text, "downloadPolicy"))
}

private func contains(_ text: [UInt8], _ word: String) -> Bool {
  let word = Array(word.utf8)
  guard let first = word.first else { return true }
  var start = 0
  while let found = text[start...].firstIndex(of: first) {
    if text[found...].starts(with: word) { return true }
    start = found + 1
  }
  return false
}

extension AppCheck {
  /// The manifests at `paths`, without duplicates; a folder means those in it and its subfolders.
  package static func manifests(at paths: [BytePath]) throws(InputFilesError) -> [BytePath] {
    try ManifestFiles(at: paths).manifests
  }
}

extension BytePath {
  /// Equal for all paths of a file, but not for links to it: a manifest's source root depends on
  /// its folder. If the folder can't be resolved, the file can't be read either.
  fileprivate var place: BytePath {
    isStandardStream ? self : (try? folder.resolved())?.appending(name) ?? self
  }
}
