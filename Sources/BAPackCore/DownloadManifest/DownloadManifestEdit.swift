/// Puts packs into a download manifest and decides their versions. Nothing is written here: the
/// manifest and the records that come out are for the caller to save, once there are no errors.
public struct DownloadManifestEdit: Sendable {
  /// The manifest as it becomes.
  public private(set) var manifest: DownloadManifest
  /// The records that go with it.
  public private(set) var records: ContentsRecords
  /// What happens to each pack, in the order given.
  public private(set) var changes: [DownloadManifestChange] = []
  /// What is wrong; with an error among it, nothing is to be saved.
  public private(set) var findings: [Finding] = []

  /// The manifest that the new one replaces, of whose versions none may go down.
  private let previous: DownloadManifest?
  private let base: DownloadBaseURL

  /// Begins a new manifest, which may replace `previous`.
  public init(
    replacing previous: DownloadManifest?, _ records: ContentsRecords, base: DownloadBaseURL
  ) {
    self.init(DownloadManifest(), previous, records, base)
  }

  /// Begins to edit `manifest`.
  public init(
    updating manifest: DownloadManifest, _ records: ContentsRecords, base: DownloadBaseURL
  ) {
    self.init(manifest, manifest, records, base)
  }

  private init(
    _ manifest: DownloadManifest, _ previous: DownloadManifest?, _ records: ContentsRecords,
    _ base: DownloadBaseURL
  ) {
    self.manifest = manifest
    self.previous = previous
    self.records = records
    self.base = base
    if !base.isSecure {
      report(
        .downloadURL, severity: .warning,
        "the base URL is not 'https': devices refuse it unless the app makes an exception for it")
    }
  }

  /// Puts in `packs`, each for all of `platforms`, with the version at the same place in `versions`;
  /// without versions, with the version that ``nextVersion(of:)`` decides on.
  public mutating func add(_ packs: [PackFacts], versions: [Int]?, for platforms: [Platform]) {
    var paths: [[UInt8]: FilePath] = [:]
    for (index, pack) in packs.enumerated() {
      if let other = paths.updateValue(pack.path, forKey: Array(pack.identifier.utf8)) {
        report(
          .duplicatePack,
          "'\(pack.path)' and '\(other)' are both called '\(printable(pack.identifier.utf8))'")
        continue
      }
      check(pack, for: platforms)
      let version = versions.map { index < $0.count ? $0[index] : 0 } ?? nextVersion(of: pack)
      if let version { set(pack, version: version) }
    }
  }

  /// The version that devices must see: the one that is recorded while the contents are the same,
  /// one more when they changed or when nothing is known about them, and 0 for a new pack.
  private mutating func nextVersion(of pack: PackFacts) -> Int? {
    let listed = previous?.version(of: pack.identifier)
    let last: Int
    if let record = records[pack.identifier], record.version >= listed ?? 0 {
      if record.contents == pack.contents { return record.version }
      last = record.version
    } else if let listed {
      last = listed
    } else {
      return 0
    }
    let (next, overflow) = last.addingReportingOverflow(1)
    guard overflow else { return next }
    report(
      .downloadVersion,
      "the version of '\(printable(pack.identifier.utf8))' is \(last), and there is none above it")
    return nil
  }

  private mutating func check(_ pack: PackFacts, for platforms: [Platform]) {
    let missing = platforms.filter { !pack.platforms.isEmpty && !pack.platforms.contains($0) }
    if !missing.isEmpty {
      let names = missing.map(\.rawValue).joined(separator: " or ")
      let own = pack.platforms.map(\.rawValue).joined(separator: ", ")
      report(
        .packPlatform,
        "'\(pack.path)' is not for \(names): the manifest in it lists \(own)")
    }
  }

  private mutating func set(_ pack: PackFacts, version: Int) {
    let listed = previous?.version(of: pack.identifier)
    let record = records[pack.identifier]
    let known = max(listed ?? 0, record?.version ?? 0)
    let name = printable(pack.identifier.utf8)
    if version < known {
      report(
        .downloadVersion,
        "the version of '\(name)' would go down from \(known) to \(version), and devices would keep "
          + "what they have: give \(known) or more, or use 'download-manifest update'")
    } else if let record, record.version == version, record.contents != pack.contents {
      report(
        .downloadVersion, severity: .warning,
        "the contents of '\(name)' are other than those of version \(version) before: devices that "
          + "have it won't load it again")
    }
    guard let url = base.url(of: pack.identifier),
      let servedName = DownloadBaseURL.name(of: pack.identifier)
    else {
      return report(
        .downloadURL,
        "'\(pack.path)' is called '\(name)', which can't be the last part of a URL")
    }
    let keys = manifest.set(pack, version: version, url: url)
    changes.append(
      DownloadManifestChange(
        identifier: pack.identifier, path: pack.path,
        name: servedName, from: listed, to: version,
        hasRecord: record != nil, isSameContents: record?.contents == pack.contents, keys: keys))
    records[pack.identifier] = ContentsRecords.Record(version: version, contents: pack.contents)
  }

  private mutating func report(_ rule: Rule, severity: Severity? = nil, _ message: String) {
    findings.append(Finding(rule, severity: severity, message, at: nil))
  }
}

/// What an edit does to a pack.
public struct DownloadManifestChange: Sendable, Equatable {
  /// The pack.
  public let identifier: String
  /// Its archive.
  public let path: FilePath
  /// The last part of its address, under which the archive is served.
  public let name: String
  /// The version that was listed; nil for a pack that was not.
  public let from: Int?
  /// The version that is listed now.
  public let to: Int
  /// Whether anything is known of the contents of earlier versions.
  public let hasRecord: Bool
  /// Whether the contents are known to be those of the last version.
  public let isSameContents: Bool
  /// The keys of the entry whose values are other than before.
  public let keys: [String]

  /// Whether the archive is another than the one that is served: a new pack, another version, or the
  /// same contents packed to another size.
  public var needsUpload: Bool {
    from == nil || keys.contains("version") || keys.contains("downloadSize")
  }
}
