/// The text of a proposed manifest.
struct ScaffoldText {
  let key: Scaffold.Key
  let unit: Scaffold.Unit
  /// How many levels down the folders are that a pack contains as a whole, not just the files
  /// directly in them.
  let depth: Int
  /// By folder, the subfolders whose contents are in packs of their language.
  let languageFolders: [RelativePath: [RelativePath]]
  /// The language folders whose contents can't have the paths of the folder above.
  let distinctFolders: Set<RelativePath>
  /// The selectors of packs of an engine's files, by the folder whose pack would have them.
  let engineSelectors: [RelativePath: Set<ProposedSelector>]
  let sourceRoot: String

  /// The manifest, with this identifier.
  func manifest(called identifier: String) -> String {
    proposedManifest(
      comment: summary, identifier: identifier, policy: .onDemand, explainsPolicy: true,
      selectors: selectors, platforms: [], language: key.language, sourceRoot: sourceRoot)
  }

  private var summary: String {
    var summary = "\(counted(unit.paths.count, "file")), \(byteCount(unit.size))"
    if unit.paths.count > 1, let largest = unit.largest {
      summary += "; the largest is '\(largest.path)' with \(byteCount(largest.size))"
    }
    if unit.hasCatalog {
      summary +=
        "\n  // The catalog is needed to find any bundle: make this pack \"essential\", or leave its "
        + "files with the app."
    }
    return summary
  }

  private var selectors: [ProposedSelector] {
    typealias Line = ProposedSelector
    var lines: [Line] = []
    if key.language != nil {
      lines = unit.languageFolders.sorted().map { folder in
        distinctFolders.contains(folder)
          ? Line(key: "directory", path: folder.bytes)
          : Line(key: "directorySource", path: folder.bytes, destination: folder.parent?.bytes)
      }
    } else if key.pack != nil {
      lines = unit.selectors.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    } else {
      let names = Dictionary(grouping: unit.paths) { $0.parent ?? .root }
      lines = folders.flatMap { folder in
        isWhole(folder)
          ? [Line(key: "directory", path: folder.bytes)]
          : selectors(of: names[folder] ?? [], in: folder)
      }
      lines += folders.filter(isWhole).flatMap { languageFolders[$0] ?? [] }.map {
        Line(key: "fileExclusion", path: $0.bytes, comment: "in the pack of its language")
      }
      lines += folders.flatMap { engineSelectors[$0] ?? [] }.map(\.exclusion).sorted {
        $0.path.lexicographicallyPrecedes($1.path)
      }
    }
    var known: Set<RelativePath> = []
    for exclusion in unit.exclusions.sorted(by: { $0.path < $1.path })
    where isSelected(exclusion) && known.insert(exclusion.path).inserted {
      lines.append(
        Line(key: "fileExclusion", path: exclusion.path.bytes, comment: exclusion.reason))
    }
    return lines
  }

  private var folders: [RelativePath] {
    ((unit.hasOwn ? [key.folder] : []) + unit.absorbed).sorted()
  }

  /// The selectors of the files directly in a folder: a pattern, which matches no leading dot.
  private func selectors(
    of files: [RelativePath], in folder: RelativePath
  ) -> [ProposedSelector] {
    let hidden = files.filter { $0.name.first == ASCII.dot }
    return (hidden.count < files.count ? [.files(in: folder)] : [])
      + hidden.sorted().map { .file($0) }
  }

  private func isWhole(_ folder: RelativePath) -> Bool { folder.components.count == depth }

  /// Whether a selector would match the exclusion: a pattern's `*` matches no folders and no names
  /// with a leading dot.
  private func isSelected(_ exclusion: ScaffoldWalk.Exclusion) -> Bool {
    key.language != nil || key.pack != nil
      || folders.contains { folder in
        isWhole(folder)
          ? exclusion.original.isInside(folder)
          : !exclusion.isFolder && exclusion.original.name.first != ASCII.dot
            && exclusion.original.parent == folder
      }
  }
}

