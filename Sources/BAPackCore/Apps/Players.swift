/// What the devices of an app's players have of its packs: a device has the packs for its platform
/// that have no language, and of the others those in one language, which the system resolves for all
/// packs of the app.
public struct Players: Sendable {
  /// Players with the same packs.
  package struct Player: Sendable {
    /// The tag of their language; nil for devices before OS 27, which have only packs without one.
    package let language: String?
    /// Whether Apple documents that they have it; nil unless it was resolved for a device.
    package let isCertain: Bool?
    /// Their platforms; empty for all that the app has packs for.
    package fileprivate(set) var platforms: [Platform]
    /// The indices of their packs.
    package let packs: [Int]

    /// How their sizes differ from those of other players: `with 'de' on iOS`.
    package func words(
      _ preposition: String = "with", quoting quoted: (String) -> String = { "'\($0)'" }
    ) -> String? {
      let words = [
        language.map { "\(preposition) \(quoted($0))" },
        platforms.isEmpty ? nil : "on " + platforms.shown,
      ].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }

  /// The players, those without a language first.
  package private(set) var all: [Player] = []
  /// The languages that the settings of a device resolve to.
  package private(set) var resolved: [ResolvedLanguage] = []
  let manifests: [Manifest?]
  /// The packs, if these are known.
  private var indexes: [PackIndex] = []
  /// The number of each pack's language; nil for a pack without one.
  let languageNumbers: [Int?]
  /// The tag of the first pack in each language, by number.
  private var tags: [String] = []

  /// The players of packs with these manifests on a platform or else on all. A pack without a
  /// manifest is for every player.
  package init(_ manifests: [Manifest?], on platform: Platform? = nil) {
    self.manifests = manifests
    var numbers = Groups<Language, String>()
    languageNumbers = manifests.map { manifest in
      manifest?.language.map { numbers.add($0, Language($0)) }
    }
    tags = numbers.all.map { $0.elements[0] }
    find(on: platform) { tags in ([nil] + tags).map { ($0, nil) } }
  }

  /// The players with the settings of `device`, of which each platform has one if it has languages.
  ///
  /// - Throws: ``PackagingError`` if it isn't known which language they have, or if there is no pack
  ///   that the app requests, or its platform.
  package init(_ manifests: [Manifest?], _ device: Device) throws {
    try device.platform?.check(in: manifests.map { $0?.platforms ?? [] })
    self.init(manifests, on: device.platform)
    if !device.languages.isEmpty {
      var resolved: [ResolvedLanguage] = []
      try find(on: device.platform) { tags in
        let language = try device.resolve(tags)
        if let language { resolved.append(language) }
        return [(language?.tag, language?.isCertain)]
      }
      self.resolved = resolved
    }
    let requested = try device.requested(of: manifests)
    if requested.isEmpty { return }
    all = all.map { player in
      let more = requested.filter { index in
        !player.packs.contains(index)
          && (player.platforms.isEmpty
            || player.platforms.contains { manifests[index]?.isFor($0) ?? true })
      }
      return Player(
        language: player.language, isCertain: player.isCertain, platforms: player.platforms,
        packs: (player.packs + more).sorted())
    }
  }

  /// Platforms with the same packs, and the indices of these packs. Platforms without packs, which
  /// the app isn't for, are left out.
  package func offers(on platform: Platform? = nil) -> [(packs: [Int], platforms: [Platform])] {
    var offers = Groups<[Int], Platform>()
    let platforms = Platform.all(in: manifests.map { $0?.platforms ?? [] })
    for platform in platform.map({ [$0] }) ?? platforms {
      offers.add(platform, manifests.indices.filter { manifests[$0]?.isFor(platform) ?? true })
    }
    return offers.all.filter { !$0.key.isEmpty }.map { ($0.key, $0.elements) }
  }

  /// The tags of the languages of these packs, each as the app's first pack in it has it.
  package func tags(of packs: some Sequence<Int>) -> [String] {
    packs.compactMap { languageNumbers[$0] }.unique().map { tags[$0] }
  }

  private mutating func find(
    on platform: Platform?, _ choose: ([String]) throws -> [(tag: String?, isCertain: Bool?)]
  ) rethrows {
    struct Key: Hashable {
      let language: String?
      let isCertain: Bool?
      let packs: [Int]
    }
    let offers = self.offers(on: platform)
    var players = Groups<Key, [Platform]>()
    var order: [String?: Int] = [:]
    for (packs, platforms) in offers {
      let own = Dictionary(grouping: packs) { languageNumbers[$0].map { tags[$0] } }
      for (tag, isCertain) in try choose(tags(of: packs)) {
        let localized = tag.flatMap { own[$0] } ?? []
        players.add(
          platforms,
          Key(language: tag, isCertain: isCertain, packs: ((own[nil] ?? []) + localized).sorted()))
        order[tag] = order[tag] ?? order.count
      }
    }
    let platforms = offers.flatMap(\.platforms)
    all = players.all.map { key, elements in
      let own = elements.flatMap(\.self)
      return Player(
        language: key.language, isCertain: key.isCertain,
        platforms: own.count == platforms.count ? [] : own, packs: key.packs)
    }
    .enumerated().sorted { left, right in
      let (a, b) = (order[left.element.language], order[right.element.language])
      return a != b ? a ?? 0 < b ?? 0 : left.offset < right.offset
    }
    .map(\.element)
    if all.isEmpty { all = [Player(language: nil, isCertain: nil, platforms: [], packs: [])] }
  }

  /// Whether one device can have both packs by itself.
  package func meet(_ one: Int, _ other: Int) -> Bool {
    if let language = languageNumbers[one], let other = languageNumbers[other], language != other {
      return false
    }
    guard let one = manifests[one], let other = manifests[other] else { return true }
    return one.platforms.isEmpty || other.platforms.isEmpty
      || one.platforms.contains { other.isFor($0) }
  }

  /// The player whose packs have the largest sum, and this sum.
  package func largest(_ size: (Int) -> UInt64) -> (player: Player, size: UInt64) {
    var largest = (player: all[0], size: all[0].packs.size(size))
    for player in all.dropFirst() {
      let size = player.packs.size(size)
      if size > largest.size { largest = (player, size) }
    }
    return largest
  }
}

extension Players {
  /// The players of an app with these packs.
  public init(of packs: [PackIndex]) {
    self.init(packs.map(\.manifest))
    indexes = packs
  }

