/// The differences between two sets of packs, which are paired by name.
package struct PackSetDifference: Sendable {
  /// A pack in one or both sets.
  package struct Pair: Sendable {
    /// The name of the pack, escaped for display.
    package let name: String
    /// The old pack; nil for an added one.
    package let old: Pack?
    /// The new pack; nil for a removed one.
    package let new: Pack?
    /// The differences of their contents; all files of an added or removed pack.
    package let difference: PackDifference

    /// Whether nothing differs.
    package var isEqual: Bool { old != nil && new != nil && difference.isEmpty }
    /// The bytes that players with the old pack download: the whole pack if anything changed.
    package var downloadSize: UInt64 { isEqual ? 0 : new?.container.packedSize ?? 0 }
  }

  /// The packs, sorted by name.
  package let pairs: [Pair]

  /// Whether nothing differs.
  package var isEqual: Bool { pairs.allSatisfy(\.isEqual) }
  /// The bytes that players with the old packs download.
  package var downloadSize: UInt64 { pairs.reduce(0) { $0 + $1.downloadSize } }

  /// Compares packs that have the same identifier or, without one, the same file name. Calls
  /// `progress` with the number of bytes of the new packs' archive streams that are done.
  package init(
    from old: [Pack], to new: [Pack], jobs: Int = Processors.available,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws(ArchiveError) {
    let (old, new) = (try Self.byName(old), try Self.byName(new))
    var pairs: [Pair] = []
    var done: UInt64 = 0
    for name in Set(old.keys).union(new.keys).sorted() {
      let start = done
      pairs.append(
        try Pair(name, from: old[name], to: new[name], jobs: jobs) { progress(start + $0) })
      done += new[name]?.container.rawSize ?? 0
    }
    self.pairs = pairs
  }

  /// Compares two packs, whatever their names.
  package init(
    from old: Pack, to new: Pack, jobs: Int = Processors.available,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws(ArchiveError) {
    pairs = [try Pair(new.name, from: old, to: new, jobs: jobs, progress: progress)]
  }

  private static func byName(_ packs: [Pack]) throws(ArchiveError) -> [String: Pack] {
    var named: [String: Pack] = [:]
    for pack in packs {
      if let other = named.updateValue(pack, forKey: pack.name) {
        throw ArchiveError(.conflict(.sameName(pack.name, other.path, pack.path)), in: pack.path)
      }
    }
    return named
  }
}

extension PackSetDifference.Pair {
  fileprivate init(
    _ name: String, from old: Pack?, to new: Pack?, jobs: Int,
    progress: @escaping @Sendable (UInt64) -> Void
  ) throws(ArchiveError) {
    self.name = name
    self.old = old
    self.new = new
    if let old, let new {
      difference = try PackDifference(from: old, to: new, jobs: jobs, progress: progress)
    } else if let pack = new ?? old {
      difference = try PackDifference(ofWhole: pack, isAdded: old == nil)
    } else {
      preconditionFailure("neither an old nor a new pack")
    }
  }
}
