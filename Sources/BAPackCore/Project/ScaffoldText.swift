/// The text of a proposed manifest.
struct ScaffoldText {
  let key: Scaffold.Key
  let unit: Scaffold.Unit
  /// Whether the pack contains the whole folder, not just the files directly in it.
  let isWhole: Bool
  /// Subfolders whose contents are in packs of their language.
  let exceptLanguages: [RelativePath]
  let sourceRoot: String

  /// The manifest, with this identifier.
  func manifest(called identifier: String) -> String {
    var lines = ["{", "  // \(summary)", "  \"assetPackID\": \(quoted(identifier)),", ""]
    lines += [
      "  // \"essential\" downloads the pack with the app, \"prefetch\" in the background after that,",
      "  // and \"onDemand\" when the app asks for it.",
      "  \"downloadPolicy\": { \"onDemand\": {} },", "",
      "  // Paths start from the sourceRoot, and are the paths that the app reads.",
      "  \"fileSelectors\": [",
    ]
    let selectors = selectors
    for (index, selector) in selectors.enumerated() {
      let comma = index + 1 < selectors.count ? "," : ""
      let comment = selector.comment.map { " // \($0)" } ?? ""
      lines.append("    { \"\(selector.key)\": \(quoted(selector.path)) }\(comma)\(comment)")
    }
    lines += ["  ],", "", "  // An empty list means every platform.", "  \"platforms\": [],"]
    if let language = key.language { lines.append("  \"language\": \(quoted(language)),") }
    lines += ["  \"sourceRoot\": \(quoted(sourceRoot))", "}"]
    return lines.map { $0 + "\n" }.joined()
  }

  private var summary: String {
    let files = "\(counted(unit.count, "file")), \(byteCount(unit.size))"
    guard unit.count > 1, let largest = unit.largest else { return files }
    return "\(files); the largest is '\(largest.path)' with \(byteCount(largest.size))"
  }

  private struct Line {
    let key: String
    let path: [UInt8]
    var comment: String?
  }

  private var selectors: [Line] {
    var lines: [Line] = []
    if key.language != nil {
      lines = unit.languageFolders.sorted().map { Line(key: "directory", path: $0.bytes) }
    } else if isWhole {
      lines = [Line(key: "directory", path: key.folder.bytes)]
      lines += exceptLanguages.map {
        Line(key: "fileExclusion", path: $0.bytes, comment: "in the pack of its language")
      }
    } else {
      lines = [Line(key: "filePattern", path: escaped(key.folder).appending("*".utf8).bytes)]
    }
    var known: Set<RelativePath> = []
    for exclusion in unit.exclusions.sorted(by: { $0.path < $1.path })
    where isSelected(exclusion) && known.insert(exclusion.path).inserted {
      lines.append(
        Line(key: "fileExclusion", path: exclusion.path.bytes, comment: exclusion.reason))
    }
    return lines
  }

  /// Whether a selector would match the exclusion: a pattern's `*` matches no folders and no names
  /// with a leading dot.
  private func isSelected(_ exclusion: ScaffoldWalk.Exclusion) -> Bool {
    isWhole || key.language != nil
      || !exclusion.isFolder && exclusion.place.name.first != ASCII.dot
        && exclusion.place.parent == key.folder
  }

  private func escaped(_ path: RelativePath) -> RelativePath {
    RelativePath(
      unchecked: path.bytes.flatMap { Glob.isPattern([$0]) ? [ASCII.backslash, $0] : [$0] })
  }

  private func quoted(_ text: String) -> String { quoted(Array(text.utf8)) }

  private func quoted(_ text: [UInt8]) -> String {
    JSONWriter.text(JSONValue(String(decoding: text, as: UTF8.self)), .compact)
  }
}
