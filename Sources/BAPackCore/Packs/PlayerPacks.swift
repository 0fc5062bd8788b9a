extension Sequence {
  /// The elements that a player of each language has: those without a language, whose tag is nil,
  /// alone at first, and then with those of one language. A language has the tag that comes first.
  package func forPlayers(
    _ language: (Element) -> String?
  ) -> [(language: String?, elements: [Element])] {
    var common: [Element] = []
    var localized = Groups<Language, (tag: String, element: Element)>()
    for element in self {
      if let tag = language(element) {
        localized.add((tag, element), Language(tag))
      } else {
        common.append(element)
      }
    }
    return [(nil, common)]
      + localized.all.map { ($0.elements[0].tag, common + $0.elements.map(\.element)) }
  }

  package func size(_ size: (Element) -> UInt64) -> UInt64 {
    reduce(0) { saturatingSum($0, size($1)) }
  }
}

extension [PackIndex] {
  /// The packs of a player of each language; only one element if no pack has a language.
  package var players: [(language: String?, packs: [PackIndex])] {
    forPlayers { $0.manifest?.language?.value }.map { ($0, $1) }
  }

  package var fileCount: Int { reduce(0) { $0 + $1.files.count } }
  package var size: UInt64 { size(\.size) }
  package var downloadSize: UInt64 { size(\.downloadSize) }
  /// The total size of the packs that the installation of the app waits for, in bytes.
  package var installationSize: UInt64 { size { $0.isForInstallation ? $0.downloadSize : 0 } }

  /// The sizes for a player of each language, for programs; nil if no pack has a language.
  package var languagesJSON: JSONValue? {
    let players = players
    guard players.count > 1 else { return nil }
    return JSONValue(
      .array(
        players.map { language, packs in
          .object([
            "language": language, "packs": packs.count, "files": packs.fileCount,
            "size": packs.size, "downloadSize": packs.downloadSize,
            "installationSize": packs.installationSize,
          ])
        }))
  }
}

extension PackIndex {
  /// Whether the installation of the app waits for it.
  fileprivate var isForInstallation: Bool {
    manifest?.downloadPolicy.isEssential(at: .firstInstallation) ?? false
  }
}

extension [(language: String?, packs: [PackIndex])] {
  /// The largest sum that one of the players has, and its language; nil without languages.
  package func largest(_ sum: ([PackIndex]) -> UInt64) -> (language: String?, size: UInt64) {
    map { ($0, sum($1)) }.max { $0.1 < $1.1 } ?? (nil, 0)
  }
}
