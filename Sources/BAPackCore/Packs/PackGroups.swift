/// Files of packs with something in common, and the space that they take.
package struct PackGroup: Sendable {
  package enum Criterion: String, Sendable, CaseIterable {
    case folder
    case type
    case selector
    case pack
  }

  /// The common folder, extension, selector or pack. Empty for files at the top, without an
  /// extension, or not selected. Extensions have no dot and are in lowercase if they are UTF-8.
  package let name: [UInt8]
  package private(set) var files = 0
  package private(set) var size: UInt64 = 0
  /// The size of their shares of the blocks that contain them, in bytes.
  package private(set) var compressedSize: UInt64 = 0

  fileprivate init(_ name: [UInt8]) { self.name = name }

  /// Several groups combined under another name.
  package init(name: String, of all: some Sequence<Self>) {
    self.init(Array(name.utf8))
    for one in all {
      files += one.files
      size += one.size
      compressedSize += one.compressedSize
    }
  }

  fileprivate mutating func add(_ entry: PackEntry, of pack: PackIndex) {
    files += 1
    size += entry.size
    compressedSize += pack.share(of: entry)
  }
}

extension [PackIndex] {
  /// Groups the files that apps read, the largest compressed size first. Folders are named by the
  /// first `depth` components of the path; selectors are prefixed with their pack if there are
  /// several.
  package func groups(by criterion: PackGroup.Criterion, depth: Int = 1) -> [PackGroup] {
    var groups: [[UInt8]: PackGroup] = [:]
    for pack in self {
      let name = Array<UInt8>(pack.name.utf8)
      let prefix = count > 1 ? name + Array<UInt8>(": ".utf8) : []
      let selectors = pack.manifest?.selectors ?? []
      let match = SelectorMatch(selectors, by: .destination)
      let names = selectors.map { selector in
        let (key, paths) = selector.kind.words
        return prefix + Array<UInt8>("\(key): \(paths)".utf8)
      }
      for entry in pack.files {
        let path = entry.shownPath
        let key =
          switch criterion {
          case .folder: folder(of: path, depth: depth)
          case .type: fileExtension(of: path)
          case .selector:
            RelativePath(path).flatMap { match.matches($0).map(\.index).min() }.map { names[$0] }
              ?? prefix
          case .pack: name
          }
        groups[key, default: PackGroup(key)].add(entry, of: pack)
      }
    }
    return groups.values.sorted(by: \.compressedSize)
  }
}

extension Sequence<PackGroup> {
  /// The groups with the most bytes first, those of equal size by name.
  package func sorted(by size: KeyPath<PackGroup, UInt64>) -> [PackGroup] {
    sorted { left, right in
      left[keyPath: size] == right[keyPath: size]
        ? left.name.lexicographicallyPrecedes(right.name)
        : left[keyPath: size] > right[keyPath: size]
    }
  }
}

/// The first `depth` folders of `path`; empty for a file at the top.
private func folder(of path: [UInt8], depth: Int) -> [UInt8] {
  let slashes = path.indices.lazy.filter { path[$0] == ASCII.slash }
  guard let end = Array(slashes.prefix(depth)).last else { return [] }
  return Array(path[..<end])
}

/// The extension of the file at `path`, without the dot, in lowercase if it is UTF-8.
private func fileExtension(of path: [UInt8]) -> [UInt8] {
  let name = path.suffix(from: path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0)
  // A name that starts with a dot is hidden and has no extension by that.
  guard let dot = name.dropFirst().lastIndex(of: ASCII.dot) else { return [] }
  let bytes = name[(dot + 1)...]
  return String(validating: bytes, as: UTF8.self).map { Array($0.lowercased().utf8) }
    ?? Array(bytes)
}
