/// Proposed manifests for the files of a repository: one for each folder, one for each language in a
/// folder, and one for what an engine exported as one.
package struct Scaffold: Sendable {
  package struct Pack: Sendable {
    /// The identifier, which is also the file name of the manifest without its extension.
    package let identifier: String
    /// The text of the manifest, with comments.
    package let manifest: [UInt8]
    /// The files that it is proposed for.
    package let files: Set<RelativePath>
    package let size: UInt64

    /// Where the manifest, as checked, selects other files, which is a mistake of this program.
    package func difference(from selection: Selection) -> String? {
      let selected = Set(selection.files.map(\.source))
      if let file = files.subtracting(selected).min() {
        return "the manifest proposed for '\(file)' doesn't select it"
      }
      return selected.subtracting(files).min().map {
        "the manifest of '\(identifier)' selects '\($0)', which is not for that pack"
      }
    }
  }

  package let packs: [Pack]
  /// Why some files are in no pack, one sentence each.
  package let problems: [String]
  /// What a person has to look at, one sentence each.
  package let notes: [String]
  /// Hidden files and folders at the top, which are in no pack.
  package let hidden: [RelativePath]

  /// Proposes packs for the files below `folder`: one for each folder `depth` levels below it (by
  /// default, below the first folder with more than one thing in it), and for files in the folders
  /// above those. A folder with less than `minimumSize` bytes joins the pack
  /// of the one above it. The folders in `skipped` are ignored. Manifests refer to the folder as
  /// `sourceRoot`.
  package init(
    of folder: BytePath, depth: Int?, minimumSize: UInt64 = 0, skipping skipped: [BytePath],
    sourceRoot: String
  ) throws(SystemError) {
    let tree = try SourceTree(folder)
    var identities: Set<FileStatus.Identity> = []
    for folder in skipped where try FileStatus.ifPresent(folder) != nil {
      identities.insert(try FileStatus.following(folder).identity)
    }
    var walk = ScaffoldWalk(skipping: identities)
    walk.run(tree)
    let name = try folder.resolved().name
    let engine = EngineFiles(walk.files, in: tree)
    let unpackaged = Set(engine.exclusions.map(\.original))
    let files = walk.files.filter { !unpackaged.contains($0.path) }
    // Not into what an engine exported, or folders of languages, whose names say more.
    let isPlain =
      engine.members.isEmpty && engine.catalogs.isEmpty && files.allSatisfy { $0.language == nil }
    let top = depth == nil && isPlain ? Self.commonFolder(files.map(\.path)) : .root
    let depth = depth ?? top.components.count + 1
    var units: [Key: Unit] = [:]
    /// By folder of packs, the selectors of the engine's packs.
    var engineSelectors: [RelativePath: Set<ProposedSelector>] = [:]
    for file in files {
      let folder = Key.folder(of: file.path, depth)
      if let member = engine.members[file.path] {
        units[member.pack, default: Unit()].add(file, member.selector)
        engineSelectors[folder, default: []].insert(member.selector)
        continue
      }
      let key = Key(folder: folder, language: file.language?.language)
      units[key, default: Unit()].add(file, hasCatalog: engine.catalogs.contains(file.path))
    }
    let languages = Set(files.compactMap(\.language))
    for exclusion in Self.narrowed(walk.exclusions, besides: files) + engine.exclusions {
      let language = languages.first { exclusion.original.isInside($0.path) }?.language
      let key = Key(folder: Key.folder(of: exclusion.original, depth), language: language)
      units[key]?.exclusions.insert(exclusion)
      for pack in engine.patterns.values(matching: exclusion.original) {
        units[pack]?.exclusions.insert(exclusion)
      }
    }
    let languageFolders = Dictionary(
      grouping: units.keys.filter { $0.language != nil }, by: \.folder
    )
    .mapValues { keys in keys.flatMap { units[$0]?.languageFolders ?? [] }.sorted() }
    for level in stride(from: depth, to: top.components.count, by: -1) {
      for (key, unit) in units.sorted(by: { $0.key < $1.key })
      where key.language == nil && key.pack == nil && key.folder.components.count == level
        && unit.size < minimumSize
      {
        units[key] = nil
        let parent = Key(folder: key.folder.parent ?? .root, language: nil)
        units[parent, default: Unit()].absorb(unit, of: key.folder)
      }
    }
    let distinct = Self.distinctFolders(files)
    var known: Set<String> = []
    packs = units.sorted { $0.key < $1.key }.map { key, unit in
      let text = ScaffoldText(
        key: key, unit: unit, depth: depth, languageFolders: languageFolders,
        distinctFolders: distinct, engineSelectors: engineSelectors, sourceRoot: sourceRoot)
      let identifier = AssetPackIdentifier.make(
        from: key.name(below: top == .root ? Array(name) : top.name.map(\.self), top),
        except: &known)
      return Pack(
        identifier: identifier, manifest: Array(text.manifest(called: identifier).utf8),
        files: Set(unit.paths), size: unit.size)
    }
    problems = walk.problems + engine.problems
    let left =
      walk.art.isEmpty
      ? []
      : [
        "left out: \(counted(walk.art.count, "file")) of editors,"
          + " \(byteCount(walk.art.reduce(0, saturatingSum))); the manifests have exclusions for them"
      ]
    notes = walk.notes + engine.notes + left
    hidden = walk.hidden
  }

  /// The innermost folder that all `files` are in.
  private static func commonFolder(_ files: [RelativePath]) -> RelativePath {
    var common = files.first?.parent ?? .root
    for file in files { while !file.isInside(common) { common = common.parent ?? .root } }
    return common
  }

  /// The exclusions, with the path of the one match where a pattern would exclude files to be packaged.
  private static func narrowed(
    _ exclusions: [ScaffoldWalk.Exclusion], besides files: [ScaffoldWalk.File]
  ) -> [ScaffoldWalk.Exclusion] {
    var patterns = GlobIndex<RelativePath>()
    for path in Set(exclusions.map(\.path)) where Glob.isPattern(path.bytes) {
      if let glob = try? Glob(path) { patterns.add(glob, path) }
    }
    let tooWide = Set(files.lazy.flatMap { patterns.values(matching: $0.path) })
    return exclusions.map { exclusion in
      if exclusion.isFolder || !tooWide.contains(exclusion.path) { return exclusion }
      return ScaffoldWalk.Exclusion(
        path: exclusion.original.escaped, reason: exclusion.reason, original: exclusion.original,
        isFolder: false)
    }
  }

  /// The folders of languages whose files can't move to the folder above, as the same files of other
  /// languages do: where they would have the path of another file, and at the top, since Apple's tool
  /// may fail on that.
  private static func distinctFolders(_ files: [ScaffoldWalk.File]) -> Set<RelativePath> {
    struct Target: Hashable {
      let language: String?
      let path: RelativePath
    }
    var owners: [Target: RelativePath?] = [:]
    for file in files where file.language == nil {
      owners[Target(language: nil, path: file.path)] = .some(nil)
    }
    var distinct: Set<RelativePath> = []
    for file in files {
      guard let language = file.language else { continue }
      let path = file.path.moved(from: language.path, to: language.path.parent ?? .root)
      let target = Target(language: language.language, path: path)
      if owners[Target(language: nil, path: path)] != nil { distinct.insert(language.path) }
      if let other = owners.updateValue(language.path, forKey: target), other != language.path {
        distinct.formUnion([language.path, other].compactMap(\.self))
      }
    }
    // All languages of a folder have the same paths.
    let parents = Set(distinct.map(\.parent) + [.root])
    return Set(files.compactMap(\.language?.path).filter { parents.contains($0.parent) })
  }

  /// The folder and language of a pack.
  struct Key: Hashable, Comparable {
    let folder: RelativePath
    /// The language of its contents; nil for contents without one.
    let language: String?
    /// The engine's name of the pack.
    var pack: String?

    /// The folder of `path`, at most `depth` levels below the top.
    static func folder(of path: RelativePath, _ depth: Int) -> RelativePath {
      let parts = path.components.dropLast().prefix(depth)
      return RelativePath(unchecked: Array(parts.joined(separator: [ASCII.slash])))
    }

    /// The name of the pack: the path of its folder, or `top`, and the language.
    func name(below top: [UInt8], _ root: RelativePath) -> String {
      if let pack { return pack }
      let name = folder == root ? top : folder.moved(from: root, to: .root).bytes
      let text = String(decoding: name, as: UTF8.self)
      guard let language, !folder.name.elementsEqual(language.utf8) else { return text }
      return text + "-" + language
    }

    static func < (left: Key, right: Key) -> Bool {
      if left.folder != right.folder { return left.folder < right.folder }
      return (left.pack ?? "", left.language ?? "") < (right.pack ?? "", right.language ?? "")
    }
  }

  /// The files of a proposed pack.
  struct Unit {
    private(set) var paths: [RelativePath] = []
    private(set) var size: UInt64 = 0
    private(set) var largest: ScaffoldWalk.File?
    private(set) var languageFolders: Set<RelativePath> = []
    private(set) var selectors: Set<ProposedSelector> = []
    /// The folders whose files are in the pack, besides the one that names it.
    private(set) var absorbed: [RelativePath] = []
    /// Whether there are files in the folder itself, rather than in absorbed ones.
    private(set) var hasOwn = false
    /// Whether one of the files lists Unity's bundles.
    private(set) var hasCatalog = false
    var exclusions: Set<ScaffoldWalk.Exclusion> = []

    mutating func absorb(_ other: Unit, of folder: RelativePath) {
      paths += other.paths
      if other.hasCatalog { hasCatalog = true }
      size = saturatingSum(size, other.size)
      if let file = other.largest, file.size > largest?.size ?? 0 { largest = file }
      exclusions.formUnion(other.exclusions)
      absorbed += (other.hasOwn ? [folder] : []) + other.absorbed
    }

    mutating func add(
      _ file: ScaffoldWalk.File, _ selector: ProposedSelector? = nil, hasCatalog: Bool = false
    ) {
      if let selector { selectors.insert(selector) }
      hasOwn = true
      if hasCatalog { self.hasCatalog = true }
      paths.append(file.path)
      size = saturatingSum(size, file.size)
      if file.size > largest?.size ?? 0 { largest = file }
      if let folder = file.language?.path { languageFolders.insert(folder) }
    }
  }
}
