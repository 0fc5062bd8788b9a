/// Puts packs into a download manifest and decides their versions. Nothing is written here: the
/// manifest and the records that come out are for the caller to save, once there are no errors.
public struct DownloadManifestEdit: Sendable {
  /// The manifest as it becomes.
  public private(set) var manifest: DownloadManifest
  /// The records that go with it.
  public private(set) var records: ContentsRecords
  /// What happens to each pack, in the order given.
  public private(set) var changes: [DownloadManifestChange] = []
  /// The packs that were listed in what is replaced, and are not any more.
  public private(set) var dropped: [DroppedPack] = []
  /// What is wrong; with an error among it, nothing is to be saved.
  public private(set) var findings: [Finding] = []

  /// What no version may fall behind: first what the manifest is made anew of or edited, then what
  /// else it replaces.
  private let histories: [DownloadHistory]
  private let base: DownloadBaseURL

  /// Begins a new manifest, which replaces `old`.
  public init(replacing old: DownloadHistory, base: DownloadBaseURL) {
    self.init(DownloadManifest(), [old], base)
  }

  /// Begins to edit `history`. What comes out replaces that, or `other`, a list with versions of its
  /// own.
  public init(
    updating history: DownloadHistory, replacing other: DownloadHistory? = nil,
    base: DownloadBaseURL
  ) {
    self.init(history.manifest, [history] + (other.map { [$0] } ?? []), base)
  }

  private init(
    _ manifest: DownloadManifest, _ histories: [DownloadHistory], _ base: DownloadBaseURL
  ) {
    self.manifest = manifest
    self.histories = histories
    self.base = base
    records = histories.reduce(into: ContentsRecords()) { $0.addNewer($1.records) }
    if !base.isSecure {
      report(
        .downloadURL, severity: .warning,
        "the base URL is not 'https': devices refuse it unless the app makes an exception for it")
    }
  }

  /// Puts in `packs`, each for all of `platforms` and with its version; without one, with the version
  /// that ``nextVersion(of:)`` decides on.
  public mutating func add(
    _ packs: [(facts: PackFacts, version: Int?)], for platforms: [Platform]
  ) {
    var paths: [[UInt8]: FilePath] = [:]
    for (pack, given) in packs {
      if let other = paths.updateValue(pack.path, forKey: Array(pack.identifier.utf8)) {
        report(
          .duplicatePack,
          "'\(pack.path)' and '\(other)' are both called '\(printable(pack.identifier.utf8))'")
        continue
      }
      check(pack, for: platforms)
      if let version = given ?? nextVersion(of: pack) {
        set(pack, version: version, isGiven: given != nil)
      }
    }
    for identifier in manifest.identifiers where paths[Array(identifier.utf8)] == nil {
      checkUntouched(identifier)
    }
    var seen: Set<[UInt8]> = []
    for identifier in histories.flatMap(\.manifest.identifiers)
    where paths[Array(identifier.utf8)] == nil && seen.insert(Array(identifier.utf8)).inserted {
      drop(identifier)
    }
  }

  /// The highest version of a pack in any history, and what it held in each that has it.
  private func newest(
    of identifier: String
  ) -> (version: Int, contents: [ContentsDigest.Value?])? {
    let all = histories.compactMap { $0.newest(of: identifier) }
    guard let version = all.map(\.version).max() else { return nil }
    return (version, all.filter { $0.version == version }.map(\.contents))
  }

  /// What the contents of `pack` are beside those of its highest version.
  private func contents(of pack: PackFacts) -> DownloadManifestChange.Contents {
    guard let known = newest(of: pack.identifier)?.contents else { return .unknown }
    if known.contains(where: { $0 != nil && $0 != pack.contents }) { return .other }
    return known.contains(nil) ? .unknown : .same
  }

