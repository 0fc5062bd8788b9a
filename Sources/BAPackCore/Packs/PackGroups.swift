/// The files of packs in groups, with the space that each group takes.
package struct PackGroups: Sendable {
  /// A criterion for grouping files.
  package enum Grouping: String, Sendable, CaseIterable {
    /// Folders, up to some depth.
    case folder
    /// File extensions.
    case type
    /// Selectors of the manifests.
    case selector
    /// Packs.
    case pack
  }

  /// A group of files.
  package struct Group: Sendable {
    /// The common folder, extension, selector or pack. Empty for files at the top, without an
    /// extension, or not selected.
    package let name: [UInt8]
    /// The number of files.
    package fileprivate(set) var files = 0
    /// The total uncompressed size in bytes.
    package fileprivate(set) var size: UInt64 = 0
    /// The size of their shares of the blocks that contain them, in bytes.
    package fileprivate(set) var compressedSize: UInt64 = 0
  }

  /// The groups, the largest compressed size first.
  package let groups: [Group]

  /// Groups the files that apps read. Folders are named by the first `depth` components of the
  /// path; selectors are prefixed with their pack if there are several.
  package init(of packs: [Pack], by grouping: Grouping, depth: Int = 1) {
    var groups: [[UInt8]: Group] = [:]
    for pack in packs {
      let name = Array(pack.name.utf8)
      let prefix = packs.count > 1 ? name + Array(": ".utf8) : []
      let selectors = SelectorNames(of: pack, prefix: prefix)
      let isPack = pack.isAssetPack
      for entry in pack.entries where entry.kind == .file && entry.isFile(ofPack: isPack) {
        let path = entry.gamePathBytes ?? entry.path
        let key =
          switch grouping {
          case .folder: folder(of: path, depth: depth)
          case .type: fileExtension(of: path)
          case .selector: selectors.name(for: path)
          case .pack: name
          }
        groups[key, default: Group(name: key)].add(entry, pack.container)
      }
    }
    self.groups = groups.values.sorted { left, right in
      left.compressedSize == right.compressedSize
        ? left.name.lexicographicallyPrecedes(right.name)
        : left.compressedSize > right.compressedSize
    }
  }
}

extension PackGroups.Group {
  fileprivate mutating func add(_ entry: EntryHeader, _ container: ContainerFacts) {
    files += 1
    size += entry.size
    compressedSize += entry.contents.map { container.share(of: $0) } ?? 0
  }
}

/// The names of the selectors in a pack's manifest.
private struct SelectorNames {
  private let match: SelectorMatch
  private let names: [[UInt8]]
  private let prefix: [UInt8]

  init(of pack: Pack, prefix: [UInt8]) {
    let selectors = (try? pack.decodedManifest())?.value?.selectors ?? []
    match = SelectorMatch(selectors)
    names = selectors.map { selector in
      let (key, paths) = selector.kind.words
      return prefix + Array("\(key): \(paths)".utf8)
    }
    self.prefix = prefix
  }

  func name(for path: [UInt8]) -> [UInt8] {
    RelativePath(path).flatMap { match.index(of: $0) }.map { names[$0] } ?? prefix
  }
}

/// The first `depth` folders of `path`; empty for a file at the top.
private func folder(of path: [UInt8], depth: Int) -> [UInt8] {
  let slashes = path.indices.lazy.filter { path[$0] == ASCII.slash }
  guard let end = Array(slashes.prefix(depth)).last else { return [] }
  return Array(path[..<end])
}

extension Pack {
  /// The name of the pack, escaped for display: its identifier, or its file name if its manifest
  /// can't be decoded.
  package var name: String {
    let identifier = (try? decodedManifest())?.value?.assetPackID.value
    return printable(identifier.map { Array($0.utf8) } ?? Array(path.name))
  }
}
