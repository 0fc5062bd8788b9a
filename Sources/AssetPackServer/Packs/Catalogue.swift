import BAPackCore
import Synchronization

/// The packs being served. It is immutable; changes replace it.
package final class Catalogue: Sendable {
  /// The packs in the order of the command line.
  package let packs: [ServedPack]
  private let places: [[UInt8]: Int]
  /// A cache of manifests; devices request one at most calls of their API.
  private let manifests = Mutex<[ManifestKey: [UInt8]]>([:])

  private struct ManifestKey: Hashable {
    let host: String
    let platform: Platform?
  }

  /// The maximum number of cached manifests: there are few hosts, but clients can choose any port.
  private static let mostManifests = 32

  init(_ packs: [ServedPack]) {
    self.packs = packs
    places = Dictionary(
      packs.enumerated().map { (Array($0.element.identifier.utf8), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The pack with that identifier.
  package func pack(_ identifier: [UInt8]) -> ServedPack? { places[identifier].map { packs[$0] } }

  /// The packs for a platform, by the name that devices use; all if it is unknown.
  package func packs(for platform: [UInt8]?) -> [ServedPack] {
    guard let platform = platform.flatMap(Platform.init(named:)) else { return packs }
    return packs.filter { $0.platforms.isEmpty || $0.platforms.contains(platform) }
  }

  /// The differences from `old`, a line per pack: `Harbour: version 3`.
  package func changes(from old: Catalogue) -> [String] {
    let changed = packs.compactMap { pack -> String? in
      let name = printable(pack.identifier.utf8)
      guard let before = old.pack(Array(pack.identifier.utf8)) else {
        return "\(name): new, version \(pack.version), \(byteCount(pack.size))"
      }
      guard before.version != pack.version || before.loaded.sha256 != pack.loaded.sha256 else {
        return nil
      }
      return before.version == pack.version
        ? "\(name): packed again with the same contents, still version \(pack.version)"
        : "\(name): version \(pack.version), \(byteCount(pack.size))"
    }
    let gone = old.packs.filter { pack(Array($0.identifier.utf8)) == nil }
    return changed + gone.map { "\(printable($0.identifier.utf8)): gone; devices will remove it" }
  }

  /// The download manifest for clients of `host`, as JSON. Packs for which `declaresLess` is true
  /// are listed with a size that is too small by one byte.
  func manifest(
    for platform: [UInt8]?, host: String, declaresLess: (ServedPack) -> Bool
  ) throws(InvalidValue) -> [UInt8] {
    let wrong = packs.filter(declaresLess)
    let key = ManifestKey(host: host, platform: platform.flatMap(Platform.init(named:)))
    if wrong.isEmpty, let known = manifests.withLock({ $0[key] }) { return known }
    let base = try DownloadBaseURL(Array("https://\(host)/assetpacks".utf8))
    var manifest = DownloadManifest()
    for pack in packs(for: platform) {
      guard let url = base.url(of: pack.identifier) else { continue }
      let isWrong = wrong.contains { $0.identifier == pack.identifier }
      let size = isWrong ? max(pack.size, 1) - 1 : pack.size
      manifest.set(pack.facts(declaring: size), version: pack.version, url: url)
    }
    let bytes = manifest.bytes
    guard wrong.isEmpty else { return bytes }
    manifests.withLock { manifests in
      if manifests.count >= Self.mostManifests { manifests = [:] }
      manifests[key] = bytes
    }
    return bytes
  }
}

/// A pack with its version.
package struct ServedPack: Sendable {
  let loaded: LoadedPack
  /// The version that devices see.
  package let version: Int

  /// The identifier.
  package var identifier: String { loaded.facts.identifier }
  /// Its platforms; empty means every platform.
  package var platforms: [Platform] { loaded.facts.platforms }
  /// The archive or the manifest, as the user named it.
  package var path: BytePath { loaded.facts.path }
  /// The size of the archive in bytes.
  package var size: UInt64 { loaded.facts.downloadSize }

  fileprivate func facts(declaring size: UInt64) -> PackFacts {
    let facts = loaded.facts
    guard size != facts.downloadSize else { return facts }
    return PackFacts(
      path: facts.path, identifier: facts.identifier, downloadPolicy: facts.downloadPolicy,
      platforms: facts.platforms, userInfo: facts.userInfo, downloadSize: size,
      contents: facts.contents)
  }
}

extension Platform {
  /// The platform with that name, ignoring case.
  init?(named name: [UInt8]) {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    guard let match = Self.allCases.first(where: { $0.rawValue.lowercased() == text }) else {
      return nil
    }
    self = match
  }
}
