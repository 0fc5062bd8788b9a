/// The files that an engine exported, by the packs that they belong to: each of Godot's packs, Unity's
/// bundles by group, Unreal's chunks by number. What a file is decides, and what it doesn't tell for
/// certain is noted.
struct EngineFiles {
  /// The pack of a file, named as the engine does, and the selector that the file needs.
  struct Member {
    let pack: Scaffold.Key
    let selector: ProposedSelector
  }

  private(set) var members: [RelativePath: Member] = [:]
  /// The packs whose patterns match a path.
  private(set) var patterns = GlobIndex<Scaffold.Key>()
  /// What belongs in no pack.
  private(set) var exclusions: [ScaffoldWalk.Exclusion] = []
  /// The lists of Unity's bundles.
  private(set) var catalogs: Set<RelativePath> = []
  /// Why the packs would be of no use, one sentence each.
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []

  init(_ files: [ScaffoldWalk.File], in tree: borrowing SourceTree) {
    var chunks: [RelativePath: [RelativePath]] = [:]
    var global: [RelativePath] = []
    var bundles: [RelativePath] = []
    var catalogs: [RelativePath: Catalog] = [:]
    for path in files.lazy.filter({ $0.language == nil }).map(\.path) {
      let name = path.name
      if name.ends(with: ".pck".utf8) {
        if starts(path, with: "GDPC", "a pack of Godot's", tree) {
          add(path, "\(text(name.dropLast(4)))", .file(path))
        }
      } else if name.ends(with: ".bundle".utf8) {
        bundles.append(path)
      } else if name.elementsEqual(Catalog.tags.utf8) || Catalog.isName(name) {
        let folder = path.parent ?? .root
        do {
          guard let list = try Catalog.List(reading: path, in: tree) else { continue }
          catalogs[folder, default: Catalog()].add(list)
          self.catalogs.insert(path)
        } catch {
          notes.append("can't read the catalog '\(path)' of Unity's Addressables: \(error)")
          catalogs[folder, default: Catalog()].names = nil
        }
      } else if ["global.ucas", "global.utoc"].contains(where: { name.elementsEqual($0.utf8) }) {
        global.append(path)
      } else if let chunk = chunk(name) {
        chunks[(path.parent ?? .root).appending(chunk.utf8), default: []].append(path)
      }
    }
    for (chunk, files) in chunks.sorted(by: { $0.key < $1.key }) { add(chunk: chunk, files) }
    let staged = Set(chunks.keys.map { $0.parent ?? .root })
    for path in global where staged.contains(path.parent ?? .root) {
      exclude(path, "Unreal reads it when the app starts, so it belongs in the app")
    }
    for path in bundles {
      // A catalog lists the bundles in its folder and below it.
      let own = path.ancestors.compactMap { catalogs[$0] }
      if !own.isEmpty, starts(path, with: "UnityFS", "a bundle of Unity's", tree) {
        add(bundle: path, own)
      }
    }
    resolvePatterns(files)
  }

  private mutating func add(_ path: RelativePath, _ pack: String, _ selector: ProposedSelector) {
    members[path] = Member(
      pack: Scaffold.Key(folder: path.parent ?? .root, language: nil, pack: pack),
      selector: selector)
  }

  private mutating func exclude(_ path: RelativePath, _ reason: String) {
    notes.append("'\(path)' is in no pack: \(reason)")
    exclusions.append(
      ScaffoldWalk.Exclusion(
        path: path.escaped, reason: reason, original: path, isFolder: false))
  }

  /// Selects members by name where a pattern also matches a file of another pack.
  private mutating func resolvePatterns(_ files: [ScaffoldWalk.File]) {
    var proposed = GlobIndex<(selector: ProposedSelector, pack: Scaffold.Key)>()
    var known: Set<ProposedSelector> = []
    for member in members.values where known.insert(member.selector).inserted {
      if let glob = member.selector.glob { proposed.add(glob, (member.selector, member.pack)) }
    }
    let excluded = Set(exclusions.map(\.original))
    var tooWide: Set<ProposedSelector> = []
    for file in files where !excluded.contains(file.path) {
      let member = members[file.path]
      let matching = proposed.values(matching: file.path)
      for (selector, pack) in matching where pack != member?.pack { tooWide.insert(selector) }
      // A wildcard at the start doesn't match a dot.
      if let member, member.selector.glob != nil,
        !matching.contains(where: { $0.selector == member.selector })
      {
        tooWide.insert(member.selector)
      }
    }
    for (path, member) in members where tooWide.contains(member.selector) {
      members[path] = Member(pack: member.pack, selector: .file(path))
    }
    known.formUnion(tooWide)
    for member in members.values where known.remove(member.selector) != nil {
      if let glob = member.selector.glob { patterns.add(glob, member.pack) }
    }
  }

