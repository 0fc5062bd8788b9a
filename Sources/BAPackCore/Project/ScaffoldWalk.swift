/// Finds the files below a folder for proposing packs, and those to exclude.
struct ScaffoldWalk {
  /// A file and its innermost language folder.
  struct File {
    let path: RelativePath
    let size: UInt64
    let language: LanguageFolder?
  }

  /// A folder with the contents of one language.
  struct LanguageFolder: Hashable {
    let path: RelativePath
    let language: String
  }

  /// An exclusion in a manifest.
  struct Exclusion: Hashable {
    /// The path or pattern of the selector.
    let path: RelativePath
    /// The reason, for a comment.
    let reason: String
    /// The path of the first match.
    let original: RelativePath
    /// Whether it is a folder, or a link to one, which patterns for files don't match.
    let isFolder: Bool
  }

  private(set) var files: [File] = []
  private(set) var exclusions: [Exclusion] = []
  /// Why some files can't be packaged at all: they can't be read, or have names that aren't UTF-8.
  private(set) var problems: [String] = []
  /// The sizes of the files that programs for artists have saved.
  private(set) var art: [UInt64] = []
  /// What looks like a folder of a language and isn't.
  private(set) var notes: [String] = []
  /// Hidden files and folders at the top, which belong to tools.
  private(set) var hidden: [RelativePath] = []
  private let skipped: Set<FileStatus.Identity>
  private var ancestors: [FileStatus.Identity] = []
  /// The number of visits to each folder: only links cause more than one.
  private var visits: [FileStatus.Identity: Int] = [:]
  /// Whether a folder was visited too often, which ends the walk.
  private var isGivenUp = false

  /// A walk that ignores the folders with these identities.
  init(skipping skipped: Set<FileStatus.Identity>) { self.skipped = skipped }

  mutating func run(_ tree: borrowing SourceTree) { visit(.root, nil, tree) }

  private mutating func visit(
    _ folder: RelativePath, _ language: LanguageFolder?, _ tree: borrowing SourceTree
  ) {
    let (identity, children): (FileStatus.Identity, [SourceTree.Child])
    do {
      (identity, children) = try tree.children(of: folder)
    } catch {
      return problems.append("\(error)")
    }
    if ancestors.contains(identity) {
      return exclude(folder, "leads back to a folder above it", isFolder: true)
    }
    visits[identity, default: 0] += 1
    if visits[identity, default: 0] > TreeWalk.maximumVisits {
      isGivenUp = true
      problems.append(TreeWalk.tooManyVisits(to: folder))
      return
    }
    ancestors.append(identity)
    defer { ancestors.removeLast() }
    let folders = children.filter { $0.status.kind == .directory }.map(\.name)
    let paths = Set(children.map { folder.appending($0.name) })
    for child in children where !isGivenUp {
      let path = folder.appending(child.name)
      if folder == .root, child.name.first == ASCII.dot {
        if child.name != Array(Project.fileName.utf8) { hidden.append(path) }
        continue
      }
      var status = child.status
      if status.kind == .symbolicLink {
        switch tree.target(of: path) {
        case .there(let target): status = target
        case .blocked(let obstacle):
          switch obstacle {
          case .replaced, .unreadable:
            problems.append(tree.finding(obstacle, path, at: nil).message)
          default: exclude(path, "leads to nothing inside the source root")
          }
          continue
        }
      }
      if String(validating: child.name, as: UTF8.self) == nil {
        problems.append("the name of '\(path)' is not UTF-8")
        continue
      }
      if let stray = StrayFiles.exclusion(
        of: path, isFolder: status.kind == .directory)
      {
        exclusions.append(
          Exclusion(
            path: stray, reason: "made by a tool", original: path,
            isFolder: status.kind == .directory))
        continue
      }
      switch status.kind {
      // Files that can't be read are reported when the proposals are checked.
      case .file
      where (try? OwnOutput.isOne(tree.root.appending(path.bytes), size: status.size)) == true:
        exclude(path, "written by ba-package")
      case .file where FileRule.sourceArt(path, beside: paths.contains) != nil:
        let art = FileRule.sourceArt(path, beside: paths.contains)
        self.art.append(status.size)
        // Patterns are compared byte by byte: the extension is excluded as it is written.
        let end = path.name.lastIndex(of: ASCII.dot) ?? path.name.startIndex
        exclusions.append(
          Exclusion(
            path: RelativePath(unchecked: Array("**/*".utf8) + path.name[end...]),
            reason: art?.program ?? "", original: path, isFolder: false))
      case .file:
        files.append(File(path: path, size: status.size, language: language))
      case .directory where skipped.contains(status.identity):
        exclude(path, "the manifests", isFolder: true)
      case .directory:
        let inner = LanguageFolders.language(child.name, among: folders)
          .map { LanguageFolder(path: path, language: $0) }
        if inner == nil, language == nil,
          let meant = LanguageFolders.language(meantBy: child.name, among: folders)
        {
          notes.append(
            "'\(path)' is not the folder of a language, so all players get it; did you mean '\(meant)'?"
          )
        }
        if inner == nil, let meant = LanguageFolders.language(ofResources: child.name) {
          notes.append(
            "'\(path)' is named as Android's resources in '\(meant)', which is no folder of a language "
              + "for apps here, so all players get it")
        }
        visit(path, language ?? inner, tree)
      default:
        exclude(path, "\(status.kind)")
      }
    }
  }

