/// The manifests at given paths, and the files in folders that were skipped.
package struct ManifestFiles: Sendable {
  /// A manifest with its text, which is read once.
  package struct File: Sendable {
    /// The path as given, or found in a folder.
    package let path: BytePath
    /// The text; the error if it can't be read.
    let text: Result<SourceText, SystemError>
    /// Whether the text is that of a file at the path, rather than of a stream or made in code.
    let isOnDisk: Bool

    package init(reading path: BytePath) {
      self.path = path
      isOnDisk = !path.isStandardStream
      do {
        text = .success(try SourceText(readingManifest: path))
      } catch {
        text = .failure(error)
      }
    }

    /// `file` as if it had been read from `path`.
    fileprivate init(_ path: BytePath, instead file: File) {
      self.path = path
      isOnDisk = true
      text = file.text.map { SourceText(name: path.bytes, bytes: $0.bytes) }
    }

    /// A manifest made in code, the one with this number.
    fileprivate init(_ manifest: Manifest, number: Int) {
      let name = manifest.assetPackID.utf8
      let isName =
        !name.isEmpty && name.count < 200 && !name.contains { $0 == 0 || $0 == ASCII.slash }
      path = BytePath(((isName ? manifest.assetPackID : "manifest-\(number)") + ".json").utf8)
      isOnDisk = false
      text = .success(SourceText(name: path.bytes, bytes: manifest.encoded()))
    }
  }

  package private(set) var files: [File] = []
  /// Files in folders that this program wrote and that aren't manifests, each with its type: `a
  /// download manifest`.
  package private(set) var skipped: [(path: BytePath, kind: String)] = []
  private var seen: Set<BytePath> = []
  /// The number of manifests in folders, with those that were found before.
  private var count = 0

  /// The manifests at `paths`. A folder means every file in it whose name ends in .json, except for
  /// other output of this program; and in its subfolders, only those that have keys of manifests,
  /// because games have JSON files too. Hidden files and folders, and links to folders, are
  /// skipped. `-` is the standard input.
  ///
  /// Fails if a folder has none, or if there are no paths, unless the caller takes packs, too.
  package init(at paths: [BytePath], besidePacks: Bool = false) throws {
    if paths.isEmpty, !besidePacks { throw PackagingError("there are no manifests") }
    for path in paths {
      if path.bytes.isEmpty { throw PackagingError("the path of a manifest is empty") }
      guard try path.isFolder() else {
        if seen.insert(path.identity).inserted { files.append(File(reading: path)) }
        continue
      }
      let (known, others) = (count, skipped.count)
      try add(filesIn: path, isTop: true)
      guard count == known else { continue }
      if try !PackOrManifest.packs(inFolder: path).isEmpty {
        throw PackagingError("'\(path)' has asset packs, not manifests")
      }
      let other = skipped[others...].first.map { "'\($0.path)' is \($0.kind)" }
      let (kinds, ends) =
        besidePacks ? ("asset packs or manifests", ".aar or .json") : ("manifests", ".json")
      throw PackagingError(
        "no \(kinds) in '\(path)': \(other ?? "no file name there ends in \(ends)")")
    }
  }

  /// Manifests made in code.
  init(of manifests: [Manifest]) throws {
    if manifests.isEmpty { throw PackagingError("there are no manifests") }
    files = manifests.enumerated().map { File($1, number: $0 + 1) }
  }

  /// Checks the standard input as the manifest at `path`.
  package mutating func nameStandardInput(_ path: BytePath) {
    files = files.map { $0.path.isStandardStream ? File(path, instead: $0) : $0 }
  }

  private mutating func add(filesIn folder: BytePath, isTop: Bool) throws {
    let names = try folder.names()
    var folders: [BytePath] = []
    for path in names.filter({ $0.first != ASCII.dot }).map({ folder.appending($0) }) {
      let kind = try Self.kind(of: path)
      if kind == .directory {
        folders.append(path)
      } else if path.hasExtension("json") {
        if kind == .symbolicLink, try path.isFolder() { continue }
        add(File(reading: path), isTop: isTop)
      }
    }
    for folder in folders { try add(filesIn: folder, isTop: false) }
  }

  private mutating func add(_ file: File, isTop: Bool) {
    switch file.text {
    // A game's own file may be too large for a manifest.
    case .failure(let error) where error.code == .fileTooLarge && !isTop: return
    // It may be a manifest, so the error becomes a finding.
    case .failure: break
    case .success(let text):
      if let kind = otherKind(ofManifest: text.bytes) {
        if seen.insert(file.path.identity).inserted {
          skipped.append((file.path, kind))
        }
        return
      }
      guard isTop || hasManifestKeys(text.bytes) else { return }
    }
    count += 1
    if seen.insert(file.path.identity).inserted { files.append(file) }
  }

  /// The kind of file at `path`, without following a link; nil if it was deleted meanwhile.
  private static func kind(of path: BytePath) throws -> FileKind? {
    try FileStatus.ifPresent(path)?.kind
  }
}

/// The type of a text that this program or Apple's writes next to manifests: `a download manifest`;
/// nil for other texts.
func otherKind(ofManifest text: [UInt8]) -> String? {
  // Most manifests don't contain these words and need not be parsed.
  guard ["assetPacks", "json-schema.org", "downloadSize"].contains(where: { contains(text, $0) })
  else { return nil }
  let document = JSONDocument(reading: SourceText(name: "", bytes: text))
  guard let root = document.root, root["fileSelectors"] == nil else { return nil }
  if root["assetPacks"]?.array != nil {
    return root["schemaVersion"] == nil
      ? "a download manifest" : "the record of a download manifest"
  }
  if root["packs"]?.array != nil { return "a report" }
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

extension BytePath {
  /// Equal for all paths of a file, but not for links to it: a manifest's source root depends on
  /// its folder. If the folder can't be resolved, the file can't be read either.
  fileprivate var identity: BytePath {
    isStandardStream ? self : (try? folder.resolved())?.appending(name) ?? self
  }
}
