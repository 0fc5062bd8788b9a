import BAPackCore

/// What an app downloads right after its installation, as stated in its `Info.plist`: the sizes of
/// packs with the policy `essential`, and separately those with `prefetch`. Packs that are
/// downloaded on demand, or only with updates, are not counted. One player has packs without a
/// language, and those of one language.
package struct AppDownloads: Sendable, Equatable {
  package struct Sizes: Sendable, Equatable {
    /// The compressed size of the archives in bytes.
    package var download: UInt64 = 0
    /// The size of their files in bytes.
    package var installed: UInt64 = 0
  }

  private struct Pack: Sendable, Equatable {
    let language: String?
    let isEssential: Bool
    let sizes: Sizes
  }

  private var packs: [Pack] = []
  /// Whether some packs were not made yet, so their uncompressed sizes are counted.
  package private(set) var isUpperBound = false
  package private(set) var isLocalized = false

  package init() {}

  /// The sums for a player of each language, whose tag is nil for packs without one: of packs that
  /// are downloaded before the first launch, and of others.
  package var players: [(language: String?, essential: Sizes, other: Sizes)] {
    func sum(_ packs: some Sequence<Pack>) -> Sizes {
      Sizes(download: packs.size(\.sizes.download), installed: packs.size(\.sizes.installed))
    }
    return packs.forPlayers(\.language).map { language, packs in
      (language, sum(packs.filter(\.isEssential)), sum(packs.filter { !$0.isEssential }))
    }
  }

  /// The largest sizes for one player of packs that are downloaded before the first launch.
  package var essential: Sizes { largest(players.map(\.essential)) }
  /// The largest sizes for one player of packs that are downloaded in the background.
  package var other: Sizes { largest(players.map(\.other)) }

  private func largest(_ sizes: [Sizes]) -> Sizes {
    Sizes(
      download: sizes.map(\.download).max() ?? 0, installed: sizes.map(\.installed).max() ?? 0)
  }

  package mutating func add(
    _ policy: DownloadPolicy, language: String? = nil, download: UInt64, installed: UInt64,
    isUpperBound: Bool = false
  ) {
    if language != nil { isLocalized = true }
    guard policy.events.contains(.firstInstallation) else { return }
    packs.append(
      Pack(
        language: language, isEssential: policy.isEssential(at: .firstInstallation),
        sizes: Sizes(download: download, installed: installed)))
    self.isUpperBound = self.isUpperBound || isUpperBound
  }
}

extension AppDownloads {
  /// Adds the pack of a checked manifest, with the size of an archive in which every block is
  /// stored, the maximum.
  package mutating func add(_ pack: CheckedPack) {
    guard let selection = pack.selection else { return }
    let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: .constant)
    let blocks = layout.size / (1 << 20) + 1
    add(
      pack.manifest.downloadPolicy, language: pack.manifest.language?.value,
      download: layout.size + 16 * blocks + 12,
      installed: selection.size, isUpperBound: true)
  }

  /// Adds an existing pack; false if its manifest can't be read.
  package mutating func add(_ pack: PackIndex) -> Bool {
    guard let manifest = pack.manifest else { return false }
    add(
      manifest.downloadPolicy, language: manifest.language?.value, download: pack.downloadSize,
      installed: pack.size)
    return true
  }
}
