import BAPackCore

/// What an app downloads right after its installation, as stated in its `Info.plist`: the sizes of
/// packs with the policy `essential`, and separately those with `prefetch`. Packs that are
/// downloaded on demand, or only with updates, are not counted. The sizes are those of one player.
package struct AppDownloads: Sendable {
  package struct Sizes: Sendable, Equatable {
    /// The compressed size of the archives in bytes.
    package var download: UInt64 = 0
    /// The size of their files in bytes.
    package var installed: UInt64 = 0
  }

  package private(set) var packs: [(manifest: Manifest, sizes: Sizes, paths: [RelativePath])] = []
  private let platform: Platform?
  /// Whether some packs were not made yet, so their uncompressed sizes are counted.
  package private(set) var isUpperBound = false

  /// Those of players on `platform`, or on any.
  package init(on platform: Platform? = nil) { self.platform = platform }

  /// The sums for each of the players: of packs that are downloaded before the first launch, and of
  /// others.
  package var players: [(player: Players.Player, essential: Sizes, other: Sizes)] {
    Players(packs.map(\.manifest), on: platform).all.map { player in
      func sum(isEssential: Bool) -> Sizes {
        let counted = player.packs.map { packs[$0] }.filter {
          $0.manifest.downloadPolicy.kind == (isEssential ? .essential : .prefetch)
            && $0.manifest.downloadPolicy.events.contains(.firstInstallation)
        }
        return Sizes(
          download: counted.size(\.sizes.download), installed: counted.size(\.sizes.installed))
      }
      return (player, sum(isEssential: true), sum(isEssential: false))
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
    _ manifest: Manifest, download: UInt64, installed: UInt64, _ paths: [RelativePath] = []
  ) {
    packs.append((manifest, Sizes(download: download, installed: installed), paths))
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
      pack.manifest, download: layout.size + 16 * blocks + 12, installed: selection.size,
      selection.files.map(\.destination))
    if pack.manifest.downloadPolicy.events.contains(.firstInstallation) { isUpperBound = true }
  }

  /// Adds an existing pack; false if its manifest can't be read.
  package mutating func add(_ pack: PackIndex) -> Bool {
    guard let manifest = pack.manifest else { return false }
    add(
      manifest, download: pack.downloadSize, installed: pack.size,
      pack.files.map { RelativePath(unchecked: $0.shownPath) })
    return true
  }
}