  private mutating func exclude(
    _ path: RelativePath, _ reason: String, isFolder: Bool = false
  ) {
    exclusions.append(Exclusion(path: path, reason: reason, original: path, isFolder: isFolder))
  }
}

/// Folders with the contents of one language: `de.lproj`, or `de`, `pt-BR` and `zh_Hant` next to
/// similar ones.
enum LanguageFolders {
  /// The language of the folder `name`, one of `siblings`, all folders in its parent; nil if it has
  /// none. A name without `.lproj` counts only if another sibling is a language and, unless it has
  /// a script or region, at least half of the siblings are: `io` next to `lib` and `test` isn't
  /// one.
  static func language(_ name: [UInt8], among siblings: some Collection<[UInt8]>) -> String? {
    if let localized = localizedName(name) { return language(ofProject: localized) }
    guard let language = tag(name) else { return nil }
    let others = siblings.filter { localizedName($0) == nil }
    let languages = others.count { tag($0) != nil }
    let isClear = languages * 2 >= others.count || language.contains("-")
    return languages >= 2 && isClear ? language : nil
  }

  /// `ja` for `jp`, the code of a country, next to folders of languages.
  static func language(
    meantBy name: [UInt8], among siblings: some Collection<[UInt8]>
  ) -> String? {
    let parts = String(decoding: name, as: UTF8.self).replacing("_", with: "-").split(
      separator: "-")
    guard let first = parts.first, let meant = languageOfCountry[first.lowercased()],
      siblings.contains(where: { language($0, among: siblings) != nil })
    else { return nil }
    return ([meant] + parts.dropFirst().map(String.init)).joined(separator: "-")
  }

  /// `de` of `values-de`, as Android names folders.
  static func language(ofResources name: [UInt8]) -> String? {
    let start = Array("values-".utf8)
    return name.starts(with: start) ? tag(Array(name.dropFirst(start.count))) : nil
  }

  /// `de` of `de.lproj`.
  private static func localizedName(_ name: [UInt8]) -> String? {
    guard name.count > 6, name.suffix(6).elementsEqual(".lproj".utf8) else { return nil }
    return String(decoding: name.dropLast(6), as: UTF8.self)
  }

  private static func language(ofProject name: String) -> String? {
    let old = [
      "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja",
      "Dutch": "nl", "Spanish": "es",
    ]
    let tag = old[name] ?? name.replacing("_", with: "-")
    return name != "Base" && isLanguageTag(tag) ? tag : nil
  }

  /// A tag with a language of ISO 639-1 or Filipino, and optionally a script and a region. Codes that
  /// were replaced count as the usual ones: Android has Hebrew in `iw`, and Brazil in `pt-rBR`.
  private static func tag(_ name: [UInt8]) -> String? {
    var text = String(decoding: name, as: UTF8.self).replacing("_", with: "-")
    var parts = text.split(separator: "-")
    if parts.count == 2, parts[1].utf8.count == 3, parts[1].first == "r",
      parts[1].dropFirst().utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
    {
      parts[1].removeFirst()
      text = parts.joined(separator: "-")
    }
    guard let first = parts.first, first.utf8.count == 2 || first.lowercased() == "fil",
      isLanguageTag(text), unregisteredPart(ofLanguageTag: text) == nil
    else {
      return nil
    }
    return replacement(ofLanguageTag: text) ?? text
  }
}
