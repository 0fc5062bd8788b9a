/// The paths of several packs: which of them are in several, and which packs are translations.
struct SharedPaths {
  /// A file at a path: the index of its pack, and its own in that pack.
  struct Owner {
    let pack: Int
    let file: Int
  }

  /// The number of each pack's language; nil for a pack without one.
  let languages: [Int?]
  /// The numbers of each pack's paths.
  let numbers: [[Int]]
  /// The files at each path that is in several packs, in the order of the packs.
  let owners: [ArraySlice<Owner>]

  /// The paths of these packs, each of which has no path twice.
  init(_ packs: [(language: Language?, paths: [RelativePath])]) {
    var known: [Language: Int] = [:]
    var languages: [Int?] = []
    for (language, _) in packs {
      languages.append(
        language.map { language in
          let number = known[language, default: known.count]
          known[language] = number
          return number
        })
    }
    var paths: [RelativePath: Int] = [:]
    paths.reserveCapacity(packs.reduce(0) { $0 + $1.paths.count })
    var counts: [Int] = []
    var numbers: [[Int]] = []
    for pack in packs {
      var own: [Int] = []
      own.reserveCapacity(pack.paths.count)
      for path in pack.paths {
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
    owners = counts.indices.filter { counts[$0] > 1 }.map { all[ends[$0] - counts[$0]..<ends[$0]] }
    self.languages = languages
    self.numbers = numbers
  }

  /// The families among the packs that `isIncluded`: localized packs that have a path of another
  /// language's pack, joined with those that they share another such path with. Each is in the order
  /// of the packs.
  func families(where isIncluded: (Int) -> Bool = { _ in true }) -> [[Int]] {
    var parents = Array(languages.indices)
    func root(_ pack: Int) -> Int {
      var pack = pack
      while parents[pack] != pack {
        parents[pack] = parents[parents[pack]]
        pack = parents[pack]
      }
      return pack
    }
    for owners in owners {
      let packs = owners.map(\.pack).filter { languages[$0] != nil && isIncluded($0) }
      guard let first = packs.first, packs.contains(where: { languages[$0] != languages[first] })
      else { continue }
      for pack in packs { parents[root(pack)] = root(first) }
    }
    var families = Groups<Int, Int>()
    for pack in languages.indices { families.add(pack, root(pack)) }
    return families.all.map(\.elements).filter { $0.count > 1 }
  }
}