  /// Whether a file begins with `signature`; it is noted if not.
  private mutating func starts(
    _ path: RelativePath, with signature: String, _ kind: String, _ tree: borrowing SourceTree
  ) -> Bool {
    do {
      let bytes = try tree.folder.bytes(of: path, upTo: signature.utf8.count)
      if bytes.elementsEqual(signature.utf8) { return true }
      notes.append("'\(path)' is not \(kind): it doesn't begin with '\(signature)'")
    } catch {
      notes.append("can't tell whether '\(path)' is \(kind): \(error)")
    }
    return false
  }

  // MARK: Unreal

  /// `pakchunk7` for the name of a file of Unreal's chunk 7.
  private func chunk(_ name: ArraySlice<UInt8>) -> String? {
    let word = "pakchunk"
    guard name.starts(with: word.utf8), let type = type(name), Self.chunkTypes.contains(type)
    else { return nil }
    let digits = name.dropFirst(word.utf8.count).prefix(while: ASCII.isDigit)
    return digits.isEmpty || digits.count > 9 ? nil : word + text(digits)
  }

  private static let chunkTypes = ["pak", "ucas", "utoc", "sig"]

  /// Adds the files of a chunk, which engines read together.
  private mutating func add(chunk: RelativePath, _ files: [RelativePath]) {
    let names = Set(files)
    func beside(_ path: RelativePath, _ type: String) -> RelativePath {
      var stem = path.bytes.prefix(upTo: path.bytes.lastIndex(of: ASCII.dot) ?? path.bytes.endIndex)
      // Contents over several files: 'pakchunk7-ios_s1.ucas'.
      let digits = stem.reversed().prefix(while: ASCII.isDigit).count
      if digits > 0, stem.dropLast(digits).ends(with: "_s".utf8) {
        stem = stem.dropLast(digits + 2)
      }
      return RelativePath(unchecked: Array(stem) + Array(".\(type)".utf8))
    }
    for path in files {
      let needed =
        switch type(path.name) {
        case "ucas": ["utoc", "pak"]
        case "utoc": ["ucas", "pak"]
        case "sig": ["pak"]
        default: [String]()
        }
      for other in needed.map({ beside(path, $0) }) where !names.contains(other) {
        problems.append("'\(path)' is of no use without '\(other)', which is not there")
      }
      // Up to the platform, so that the pattern also selects what later builds add.
      let end = path.name.firstIndex(of: UInt8(ascii: "-"))
      add(
        path, text(chunk.name),
        end.map { .pattern(escaped(path.name[...$0]) + "*".utf8, in: path.parent) } ?? .file(path))
    }
  }

  // MARK: Unity

  /// Adds a bundle that a tag or its name assigns to a group.
  private mutating func add(bundle path: RelativePath, _ catalogs: [Catalog]) {
    let name = path.name
    if let tag = catalogs.lazy.compactMap({ $0.tags[Array(name)] }).first {
      // Some projects tag each bundle with its own name.
      let tag = RelativePath(unchecked: Array(tag.utf8)).withoutHash
      let pack = tag.name.ends(with: ".bundle".utf8) ? tag.name.dropLast(7) : tag.name
      let stem = path.withoutHash.name.dropLast(7)
      return add(
        path, text(pack),
        path.withoutHash == path
          ? .file(path)
          : .pattern(
            escaped(name[..<(name.startIndex + stem.count + 1)])
              + String(repeating: "?", count: 32).utf8 + ".bundle".utf8, in: path.parent))
    }
    // What all bundles share: shaders and scripts.
    let words = ["_unitybuiltinassets", "_unitybuiltinshaders", "_monoscripts"]
    if let word = words.first(where: { path.withoutHash.name.dropLast(7).ends(with: $0.utf8) }) {
      return add(path, "shared", .pattern("*\(word)*.bundle".utf8, in: path.parent))
    }
    if catalogs.contains(where: \.isCatalog),
      catalogs.allSatisfy({ $0.names.map { !$0.contains(Array(name)) } ?? false })
    {
      return exclude(path, "no catalog names it, so it may be of an earlier build")
    }
    let ends = ["_assets_", "_scenes_"].compactMap { word in
      name.indices.first { name[$0...].starts(with: word.utf8) }.map { ($0, word) }
    }
    guard let (end, word) = ends.min(by: { $0.0 < $1.0 }), end > name.startIndex else {
      return notes.append("the name of '\(path)' doesn't tell its group")
    }
    add(
      path, text(name[..<end]),
      .pattern(escaped(name[..<end]) + "\(word)*.bundle".utf8, in: path.parent))
  }

