import BAPackCore

/// Which parts of an app's files changed from release to release, and their sizes. A part is a
/// folder's files, without those in folders below it, or a single file. Parts are never divided.
struct PackHistory {
  /// What all files of a pack have in common.
  struct Kind: Hashable {
    let policy: String
    let events: [InstallationEventType]
    let platforms: [Platform]
    let language: String?

    init(_ pack: PackIndex) {
      policy = pack.manifest?.downloadPolicy.kind.rawValue ?? ""
      events = pack.manifest?.downloadPolicy.events ?? []
      platforms = pack.manifest?.platforms ?? []
      language = pack.manifest?.language?.value
    }
  }

  /// A path in packs of one kind.
  private struct Place: Hashable {
    let kind: Int
    let path: RelativePath
  }

  private struct File: Equatable {
    let part: Int
    /// The last release that has it, and its contents there.
    var release = -1
    var size: UInt64 = 0
    var isExecutable = false
    var hash: [UInt8]?
  }

  /// The kinds of packs in the newest release.
  let kinds: [Kind: Int]
  private let paths: AppPaths
  private let kindsOfPacks: [Int]
  private var files: [File] = []
  private var fileNumbers: [Place: Int] = [:]
  private var parts: [PackDivision.Part] = []
  private var places: [Place] = []
  private var partNumbers: [Place: Int] = [:]
  private let updates: Int
  private let granularity: PackSplit.Granularity

  init(_ newest: [PackIndex], updates: Int, _ granularity: PackSplit.Granularity) {
    self.updates = updates
    self.granularity = granularity
    paths = AppPaths(newest)
    var kinds: [Kind: Int] = [:]
    kindsOfPacks = newest.map { pack in
      let number = kinds[Kind(pack), default: kinds.count]
      kinds[Kind(pack)] = number
      return number
    }
    self.kinds = kinds
  }

  /// Adds the packs of the next release, which has this number.
  mutating func add(_ packs: [PackIndex], _ release: Int) throws {
    for pack in packs {
      let kind = Kind(pack)
      for file in pack.files {
        guard let path = RelativePath(file.shownPath), path.bytes.count <= BytePath.maximumLength,
          path != .root
        else {
          throw PackagingError(
            "'\(pack.path)' has a file with an invalid path, '\(printable(file.shownPath))'"
          )
        }
        let number = number(of: Place(kind: self.kind(of: path, in: kind), path: path))
        if files[number].release == release { continue }
        let part = files[number].part
        let now = File(
          part: part, release: release, size: file.size, isExecutable: file.isExecutable,
          hash: pack.hashes[file.number])
        if release > 0 {
          parts[part].sizes[release - 1] += Double(pack.share(of: file))
          files[number].release += 1
          if files[number] != now { parts[part].changes[release - 1] = true }
        }
        files[number] = now
      }
    }
    guard release > 0 else { return }
    for file in files where file.release == release - 1 {
      parts[file.part].changes[release - 1] = true
    }
  }

  /// The number of the kind in the newest release that a file at `path` belongs to, or belonged to
  /// before it was removed.
  private func kind(of path: RelativePath, in kind: Kind) -> Int {
    let owners = paths[path]
    let candidates =
      owners.isEmpty ? Array(kinds.values.sorted()) : owners.map { kindsOfPacks[$0.pack] }
    if let same = kinds[kind], candidates.contains(same) { return same }
    let numbers = kinds.filter { $0.key.language == kind.language }.values
    return candidates.first(where: numbers.contains) ?? candidates.first ?? 0
  }

  private mutating func number(of place: Place) -> Int {
    if let number = fileNumbers[place] { return number }
    let whole =
      granularity == .file
      ? place : Place(kind: place.kind, path: place.path.parent ?? .root)
    let part = partNumbers[whole] ?? parts.count
    if part == parts.count {
      partNumbers[whole] = part
      places.append(whole)
      parts.append(PackDivision.Part(kind: whole.kind, updates: updates))
    }
    fileNumbers[place] = files.count
    files.append(File(part: part))
    return files.count - 1
  }

  /// The numbers of the kinds of packs that each of the players of the newest release has.
  func kinds(of players: Players, _ newest: [PackIndex]) -> [Set<Int>] {
    players.all.map { player in Set(newest[player].compactMap { kinds[Kind($0)] }) }
  }

  /// The best division found for players with these kinds of packs. Folders are kept in one pack where
  /// that costs little.
  func division(into maximum: Int, for players: [Set<Int>]) -> PackDivision {
    var division = PackDivision(parts, maximum: maximum, players)
    var folders: [Place: [Int]] = [:]
    for (part, place) in places.enumerated() {
      for path in granularity == .folder
        ? [place.path] + place.path.ancestors : Array(place.path.ancestors)
      {
        folders[Place(kind: place.kind, path: path), default: []].append(part)
      }
    }
    let deepest = folders.sorted { left, right in
      let (a, b) = (left.key.path.components.count, right.key.path.components.count)
      if a != b { return a > b }
      return (left.key.kind, left.key.path) < (right.key.kind, right.key.path)
    }
    division.keepTogether(deepest.map(\.value))
    return division
  }

  /// The packs of a division, the most stable first.
  func packs(of division: PackDivision, _ newest: [PackIndex]) -> [PackSplit.Pack] {
    var packs: [Int: PackSplit.Pack] = [:]
    var folders: [Int: [ArraySlice<UInt8>: UInt64]] = [:]
    var seen: Set<Int> = []
    for pack in newest {
      guard let manifest = pack.manifest else { continue }
      for file in pack.files {
        let path = RelativePath(unchecked: file.shownPath)
        let place = Place(kind: kind(of: path, in: Kind(pack)), path: path)
        guard let number = fileNumbers[place], seen.insert(number).inserted else { continue }
        let group = division.packs[files[number].part]
        let empty = PackSplit.Pack(manifest: manifest, changes: division.changes(of: group))
        packs[group, default: empty].add(path, file.size, pack.share(of: file))
        folders[group, default: [:]][path.parent?.components.first ?? [], default: 0] += file.size
      }
    }
    let sorted = packs.sorted { left, right in
      let (a, b) = (left.value, right.value)
      return a.changes != b.changes ? a.changes < b.changes : left.key < right.key
    }
    // Identifiers are permanent: those of today's packs have other contents.
    var known = Set(newest.map { $0.name.lowercased() })
    return sorted.map { group, pack in
      let largest = folders[group]?.max { left, right in
        left.value != right.value
          ? left.value < right.value : right.key.lexicographicallyPrecedes(left.key)
      }
      var pack = pack
      pack.name = AssetPackIdentifier.make(
        from: String(decoding: largest?.key ?? [], as: UTF8.self), except: &known)
      pack.files.sort()
      return pack
    }
  }
}
