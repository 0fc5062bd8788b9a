/// The paths of an app's packs: which packs have each of them.
package struct AppPaths: Sendable {
  /// A file at a path: the index of its pack, and its own in that pack.
  package struct Owner: Hashable, Sendable {
    package let pack: Int
    package let file: Int

    package init(pack: Int, file: Int) { (self.pack, self.file) = (pack, file) }
  }

  /// The paths of each pack.
  package let packs: [[RelativePath]]
  /// Their numbers.
  package let numbers: [[Int]]
  private let known: [RelativePath: Int]
  /// The files at each path, in the order of the packs, and where those at the next one begin.
  private let owners: [Owner]
  private let ends: [Int]

  package init(_ packs: [[RelativePath]]) {
    self.packs = packs
    var known: [RelativePath: Int] = [:]
    known.reserveCapacity(packs.reduce(0) { $0 + $1.count })
    numbers = packs.map { pack in
      pack.map { path in
        let number = known[path] ?? known.count
        if number == known.count { known[path] = number }
        return number
      }
    }
    self.known = known
    var ends = Array(repeating: 0, count: known.count)
    for number in numbers.joined() where number + 1 < ends.count { ends[number + 1] += 1 }
    for number in ends.indices.dropFirst() { ends[number] += ends[number - 1] }
    var owners = Array(
      repeating: Owner(pack: 0, file: 0), count: numbers.reduce(0) { $0 + $1.count })
    for (pack, own) in numbers.enumerated() {
      for (file, number) in own.enumerated() {
        owners[ends[number]] = Owner(pack: pack, file: file)
        ends[number] += 1
      }
    }
    (self.owners, self.ends) = (owners, ends)
  }

  /// The files at `path`, in the order of the packs.
  package subscript(path: RelativePath) -> ArraySlice<Owner> {
    known[path].map(owners(of:)) ?? []
  }

  private func owners(of number: Int) -> ArraySlice<Owner> {
    owners[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }

  /// The files at each path that has several.
  var shared: some Sequence<ArraySlice<Owner>> {
    ends.indices.lazy.map(owners(of:)).filter { $0.count > 1 }
  }

  /// The same files by their names without hashes.
  var withoutHashes: AppPaths {
    let names = packs.map { $0.map(\.withoutHash) }
    return names == packs ? self : AppPaths(names)
  }

  package init(_ packs: [CheckedPack]) {
    self.init(packs.map { $0.files.map(\.destination) })
  }

  package init(_ packs: [PackIndex]) {
    self.init(packs.map { $0.storedFiles.map { RelativePath(unchecked: $0.shownPath) } })
  }
}

/// Numbers in sets that have none in common.
struct DisjointSets {
  private var parents: [Int]

  init(_ count: Int) { parents = Array(0..<count) }

  /// The number that stands for the set of `number`.
  mutating func root(_ number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Makes one set of the two that have these numbers.
  mutating func join(_ one: Int, _ other: Int) { parents[root(one)] = root(other) }
}

extension Players {
  /// The families among these packs: localized packs that have a path of another language's pack,
  /// joined with those that they share another such path with. The packs of each, and the families,
  /// are in the order of the packs.
  func families(_ paths: AppPaths, among packs: [Int]) -> [[Int]] {
    var sets = DisjointSets(paths.numbers.count)
    var isIncluded = Array(repeating: false, count: paths.numbers.count)
    for pack in packs { isIncluded[pack] = languageNumbers[pack] != nil }
    for owners in paths.shared {
      var first: Int?
      var isTranslated = false
      for owner in owners where isIncluded[owner.pack] {
        isTranslated =
          isTranslated || first.map { languageNumbers[$0] != languageNumbers[owner.pack] } ?? false
        first = first ?? owner.pack
      }
      guard isTranslated, let first else { continue }
      for owner in owners where isIncluded[owner.pack] { sets.join(owner.pack, first) }
    }
    var families = Groups<Int, Int>()
    for pack in packs where isIncluded[pack] { families.add(pack, sets.root(pack)) }
    return families.all.map(\.elements).filter { $0.count > 1 }
  }

  /// The families of all packs, and at last the localized packs that are in none.
  func allFamilies(_ paths: AppPaths) -> [[Int]] {
    let families = families(paths, among: Array(paths.numbers.indices))
    let known = Set(families.joined())
    let others = paths.numbers.indices.filter { languageNumbers[$0] != nil && !known.contains($0) }
    return families + (others.isEmpty ? [] : [others])
  }

  /// A family of which players have no pack in their language.
  package struct Lack: Sendable {
    /// What its files are called.
    package let contents: String
    /// The first of its packs in the primary language or else in the largest, their further number,
    /// and the bytes to download them.
    package let name: String
    package let more: Int
    package let size: UInt64
  }

  /// The families that each of the players lacks.
  package func lacks(_ packs: [PackIndex], primaryLanguage: String?) -> [[Lack]] {
    guard languageNumbers.contains(where: { $0 != nil }) else { return all.map { _ in [] } }
    let paths = AppPaths(packs)
    let families = allFamilies(paths.withoutHashes)
    let primary = primaryLanguage.map { Language($0) }
    return all.map { player in
      if player.language == nil { return [] }
      let own = Set(player.packs)
      return families.compactMap { family in
        let there = family.filter { index in
          player.platforms.isEmpty
            || player.platforms.contains { packs[index].manifest?.isFor($0) ?? true }
        }
        guard own.isDisjoint(with: there),
          let contents = words(for: there.flatMap { paths.packs[$0] })
        else { return nil }
        let languages = Dictionary(grouping: there) { languageNumbers[$0] }.values
        let chosen =
          languages.first { packs[$0[0]].manifest?.likelyLanguage == primary }
          ?? languages.max { left, right in
            let (a, b) = (
              left.size { packs[$0].downloadSize }, right.size { packs[$0].downloadSize }
            )
            return a != b ? a < b : left[0] > right[0]
          } ?? []
        guard let first = chosen.first else { return nil }
        return Lack(
          contents: contents, name: packs[first].name, more: chosen.count - 1,
          size: chosen.size { packs[$0].downloadSize })
      }
    }
  }
}
