import BAPackCore
import Synchronization

/// The packs being served. It is immutable; changes replace it.
package final class Catalog: Sendable {
  /// The packs in the order of the command line.
  package let packs: [ServedPack]
  private let places: [[UInt8]: Int]
  private let platforms: [Platform]
  /// A cache of manifests; devices request one at most calls of their API.
  private let manifests = Mutex<[ManifestKey: [UInt8]]>([:])

  private struct ManifestKey: Hashable {
    let host: String
    let platform: Platform?
  }

  /// The maximum number of cached manifests: there are few hosts, but wildcards allow more.
  private static let maximumManifests = 32

  init(_ packs: [ServedPack]) {
    self.packs = packs
    platforms = Platform.all(in: packs.map(\.platforms))
    places = Dictionary(
      packs.enumerated().map { (Array($0.element.identifier.utf8), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  package func pack(_ identifier: [UInt8]) -> ServedPack? { places[identifier].map { packs[$0] } }

  /// The identifier of a pack that a user named by that, or by its file with or without the ending.
  package func identifier(named name: [UInt8]) throws -> [UInt8] {
    if pack(name) != nil { return name }
    let found = packs.filter { pack in
      let file = Array(pack.path.name)
      return file == name || ["aar", "json"].contains { file == name + ".\($0)".utf8 }
    }
    if found.count == 1 { return Array(found[0].identifier.utf8) }
    let known = packs.map(\.identifier)
    let text = brief(name)
    if !found.isEmpty {
      let names = found.map { "'\(printable($0.identifier.utf8))'" }.joined(separator: " and ")
      throw PackagingError("'\(text)' is the file of several packs: \(names)")
    }
    let files = packs.map { String(decoding: $0.path.name, as: UTF8.self) }
    let stems = files.map { $0.split(separator: ".").first.map(String.init) ?? $0 }
    let meant = nearest(to: text, among: known + stems).map {
      "did you mean '\(printable($0.utf8))'?"
    }
    let list = known.prefix(10).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
    throw PackagingError("no pack is called '\(text)'; \(meant ?? "there are \(list)")")
  }

  /// The platform that devices call `name`, in any case; nil if it is neither known nor that of a
  /// pack.
  private func platform(named name: [UInt8]?) -> Platform? {
    let name = name.map { String(decoding: $0, as: UTF8.self).lowercased() }
    return platforms.first { $0.rawValue.lowercased() == name }
  }

  /// The packs for a platform, by the name that devices use; all if it is unknown.
  package func packs(for platform: [UInt8]?) -> [ServedPack] {
    guard let platform = self.platform(named: platform) else { return packs }
    return packs.filter { $0.isFor(platform) }
  }

  /// The differences from `old`, a line per pack: `Harbour: version 3`.
  package func changes(from old: Catalog) -> [String] {
    let changed = packs.compactMap { pack -> String? in
      let name = printable(pack.identifier.utf8)
      let language = pack.language.map { ", \($0)" } ?? ""
      guard let before = old.pack(Array(pack.identifier.utf8)) else {
        return "\(name): new, version \(pack.version), \(byteCount(pack.size))\(language)"
      }
      guard before.label != pack.label else { return nil }
      return before.version == pack.version
        ? "\(name): packed again with the same contents, still version \(pack.version)"
        : "\(name): version \(pack.version), \(byteCount(pack.size))\(language)"
    }
    let gone = old.packs.filter { pack(Array($0.identifier.utf8)) == nil }
    return changed + gone.map { "\(printable($0.identifier.utf8)): gone; devices will remove it" }
  }

  /// The download manifest for clients of `host`, as JSON. Packs for which `declaresLess` is true
  /// are listed with a size that is too small by one byte.
  func manifest(
    for platform: [UInt8]?, host: String, declaresLess: (ServedPack) -> Bool
  ) throws -> [UInt8] {
    let wrong = packs.filter(declaresLess)
    let key = ManifestKey(host: host, platform: self.platform(named: platform))
    if wrong.isEmpty, let known = manifests.withLock({ $0[key] }) { return known }
    let base = try DownloadBaseURL(Array("https://\(host)/assetpacks".utf8))
    var manifest = DownloadManifest()
    for pack in packs(for: platform) {
      guard let url = base.url(of: pack.identifier) else { continue }
      var facts = pack.facts
      if wrong.contains(where: { $0.identifier == pack.identifier }) {
        facts.downloadSize = max(pack.size, 1) - 1
      }
      manifest.set(facts, version: pack.version, url: "\(url)?version=\(pack.label)")
    }
    let bytes = manifest.bytes
    guard wrong.isEmpty else { return bytes }
    manifests.withLock { manifests in
      if manifests.count >= Self.maximumManifests { manifests = [:] }
      manifests[key] = bytes
    }
    return bytes
  }
}
