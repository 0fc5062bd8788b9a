/// The paths of an app's packs: which packs have each of them.
struct AppPaths {
  /// A file at a path: the index of its pack, and its own in that pack.
  struct Owner {
    let pack: Int
    let file: Int
  }

  /// The numbers of each pack's paths.
  let numbers: [[Int]]
  /// The files at each path that is in several packs, in the order of the packs.
  let shared: [ArraySlice<Owner>]

  /// The paths of these packs, each of which has no path twice.
  init(_ packs: [[RelativePath]]) {
    var paths: [RelativePath: Int] = [:]
    paths.reserveCapacity(packs.reduce(0) { $0 + $1.count })
    var counts: [Int] = []
    var numbers: [[Int]] = []
    for pack in packs {
      var own: [Int] = []
      own.reserveCapacity(pack.count)
      for path in pack {
        if let number = paths[path] {
          counts[number] += 1
          own.append(number)
        } else {
          own.append(counts.count)
          paths[path] = counts.count
          counts.append(1)
        }
      }
      numbers.append(own)
    }
    var ends: [Int] = []
    var size = 0
    for count in counts {
      ends.append(size)
      if count > 1 { size += count }
    }
    var all = Array(repeating: Owner(pack: 0, file: 0), count: size)
    for (pack, own) in numbers.enumerated() {
      for (file, number) in own.enumerated() where counts[number] > 1 {
        all[ends[number]] = Owner(pack: pack, file: file)
        ends[number] += 1
      }
    }
    shared = counts.indices.filter { counts[$0] > 1 }.map { all[ends[$0] - counts[$0]..<ends[$0]] }
    self.numbers = numbers
  }
}

extension Players {
  /// The families among these packs: localized packs that have a path of another language's pack,
  /// joined with those that they share another such path with. The packs of each, and the families,
  /// are in the order of the packs.
  func families(_ paths: AppPaths, among packs: [Int]) -> [[Int]] {
    var parents = Array(paths.numbers.indices)
    func root(_ pack: Int) -> Int {
      var pack = pack
      while parents[pack] != pack {
        parents[pack] = parents[parents[pack]]
        pack = parents[pack]
      }
      return pack
    }
    var isIncluded = Array(repeating: false, count: parents.count)
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
      for owner in owners where isIncluded[owner.pack] { parents[root(owner.pack)] = root(first) }
    }
    var families = Groups<Int, Int>()
    for pack in packs where isIncluded[pack] { families.add(pack, root(pack)) }
    return families.all.map(\.elements).filter { $0.count > 1 }
  }

  /// The families of all packs, and at last the localized packs that are in none.
  func allFamilies(_ paths: AppPaths) -> [[Int]] {
    let families = families(paths, among: Array(paths.numbers.indices))
    let known = Set(families.joined())
    let others = paths.numbers.indices.filter { languageNumbers[$0] != nil && !known.contains($0) }
    return families + (others.isEmpty ? [] : [others])
  }
}

extension Players {
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
    let paths = packs.map { pack in
      Array(pack.files.map { RelativePath(unchecked: $0.shownPath) })
    }
    let families = allFamilies(AppPaths(paths.map { $0.map(\.withoutHash) }))
    let primary = primaryLanguage.map { Language($0) }
    return all.map { player in
      if player.language == nil { return [] }
      let own = Set(player.packs)
      return families.compactMap { family in
        let there = family.filter { index in
          player.platforms.isEmpty
            || player.platforms.contains { packs[index].manifest?.isFor($0) ?? true }
        }
        guard own.isDisjoint(with: there), let contents = words(for: there.flatMap { paths[$0] })
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
