import BAPackCore

/// A proposal to divide an app's files into packs, so that players download less for an update:
/// devices load whole packs, so files that change often are kept apart from those that don't, and
/// files that change together are put together. The past need not repeat.
package struct PackSplit: Sendable {
  /// How finely files are divided.
  package enum Granularity: String, Sendable {
    /// The files directly in a folder stay together.
    case folder
    /// Each file by itself.
    case file
  }

  /// The update from one release to the next.
  package struct Update: Sendable {
    /// The release that players get.
    package let release: BytePath
    /// The bytes that one player downloads at most with the packs of the releases.
    package let today: UInt64
    /// The bytes with the proposed packs, an estimate.
    package let proposed: UInt64
  }

  /// A proposed pack.
  package struct Pack: Sendable {
    /// An identifier after its largest folder.
    package internal(set) var name = ""
    /// Its policy, platforms and language; selectors are to be replaced.
    package let manifest: Manifest
    /// The paths of its files in the newest release, sorted.
    package internal(set) var files: [RelativePath] = []
    /// The size of its files in the newest release in bytes.
    package private(set) var size: UInt64 = 0
    /// The compressed size of its files in the newest release in bytes.
    package private(set) var downloadSize: UInt64 = 0
    /// The number of updates that changed a file of it.
    package let changes: Int

    init(manifest: Manifest, changes: Int) {
      self.manifest = manifest
      self.changes = changes
    }

    mutating func add(_ path: RelativePath, _ size: UInt64, _ share: UInt64) {
      files.append(path)
      self.size += size
      downloadSize += share
    }
  }

  /// The bytes that a pack is assumed to cost each time it is downloaded, in addition to its files:
  /// headers, its manifest, requests. A pack more must save more than that.
  package static let packCost: UInt64 = 16 << 10

  package let maximumPacks: Int
  package let granularity: Granularity
  /// Whether sizes are those of files before compression.
  package let isUncompressed: Bool
  package let updates: [Update]
  /// The proposed packs, the most stable first; empty if none are better than today's.
  package let packs: [Pack]

  /// The bytes of all updates with the packs of the releases.
  package var today: UInt64 { updates.reduce(0) { $0 &+ $1.today } }
  /// The bytes of all updates with the proposed packs.
  package var proposed: UInt64 { updates.reduce(0) { $0 &+ $1.proposed } }

  /// The saving, as a sentence.
  package var summary: String {
    let unit = isUncompressed ? " before compression" : ""
    let before =
      "For \(counted(updates.count, "update")), players downloaded \(byteCount(today))\(unit)"
    if packs.isEmpty {
      return "\(before). No division into at most \(counted(maximumPacks, "pack")) was found with "
        + "which they would have downloaded less."
    }
    let saved = percentage(today - proposed, of: today).map { " (\($0) less)" } ?? ""
    return
      "\(before). With \(counted(packs.count, "other pack")), they would have downloaded about "
      + "\(byteCount(proposed))\(saved)."
  }

  /// Proposes at most `maximum` packs for the files of `newest`, the last of at least two releases.
  /// The others are read one after another, with the index of each in `names`.
  package init(
    of names: [BytePath], newest: [PackIndex], maximum: Int, _ granularity: Granularity,
    on platform: Platform?, isUncompressed: Bool, reading read: (Int) throws -> [PackIndex]
  ) throws {
    for pack in newest where pack.manifest == nil {
      throw PackagingError("'\(pack.path)' has no manifest")
    }
    var history = PackHistory(newest, updates: names.count - 1, granularity)
    guard history.kinds.count <= maximum else {
      throw PackagingError(
        "files with \(history.kinds.count) different combinations of policy, platforms and language "
          + "can't be in \(counted(maximum, "pack"))")
    }
    var today: [UInt64] = []
    var last: [String: PackIndex] = [:]
    for number in names.indices {
      let packs = number + 1 < names.count ? try read(number) : newest
      let named = try packs.byName()
      if number > 0 {
        let players = Players(packs.map(\.manifest), on: platform)
        let sizes = try packs.map { try PackDifference(last[$0.name], $0, jobs: 1).downloadSize }
        today.append(players.largest { sizes[$0] }.size)
      }
      try history.add(packs, number)
      last = named
    }
    let kinds = history.kinds(of: Players(newest.map(\.manifest), on: platform), newest)
    let division = history.division(into: maximum, for: kinds)
    let proposed = division.downloads
    let isBetter = proposed.reduce(0, +) < today.reduce(0) { $0 + Double($1) }
    self.maximumPacks = maximum
    self.granularity = granularity
    self.isUncompressed = isUncompressed
    packs = isBetter ? history.packs(of: division, newest) : []
    updates = zip(names.dropFirst(), zip(today, proposed)).map { name, bytes in
      Update(release: name, today: bytes.0, proposed: isBetter ? UInt64(bytes.1) : bytes.0)
    }
  }
}