  /// The version that devices must see: the highest while the contents are the same, one more when
  /// they changed or when nothing is known about them, and 0 for a new pack.
  private mutating func nextVersion(of pack: PackFacts) -> Int? {
    guard let last = newest(of: pack.identifier)?.version else { return 0 }
    if contents(of: pack) == .same { return last }
    let (next, overflow) = last.addingReportingOverflow(1)
    guard overflow else { return next }
    report(
      .downloadVersion,
      "the version of '\(printable(pack.identifier.utf8))' is \(last), and there is none above it")
    return nil
  }

  /// A pack that stays as it is may be behind, or beside, what it is in another list that is replaced.
  private mutating func checkUntouched(_ identifier: String) {
    guard let version = manifest.version(of: identifier),
      let own = histories.first?.newest(of: identifier)
    else { return }
    let name = printable(identifier.utf8)
    for other in histories.dropFirst().compactMap({ $0.newest(of: identifier) }) {
      if version < other.version {
        report(
          .downloadVersion,
          "the version of '\(name)' is \(version), but \(other.version) is known where the list is to "
            + "go, and devices would keep what they have: update that pack too")
      } else if version == other.version, own.version == version, let contents = own.contents,
        let others = other.contents, contents != others
      {
        report(
          .downloadVersion, severity: .warning,
          "the contents of '\(name)' are other than those of version \(version) where the list is to "
            + "go: devices that have it won't load it again")
      }
    }
  }

  /// A pack that is listed no more may come back, and must then get a higher version: the records
  /// know which, unless there is none.
  private mutating func drop(_ identifier: String) {
    guard manifest.version(of: identifier) == nil,
      let version = newest(of: identifier)?.version
    else { return }
    dropped.append(DroppedPack(identifier: identifier, version: version))
    guard records[identifier].map({ $0.version < version }) ?? true else { return }
    report(
      .downloadVersion, severity: .warning,
      "'\(printable(identifier.utf8))' is listed no more, and nothing is recorded of its version "
        + "\(version): should it come back, give it a higher one")
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
    if let language = pack.language, !manifest.hasLanguage(pack.identifier) {
      report(
        .downloadLanguage,
        "the language of '\(printable(pack.identifier.utf8))', \(printable(language.utf8)), is not in "
          + "the list: Apple has not published the key for it")
    }
  }

  private mutating func set(_ pack: PackFacts, version: Int, isGiven: Bool) {
    let name = printable(pack.identifier.utf8)
    let contents = contents(of: pack)
    if let known = newest(of: pack.identifier)?.version, version <= known {
      if version < known {
        report(
          .downloadVersion,
          "the version of '\(name)' would go down from \(known) to \(version), and devices would keep "
            + "what they have: give \(known) or more, or use 'download-manifest update'")
      } else if contents == .other {
        report(
          .downloadVersion, severity: .warning,
          "the contents of '\(name)' are other than those of version \(version) before: devices that "
            + "have it won't load it again")
      } else if contents == .unknown {
        report(
          .downloadVersion, severity: .warning,
          "nothing is recorded of what version \(version) of '\(name)' held before: if that was "
            + "something else, devices that have it won't load it again")
      }
    }
    guard let url = base.url(of: pack.identifier) else {
      return report(
        .downloadURL,
        "'\(pack.path)' is called '\(name)', which can't be the last part of a URL")
    }
    manifest.set(pack, version: version, url: url)
    let before = histories.first?.manifest ?? DownloadManifest()
    changes.append(
      DownloadManifestChange(
        identifier: pack.identifier, path: pack.path, from: before.version(of: pack.identifier),
        to: version, isGiven: isGiven, contents: contents,
        keys: manifest.keysThatDiffer(of: pack.identifier, from: before)))
    records[pack.identifier] = ContentsRecords.Record(version: version, contents: pack.contents)
  }

  private mutating func report(_ rule: Rule, severity: Severity? = nil, _ message: String) {
    findings.append(Finding(rule, severity: severity, message, at: nil))
  }
}
