/// Adds packs to a download manifest and chooses their versions. It writes nothing: the caller
/// saves the resulting manifest and records if there are no errors.
package struct DownloadManifestEdit: Sendable {
  package private(set) var manifest: DownloadManifest
  package private(set) var records: ContentsRecords
  /// The change to each pack, in the order given.
  package private(set) var changes: [DownloadManifestChange] = []
  package private(set) var dropped: [DroppedPack] = []
  /// The findings. If any is an error, don't save anything.
  package private(set) var findings: [Finding] = []

  /// The histories whose versions must not be reduced: that of the manifest being edited or
  /// replaced, then any other that is replaced.
  private let histories: [DownloadHistory]
  /// Nil if no pack is added.
  private let base: DownloadBaseURL?

  /// Starts a new manifest, which replaces `old`.
  package init(replacing old: DownloadHistory, base: DownloadBaseURL) {
    self.init(DownloadManifest(), [old], base)
  }

  /// Starts to edit `history`. The result replaces it, or `other`, a manifest with its own
  /// versions.
  package init(
    updating history: DownloadHistory, replacing other: DownloadHistory? = nil,
    base: DownloadBaseURL?
  ) {
    self.init(history.manifest, [history] + (other.map { [$0] } ?? []), base)
  }

  private init(
    _ manifest: DownloadManifest, _ histories: [DownloadHistory], _ base: DownloadBaseURL?
  ) {
    self.manifest = manifest
    self.histories = histories
    self.base = base
    records = histories.reduce(into: ContentsRecords()) { $0.addNewer($1.records) }
    if let base, !base.isSecure {
      report(
        .downloadURL, severity: .warning,
        "the base URL is not 'https': devices reject it unless the app makes an exception")
    }
  }

  /// Removes packs from the list, before others are added.
  package mutating func remove(_ identifiers: [String]) throws {
    for identifier in identifiers where !manifest.remove(identifier) {
      let meant = suggestion(for: identifier, among: manifest.identifiers)
      throw PackagingError(
        "'\(printable(identifier.utf8))' is not in the list"
          + (meant.map { "; did you mean '\(printable($0.utf8))'?" } ?? ""))
    }
  }

  /// Adds `packs`, which must support all of `platforms`, with the given versions or, for nil, the
  /// next ones.
  package mutating func add(
    _ packs: [(facts: PackFacts, version: Int?)], for platforms: [Platform]
  ) {
    var paths: [[UInt8]: BytePath] = [:]
    for (pack, given) in packs {
      if let other = paths.updateValue(pack.path, forKey: Array(pack.identifier.utf8)) {
        report(
          .duplicatePack,
          "'\(pack.path)' and '\(other)' have the same identifier "
            + "'\(printable(pack.identifier.utf8))'")
        continue
      }
      check(pack, for: platforms)
      if let version = given ?? nextVersion(of: pack) {
        set(pack, version: version, isGiven: given != nil)
      }
    }
    let unknown = changes.count { $0.from != nil && !$0.isGiven && $0.contents == .unknown }
    if unknown > 0 {
      report(
        .downloadRecords, severity: .warning,
        "there is no record of the contents of \(counted(unknown, "listed pack")): each gets a new"
          + " version, which devices download; restore the record next to the list if it was lost")
    }
    checkLanguages(packs.map(\.facts))
    for identifier in manifest.identifiers where paths[Array(identifier.utf8)] == nil {
      checkUntouched(identifier)
    }
    var seen: Set<[UInt8]> = []
    for identifier in histories.flatMap(\.manifest.identifiers)
    where paths[Array(identifier.utf8)] == nil && seen.insert(Array(identifier.utf8)).inserted {
      drop(identifier)
    }
  }

  /// The highest version of a pack in any history.
  private func newestVersion(of identifier: String) -> Int? {
    histories.compactMap { $0.newest(of: identifier)?.version }.max()
  }

  /// How the contents of `pack` compare with those of its highest version, in each history that has
  /// it.
  private func contents(of pack: PackFacts) -> DownloadManifestChange.Contents {
    let version = newestVersion(of: pack.identifier)
    let newest = histories.filter { $0.newest(of: pack.identifier)?.version == version }
    let known = newest.map { contents(of: pack, in: $0, among: newest) }
    if version == nil { return .unknown }
    if known.contains(where: { $0 != nil && $0 != pack.contents }) { return .other }
    return known.contains(nil) ? .unknown : .same
  }

  /// The contents of the newest version of `pack` in `history`. Without a record, a name with a
  /// digest is used: if it is the same, so are the contents.
  private func contents(
    of pack: PackFacts, in history: DownloadHistory, among others: [DownloadHistory]
  ) -> [UInt8]? {
    let identifier = pack.identifier
    if let contents = history.newest(of: identifier)?.contents { return contents }
    guard pack.sha256 != nil, let name = history.manifest.nameInURL(of: identifier),
      pack.isNameWithDigest(name)
    else { return nil }
    if name == percentEncoded(pack.serverName) { return pack.contents }
    return others.filter { $0.manifest.nameInURL(of: identifier) == name }
      .compactMap { $0.newest(of: identifier)?.contents }.first
  }

  /// The version that devices must see: the highest one if the contents are the same, the next if
  /// they have changed or are unknown, and 0 for a new pack.
  private mutating func nextVersion(of pack: PackFacts) -> Int? {
    guard let last = newestVersion(of: pack.identifier) else { return 0 }
    if contents(of: pack) == .same { return last }
    let (next, overflow) = last.addingReportingOverflow(1)
    guard overflow else { return next }
    report(
      .downloadVersion,
      "the version of '\(printable(pack.identifier.utf8))' is \(last) and can't be raised")
    return nil
  }

  /// Checks a pack that isn't updated: it may have a lower version, or other contents, than in
  /// another list that is replaced.
  private mutating func checkUntouched(_ identifier: String) {
    guard let version = manifest.version(of: identifier),
      let own = histories.first?.newest(of: identifier)
    else { return }
    let name = printable(identifier.utf8)
    for other in histories.dropFirst().compactMap({ $0.newest(of: identifier) }) {
      if version < other.version {
        report(
          .downloadVersion,
          "the version of '\(name)' is \(version), but \(other.version) in the file that is "
            + "replaced, so devices would ignore it: update that pack too")
      } else if version == other.version, own.version == version, let contents = own.contents,
        let others = other.contents, contents != others
      {
        report(
          .downloadVersion, severity: .warning,
          "the contents of '\(name)' differ from version \(version) in the file that is replaced:"
            + " devices that have it won't download it again")
      }
    }
  }

  /// A removed pack that is added again later needs a higher version, which only a record can
  /// provide.
  private mutating func drop(_ identifier: String) {
    guard manifest.version(of: identifier) == nil,
      let version = newestVersion(of: identifier)
    else { return }
    dropped.append(DroppedPack(identifier: identifier, version: version))
    guard records[identifier].map({ $0.version < version }) ?? true else { return }
    report(
      .downloadVersion, severity: .warning,
      "'\(printable(identifier.utf8))' is no longer listed, and its version \(version) is not"
        + " recorded: use a higher version if you add it again")
  }

  /// One finding for all packs with a language.
  private mutating func checkLanguages(_ packs: [PackFacts]) {
    // Another tool may have written it.
    let names = packs.filter { pack in
      pack.manifest.language != nil
        && !manifest.members(of: pack.identifier).contains { $0.key == "language" }
    }.map { "'\($0.manifest.name)'" }
    guard let first = names.first else { return }
    report(
      .downloadLanguage,
      names.count == 1
        ? "the language of \(first) is not in the list: Apple has not published the key for it"
        : "the languages of \(counted(names.count, "pack")), the first being \(first), are not in the "
          + "list: Apple has not published the key for them")
  }

  private mutating func check(_ pack: PackFacts, for platforms: [Platform]) {
    let missing = platforms.filter { !pack.platforms.isEmpty && !pack.platforms.contains($0) }
    if missing.isEmpty { return }
    report(
      .packPlatform,
      "'\(pack.path)' is not for \(listed(missing.map(\.shown), "or")): its manifest lists "
        + pack.platforms.shown)
  }

  private mutating func set(_ pack: PackFacts, version: Int, isGiven: Bool) {
    let name = printable(pack.identifier.utf8)
    let contents = contents(of: pack)
    if let known = newestVersion(of: pack.identifier), version <= known {
      if version < known {
        report(
          .downloadVersion,
          "the version of '\(name)' would drop from \(known) to \(version), and devices would "
            + "ignore it: use \(known) or more")
      } else if contents == .other {
        report(
          .downloadVersion, severity: .warning,
          "the contents of '\(name)' have changed, but its version is still \(version): devices "
            + "that have it won't download it again")
      } else if contents == .unknown {
        report(
          .downloadVersion, severity: .warning,
          "there is no record of version \(version) of '\(name)': if the contents have changed,"
            + " devices that have it won't download it again")
      }
    }
    guard let url = base?.url(of: pack.serverName) else {
      return report(
        .downloadURL,
        "'\(pack.path)' has the identifier '\(name)', which can't be the last part of a URL")
    }
    manifest.set(pack, version: version, url: url)
    let before = histories.first?.manifest ?? DownloadManifest()
    changes.append(
      DownloadManifestChange(
        identifier: pack.identifier, path: pack.path, serverName: pack.serverName,
        from: before.version(of: pack.identifier),
        to: version, isGiven: isGiven, contents: contents,
        keys: manifest.members(of: pack.identifier).keysThatDiffer(
          from: before.members(of: pack.identifier))))
    records[pack.identifier] = (version, pack.contents)
  }

  private mutating func report(_ rule: Rule, severity: Severity? = nil, _ message: String) {
    findings.append(Finding(rule, severity: severity, message, at: nil))
  }
}