  /// A part of a name for a pattern.
  private func escaped(_ name: ArraySlice<UInt8>) -> [UInt8] {
    RelativePath(unchecked: Array(name)).escaped.bytes
  }

  private func type(_ name: ArraySlice<UInt8>) -> String? {
    name.lastIndex(of: ASCII.dot).map { text(name[($0 + 1)...]) }
  }

  private func text(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }
}

/// The lists of Unity's bundles in a folder: catalogs of Addressables, and the tags of Unity's sample
/// for On-Demand Resources.
private struct Catalog {
  static let tags = "settings_odr.json"

  /// The file names of the bundles in catalogs; nil if one couldn't be read.
  var names: Set<[UInt8]>? = []
  /// Whether there is a catalog, and not only tags.
  private(set) var isCatalog = false
  private(set) var tags: [[UInt8]: String] = [:]

  mutating func add(_ list: List) {
    switch list {
    case .names(let more):
      names?.formUnion(more)
      isCatalog = true
    case .tags(let more): tags.merge(more) { $1 }
    }
  }

  /// What a file lists.
  enum List {
    case names(Set<[UInt8]>)
    case tags([([UInt8], String)])
  }

  /// `catalog.json`, `catalog_2026.11.23.json`, `catalog.bin`.
  static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: "catalog".utf8)
      && (name.ends(with: ".json".utf8) || name.ends(with: ".bin".utf8))
  }
}

extension Catalog.List {
  /// Reads a list; nil for a file with such a name that is something else.
  init?(reading path: RelativePath, in tree: borrowing SourceTree) throws {
    let limit = JSONDocument.maximumSize
    let bytes = try tree.folder.bytes(of: path, upTo: limit + 1)
    guard bytes.count <= limit else {
      throw PackagingError("it has more than \(byteCount(UInt64(limit)))")
    }
    if path.name.ends(with: ".bin".utf8) {
      guard bytes.starts(with: [0x42, 0x89, 0xE3, 0x0D]), bytes.count >= 8 else { return nil }
      guard (1...2).contains(bytes[4]), bytes[5...7].allSatisfy({ $0 == 0 }) else {
        throw PackagingError("its version is not 1 or 2")
      }
      self = .names(Self.names(inBinary: bytes))
      return
    }
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard document.isWellFormed, let root = document.root else {
      throw PackagingError("it is not valid JSON")
    }
    if path.name.elementsEqual(Catalog.tags.utf8) {
      guard let bundles = root["m_bundles"]?.array else { return nil }
      self = .tags(
        try bundles.map { bundle in
          guard let file = (bundle["path"] ?? bundle["name"])?.string,
            let tag = bundle["tag"]?.string, !tag.isEmpty
          else { throw PackagingError("a bundle of 'm_bundles' has no path or no tag") }
          return (Self.name(file), tag)
        })
      return
    }
    guard let identifiers = root["m_InternalIds"]?.array else { return nil }
    self = .names(Set(identifiers.compactMap { $0.string.map(Self.name) }))
  }

  /// The file name in an internal identifier: `{…RuntimePath}/iOS/a.bundle`, or `0#a.bundle` with the
  /// number of a prefix.
  private static func name(_ identifier: String) -> [UInt8] {
    let bytes = Array(identifier.utf8)
    let name = bytes.split { $0 == ASCII.slash || $0 == ASCII.backslash }.last ?? []
    let digits = name.prefix(while: ASCII.isDigit)
    let rest = name.dropFirst(digits.count)
    return Array(!digits.isEmpty && rest.first == UInt8(ascii: "#") ? rest.dropFirst() : name)
  }

  /// The names that end with `.bundle` among the strings of a binary catalog, which stores paths
  /// part by part, each after its length.
  private static func names(inBinary bytes: [UInt8]) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    let end = Array(".bundle".utf8)
    var start = 0
    for (index, byte) in bytes.enumerated() {
      if byte < 0x20 || byte == ASCII.slash || byte == ASCII.backslash {
        start = index + 1
      } else if byte == end[6], bytes[start...index].ends(with: end) {
        // No file has a longer name.
        if index - start < 255 { names.insert(Array(bytes[start...index])) }
        start = index + 1
      }
    }
    return names
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func ends(with end: String.UTF8View) -> Bool { suffix(end.count).elementsEqual(end) }
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
