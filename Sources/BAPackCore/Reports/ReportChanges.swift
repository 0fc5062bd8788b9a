/// The changes since earlier packs, and the resulting downloads.
package struct ReportChanges: Sendable {
  /// The earlier packs, or the earlier report, as the user named them.
  package let origin: [BytePath]
  /// The packs, sorted by name.
  package let packs: [PackChange]
}

/// A change to a pack.
package struct PackChange: Sendable {
  /// The kinds of changes to a pack or a file.
  package enum Kind: String, Sendable, CaseIterable {
    case added, removed, changed, unchanged
  }

  /// A file that differs.
  package struct File: Sendable {
    /// The path as apps use it.
    package let path: [UInt8]
    /// The old size in bytes; nil for an added file.
    package let oldSize: UInt64?
    /// The new size in bytes; nil for a removed file.
    package let newSize: UInt64?
    /// The kind of change.
    package var kind: Kind { oldSize == nil ? .added : newSize == nil ? .removed : .changed }
  }

  /// The name of the pack.
  package let name: String
  /// The old size of the pack in bytes; nil for an added pack.
  package let oldSize: UInt64?
  /// The new size of the pack in bytes; nil for a removed pack.
  package let newSize: UInt64?
  /// Whether the manifests are equal.
  package let hasSameManifest: Bool
  /// The files that differ, sorted by path.
  package let files: [File]

  /// The kind of change. A pack that was only compressed differently is unchanged.
  package var kind: Kind {
    if oldSize == nil { return .added }
    if newSize == nil { return .removed }
    return files.isEmpty && hasSameManifest ? .unchanged : .changed
  }

  /// The bytes that players with the old packs download: the whole pack if anything changed.
  package var downloadSize: UInt64 { kind == .unchanged ? 0 : newSize ?? 0 }
}

extension ReportChanges {
  /// Compares packs by name. All of their files must have hashes.
  init(
    from old: [ReportedPack], named origin: [BytePath], to new: [ReportedPack]
  ) throws(ReportError) {
    let (old, new) = (try Self.byName(old), try Self.byName(new))
    self.origin = origin
    packs = Set(old.keys).union(new.keys).sorted().map { name in
      PackChange(name, from: old[name], to: new[name])
    }
  }

  private static func byName(
    _ packs: [ReportedPack]
  ) throws(ReportError) -> [String: ReportedPack] {
    var named: [String: ReportedPack] = [:]
    for pack in packs {
      if let other = named.updateValue(pack, forKey: pack.name) {
        throw .archive(
          ArchiveError(.conflict(.sameName(pack.name, other.path, pack.path)), in: pack.path))
      }
    }
    return named
  }
}

extension PackChange {
  fileprivate init(_ name: String, from old: ReportedPack?, to new: ReportedPack?) {
    self.name = name
    oldSize = old?.downloadSize
    newSize = new?.downloadSize
    hasSameManifest = old?.manifestHash == new?.manifestHash
    var before = Dictionary(
      (old?.files ?? []).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var files: [File] = []
    for file in new?.files ?? [] {
      let earlier = before.removeValue(forKey: file.path)
      if let earlier, earlier.hash == file.hash, earlier.isExecutable == file.isExecutable {
        continue
      }
      files.append(File(path: file.path, oldSize: earlier?.size, newSize: file.size))
    }
    files += before.values.map { File(path: $0.path, oldSize: $0.size, newSize: nil) }
    self.files = files.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }
}

extension ReportChanges {
  /// The bytes that players with the old packs download.
  package var downloadSize: UInt64 { packs.reduce(0) { $0 + $1.downloadSize } }
}