package struct DownloadManifestChange: Sendable, Equatable {
  package let identifier: String
  /// Its archive.
  package let path: BytePath
  /// ``PackFacts/serverName``.
  package let serverName: String
  package let from: Int?
  package let to: Int
  package let isGiven: Bool
  package let contents: Contents
  package let keys: [String]

  /// How the contents of a pack compare with its highest previous version.
  package enum Contents: Sendable {
    case same
    case other
    /// There is no such version, or no record of its contents.
    case unknown
  }

  /// Whether the archive differs from the one that is served, or has a new URL: a new pack,
  /// different contents, another URL, or the same contents compressed to another size.
  package var needsUpload: Bool {
    from == nil || contents != .same
      || keys.contains { ["version", "url", "downloadSize"].contains($0) }
  }

  /// The name of the file on a server, percent-encoded in the URL. Nil if it can't be a file name,
  /// or contains a control character.
  package var fileName: String? {
    let isName = serverName.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != ASCII.slash }
    return isName ? serverName : nil
  }
}

/// A pack that an edit removes from the list.
package struct DroppedPack: Sendable, Equatable {
  package let identifier: String
  /// Its highest known version.
  package let version: Int
}

extension [DownloadManifestChange] {
  /// Findings about packs that can't be in a list of uploads, which has a line with name and path
  /// for each pack.
  package var uploadFindings: [Finding] {
    filter(\.needsUpload).compactMap { change in
      let name = printable(change.identifier.utf8)
      if change.fileName == nil {
        return Finding(
          .downloadURL,
          "'\(change.path)' can't be listed for upload: its identifier '\(name)' is not a valid "
            + "file name", at: nil)
      }
      if change.path.bytes.contains(UInt8(ascii: "\n")) {
        return Finding(
          .downloadURL,
          "'\(change.path)' can't be listed for upload: its path has several lines; rename the "
            + "file",
          at: nil)
      }
      return nil
    }
  }
}
