import BAPackCore

/// What an app downloads right after its installation, as its `Info.plist` has to state it: bytes of
/// packs with the policy `essential`, and apart from them those with `prefetch`. Packs that are
/// downloaded on demand, or with updates only, are not counted.
package struct AppDownloads: Sendable, Equatable {
  /// The bytes of one kind of packs.
  package struct Sizes: Sendable, Equatable {
    /// Bytes of the archives, compressed.
    package var download: UInt64 = 0
    /// Bytes of the files in them.
    package var installed: UInt64 = 0
  }

  /// Packs that the system downloads before the first launch.
  package private(set) var essential = Sizes()
  /// Packs that it downloads in the background.
  package private(set) var other = Sizes()
  /// Whether some packs were not made yet, so that their downloads are counted uncompressed.
  package private(set) var isUpperBound = false

  package init() {}

  /// Adds a pack. `isUpperBound` says that the download will have fewer bytes than given.
  package mutating func add(
    _ policy: DownloadPolicy, download: UInt64, installed: UInt64, isUpperBound: Bool = false
  ) {
    switch policy {
    case .essential(let events) where events.contains(.firstInstallation):
      essential.download = saturatingSum(essential.download, download)
      essential.installed = saturatingSum(essential.installed, installed)
    case .prefetch(let events) where events.contains(.firstInstallation):
      other.download = saturatingSum(other.download, download)
      other.installed = saturatingSum(other.installed, installed)
    case .essential, .prefetch, .onDemand:
      return
    }
    self.isUpperBound = self.isUpperBound || isUpperBound
  }
}

extension AppDownloads {
  /// Adds the pack of a manifest that was checked. Its archive can't have more bytes than with every
  /// block stored.
  package mutating func add(_ pack: CheckedPack) {
    guard let selection = pack.selection else { return }
    let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: .constant)
    let blocks = layout.size / (1 << 20) + 1
    add(
      pack.manifest.downloadPolicy, download: layout.size + 16 * blocks + 12,
      installed: selection.size, isUpperBound: true)
  }

  /// Adds a pack that was made; false where its manifest can't be read.
  package mutating func add(_ pack: PackSummary) -> Bool {
    guard let manifest = pack.manifest else { return false }
    add(
      manifest.downloadPolicy, download: pack.pack.container.packedSize,
      installed: pack.contentSize)
    return true
  }
}