  /// The packs that `device` has, in the order given; none if there are none for it.
  ///
  /// - Throws: ``PackError/Code/languageUndecided`` if its settings leave open which language it has;
  ///   ``PackError/Code/invalidArgument`` if no pack has its platform, or one that it requests.
  public func packs(on device: Device) throws(PackError) -> [PackIndex] {
    do { return try indexes.owned(by: device).packs.map { indexes[$0] } } catch {
      let error = PackError(error)
      if error.code == .nothingMatches { return [] }
      throw error
    }
  }

  /// The bytes that `device` downloads for all its packs.
  ///
  /// - Throws: As ``packs(on:)``.
  public func downloadSize(on device: Device) throws(PackError) -> UInt64 {
    try packs(on: device).downloadSize
  }

  /// The bytes that `device` downloads if it has its packs of `old`, an earlier release: a pack whose
  /// contents or manifest changed is downloaded as a whole, one that was only compressed differently
  /// isn't. Packs are compared by identifier.
  ///
  /// - Throws: As ``packs(on:)``; ``PackError/Code/damaged`` if a pack can't be compared.
  public func updateSize(
    from old: Players, on device: Device, _ work: Work = Work()
  ) throws(PackError) -> UInt64 {
    let (old, new) = (try old.packs(on: device), try packs(on: device))
    return try work.result { progress in
      try old.compare(
        to: new, jobs: work.threads,
        progress: progress(new.size { $0.container?.rawSize ?? 0 }, nil)
      ).size(\.downloadSize)
    }
  }

  /// The same, found on separate threads.
  ///
  /// - Throws: As in code that isn't `async`.
  public func updateSize(
    from old: Players, on device: Device, _ work: Work = Work()
  ) async throws(PackError) -> UInt64 {
    try await work.detached { try self.updateSize(from: old, on: device, $0) }
  }
}

extension Sequence {
  package func size(_ size: (Element) -> UInt64) -> UInt64 {
    reduce(0) { saturatingSum($0, size($1)) }
  }
}

extension [PackIndex] {
  /// What players on all platforms have.
  package var players: Players { Players(map(\.manifest)) }

  package subscript(_ player: Players.Player) -> [PackIndex] { player.packs.map { self[$0] } }

  package var fileCount: Int { reduce(0) { $0 + $1.storedFiles.count } }
  package var size: UInt64 { size(\.size) }
  package var downloadSize: UInt64 { size(\.downloadSize) }
  /// The total size of the packs that the installation of the app waits for, in bytes.
  package var installationSize: UInt64 { size(\.installationSize) }

  /// The sizes for each of the players, for programs; nil if all have the same packs.
  package func json(of players: Players) -> JSONValue? {
    guard players.all.count > 1 || !players.resolved.isEmpty else { return nil }
    return JSONValue(
      .array(
        players.all.map { player in
          let packs = self[player]
          return .object([
            "language": player.language,
            "certain": player.isCertain,
            "platforms": player.platforms.isEmpty ? nil : player.platforms.rawValues,
            "packs": packs.count, "files": packs.fileCount,
            "size": packs.size, "downloadSize": packs.downloadSize,
            "installationSize": packs.installationSize,
          ])
        }))
  }
}

extension PackIndex {
  /// Its size if the installation of the app waits for it, or else 0.
  package var installationSize: UInt64 {
    manifest?.downloadPolicy.isEssential(at: .firstInstallation) == true ? downloadSize : 0
  }
}