/// A selector of a proposed manifest.
package struct ProposedSelector: Hashable {
  let key: String
  let path: [UInt8]
  /// The value of `directoryDestination`.
  let destination: [UInt8]?
  let comment: String?

  package init(
    key: String, path: [UInt8], destination: [UInt8]? = nil, comment: String? = nil
  ) {
    self.key = key
    self.path = path
    self.destination = destination
    self.comment = comment
  }

  /// The pattern; nil for a file or a folder.
  var glob: Glob? {
    key == "filePattern" ? try? Glob(RelativePath(unchecked: path)) : nil
  }

  /// What excludes the files of this selector, a file or a pattern, from another pack.
  fileprivate var exclusion: ProposedSelector {
    ProposedSelector(
      key: "fileExclusion",
      path: key == "file" ? RelativePath(unchecked: path).escaped.bytes : path,
      comment: "has its own pack")
  }

  static func file(_ path: RelativePath) -> ProposedSelector {
    ProposedSelector(key: "file", path: path.bytes)
  }

  /// The selector for a pattern of names in a folder.
  static func pattern(
    _ names: some Collection<UInt8>, in folder: RelativePath?, as key: String = "filePattern"
  ) -> ProposedSelector {
    ProposedSelector(key: key, path: (folder ?? .root).escaped.appending(names).bytes)
  }

  /// The pattern for the files directly in a folder, without those whose names begin with a dot.
  package static func files(
    in folder: RelativePath, as key: String = "filePattern"
  ) -> ProposedSelector { pattern("*".utf8, in: folder, as: key) }
}

/// The text of a manifest proposed for a repository, with comments. Without `sourceRoot` the project
/// file decides.
package func proposedManifest(
  comment: String, identifier: String, policy: DownloadPolicy, explainsPolicy: Bool,
  selectors: [ProposedSelector], platforms: [Platform], language: String?, sourceRoot: String?
) -> String {
  let events =
    policy == .onDemand
    ? ""
    : "\"installationEventTypes\": ["
      + policy.events.map { quoted($0.rawValue) }.joined(separator: ", ") + "]"
  var lines = ["{", "  // \(comment)", "  \"assetPackID\": \(quoted(identifier)),", ""]
  if explainsPolicy {
    lines += [
      "  // \"essential\" downloads the pack with the app, \"prefetch\" in the background after that,",
      "  // and \"onDemand\" when the app asks for it.",
    ]
  }
  lines += [
    "  \"downloadPolicy\": { \"\(policy.kind.rawValue)\": \(events.isEmpty ? "{}" : "{ \(events) }") },",
    "",
    "  // Paths start from the sourceRoot, and are the paths that the app reads.",
    "  \"fileSelectors\": [",
  ]
  for (index, selector) in selectors.enumerated() {
    let comma = index + 1 < selectors.count ? "," : ""
    let comment = selector.comment.map { " // \($0)" } ?? ""
    let target = selector.destination.map { ", \"directoryDestination\": \(quoted($0))" } ?? ""
    lines.append("    { \"\(selector.key)\": \(quoted(selector.path))\(target) }\(comma)\(comment)")
  }
  let platforms = platforms.map { quoted($0.rawValue) }.joined(separator: ", ")
  lines += [
    "  ],", "", "  // An empty list means every platform.", "  \"platforms\": [\(platforms)],",
  ]
  if let language { lines.append("  \"language\": \(quoted(language)),") }
  if let sourceRoot { lines.append("  \"sourceRoot\": \(quoted(sourceRoot)),") }
  lines[lines.count - 1].removeLast()
  return (lines + ["}"]).map { $0 + "\n" }.joined()
}

private func quoted(_ text: String) -> String { JSONWriter.text(JSONValue(text), .compact) }

private func quoted(_ text: [UInt8]) -> String { quoted(String(decoding: text, as: UTF8.self)) }
