import BAPackCore

/// What an app downloads right after its installation, as stated in its `Info.plist`: the sizes of
/// packs with the policy `essential`, and separately those with `prefetch`. Packs that are
/// downloaded on demand, or only with updates, are not counted.
package struct AppDownloads: Sendable, Equatable {
  /// The sizes of one kind of packs.
  package struct Sizes: Sendable, Equatable {
    /// The compressed size of the archives in bytes.
    package var download: UInt64 = 0
    /// The size of their files in bytes.
    package var installed: UInt64 = 0
  }

  /// Packs that are downloaded before the first launch.
  package private(set) var essential = Sizes()
  /// Packs that are downloaded in the background.
  package private(set) var other = Sizes()
  /// Whether some packs were not made yet, so that their uncompressed sizes are counted.
  package private(set) var isUpperBound = false
  /// Whether one of all packs has a language.
  package private(set) var isLocalized = false

  package init() {}

  /// Adds a pack. With `isUpperBound`, the actual download will be smaller.
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
  /// Adds the pack of a checked manifest, with the size of an archive in which every block is
  /// stored, the maximum.
  package mutating func add(_ pack: CheckedPack) {
    guard let selection = pack.selection else { return }
    if pack.manifest.language != nil { isLocalized = true }
    let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: .constant)
    let blocks = layout.size / (1 << 20) + 1
    add(
      pack.manifest.downloadPolicy, download: layout.size + 16 * blocks + 12,
      installed: selection.size, isUpperBound: true)
  }

  /// Adds an existing pack; false if its manifest can't be read.
  package mutating func add(_ pack: PackIndex) -> Bool {
    guard let manifest = pack.manifest else { return false }
    if manifest.language != nil { isLocalized = true }
    add(manifest.downloadPolicy, download: pack.downloadSize, installed: pack.size)
    return true
  }
}
