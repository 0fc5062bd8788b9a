import BAPackCore

/// The contents of an app's packs and their cost: sizes by file, duplicates, files in no pack, and
/// changes since earlier packs. It is output as HTML, JSON or Markdown.
package struct AppReport: Sendable {
  /// The title of the page.
  package var title = "Asset packs"
  package private(set) var packs: [PackIndex] = []
  /// Duplicate contents, those that waste the most first.
  package let duplicates: [PackCopies]
  /// The files of a folder that are in none of the packs; nil unless a folder was given.
  package private(set) var coverage: Coverage?
  /// The changes since earlier packs; nil unless some were given.
  package private(set) var changes: [PackDifference]?
  /// Files that builds that read the earlier packs miss in these, by the rules about releases.
  package private(set) var losses: [Finding] = []
  /// The earlier packs or reports, as the user named them.
  package private(set) var origin: [BytePath] = []
  /// The packs, manifests and reports that were read.
  package private(set) var inputs: [BytePath] = []
  /// The files that packs of manifests would be made from.
  package private(set) var selections: [Selection] = []
  /// The findings of the check of manifests, without errors.
  package private(set) var findings: [Finding] = []
  let sizeBudgets: SizeBudgets
  /// The connection speeds for download times, in Mbit/s.
  package var rates: [Int] = [10, 50, 200]

  /// What players have of the packs.
  package let players: Players
  /// What each of the players lacks in their language.
  let lacks: [[Players.Lack]]

  /// The compression that the packs of manifests were measured with; nil if there are none.
  var measured: String? { packs.first(where: \.isLayout)?.compression }
  package var fileCount: Int { packs.fileCount }
  /// The total uncompressed size of the files that one player has at most, in bytes.
  package var size: UInt64 { players.largest { packs[$0].size }.size }
  /// The player with the largest total size of packs, and this size in bytes.
  package var largestDownload: (player: Players.Player, size: UInt64) {
    players.largest { packs[$0].downloadSize }
  }
  package var downloadSize: UInt64 { largestDownload.size }
  /// The total size of the packs that one player's installation of the app waits for at most.
  package var installationSize: UInt64 { players.largest { packs[$0].installationSize }.size }
  /// The number of packs with a policy or event that this version doesn't know.
  var unknownPolicies: Int { packs.count { $0.manifest?.downloadPolicy.isKnown == false } }
  /// The bytes that one player with the earlier packs downloads at most.
  var updateSize: UInt64 {
    let sizes = (changes ?? []).reduce(into: [:]) { $0[$1.name] = $1.downloadSize }
    return players.largest { sizes[packs[$0].name] ?? 0 }.size
  }
  package var wastedSize: UInt64 { duplicates.size(\.wastedSize) }
  package var wastedDownload: UInt64 { duplicates.size(\.wastedDownload) }

  /// How packs are read or measured.
  package struct Options: Sendable {
    /// The compression that the packs of manifests are measured with; nil for that of the packs that
    /// they are compared with or else the usual one.
    package var compression: Compression?
    /// How manifests are checked.
    package var check = ManifestCheck.Options()
    /// The folder whose files are checked for being in a pack.
    package var coverage: BytePath?
    /// The device of the players.
    package var device = Device()
    /// Whether all files are hashed, not only potential duplicates.
    package var hashesAll = false
    package var limits = ReadingLimits()
    package var jobs = Processors.available

    package init() {}
  }

  /// Creates a report on the packs and manifests at `paths`, with the changes since the packs,
  /// manifests or reports at `earlier`; a folder means those in it, see ``PackOrManifest/inputs(at:)``.
  /// Findings that prevent it are passed to `refused`.
  package init(
    of paths: [BytePath], since earlier: [BytePath] = [], _ options: Options = Options(),
    refused: ([Finding]) -> Void = { _ in }
  ) throws {
    var options = options
    var old: [PackIndex] = []
    var others: [BytePath] = []
    for path in earlier {
      if let packs = try PackIndex.packs(ofReportAt: path) {
        old += packs
      } else {
        others.append(path)
      }
    }
    let oldSources = try others.isEmpty ? [] : options.sources(at: others, refused).packs
    old += oldSources.map(\.pack)
    options.compression = options.compression ?? old.compression
    let (sources, findings) = try options.sources(at: paths, refused)
    self.findings = findings
    sizeBudgets = options.check.sizeBudgets
    var packs = sources.map(\.pack)
    var first: [String: BytePath] = [:]
    for pack in packs {
      guard let identifier = pack.manifest?.assetPackID,
        let other = first.updateValue(pack.path, forKey: identifier)
      else { continue }
      throw PackagingError(
        "'\(other)' and '\(pack.path)' have the same identifier, '\(printable(identifier.utf8))':"
          + " a report counts each pack of an app once")
    }
    inputs = packs.map(\.path) + earlier + oldSources.map(\.pack.path)
    selections = (sources + oldSources).compactMap(\.selection)
    try packs.findHashes(ofAll: options.hashesAll, jobs: options.jobs)
    players = try Players(packs.map(\.manifest), options.device)
    lacks = players.lacks(packs, primaryLanguage: options.check.primaryLanguage)
    duplicates = packs.copies(for: players)
    self.packs = packs
    if !earlier.isEmpty { try compare(to: old, named: earlier, options) }
    guard let folder = options.coverage else { return }
    let found = try Coverage(
      of: folder,
      in: sources.compactMap { source in
        source.selection
          ?? source.pack.manifest.map { manifest in
            let root = SourceRoot(of: manifest, readFrom: nil, option: options.check.root)
            return Selection.resolve(manifest, in: root).value
          }
      }, except: packs.map(\.path))
    try refuse(found.problems, refused)
    coverage = found
  }

  /// Adds the changes since the `old` packs.
  private mutating func compare(
    to old: [PackIndex], named origin: [BytePath], _ options: Options
  ) throws {
    self.origin = origin
    changes = try old.compare(to: packs, jobs: options.jobs)
    let offered = packs.filter { $0.manifest != nil }
    losses = options.check.rules.applied(
      to: releaseFindings(
        since: old, in: offered.compactMap(\.manifest), AppPaths(offered),
        hosting: options.check.hosting
      ).map { finding in
        // Packs that were read have no texts.
        var finding = finding
        finding.manifests = []
        return finding
      })
  }
}

extension AppReport.Options {
  /// The packs at `paths`, the selections of those that would be made from manifests, and the
  /// findings of their check.
  fileprivate func sources(
    at paths: [BytePath], _ refused: ([Finding]) -> Void
  ) throws -> (packs: [(pack: PackIndex, selection: Selection?)], findings: [Finding]) {
    let inputs = try PackOrManifest.inputs(at: paths)
    let manifests = inputs.compactMap { if case .manifest(let path) = $0 { path } else { nil } }
    let app = AppCheck(
      of: try ManifestFiles(at: manifests, besidePacks: true), check)
    try refuse(app.findings.filter { $0.severity == .error }, refused)
    var packager = Packager()
    packager.compression = compression ?? check.compression
    packager.jobs = jobs
    var findings = app.findings
    var sources: [(pack: PackIndex, selection: Selection?)] = []
    for input in inputs {
      switch input {
      case .archive(let path):
        let pack = try PackIndex.read(ArchiveInput(path), limits: limits, jobs: jobs)
        guard pack.isFile else { throw PackagingError.pipe(path) }
        sources.append((pack, nil))
      case .manifest(let path):
        guard let number = app.manifests.firstIndex(of: path), let pack = app.checks[number].pack,
          let selection = pack.selection
        else { continue }
        if selection.pointers > 0 {
          let what = selection.pointers == 1 ? "is a pointer" : "are pointers"
          findings.append(
            Finding(
              .stubFile, severity: .note,
              "\(counted(selection.pointers, "file")) \(what) of Git LFS: the sizes are those before "
                + "compression", at: SourceLocation(pack.manifest.source, 0..<0)))
          let index = try PackIndex(
            uncompressed: path, selection, pack.manifest, jobs: jobs)
          sources.append((index, selection))
          continue
        }
        let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: .constant)
        let container = try packager.measure(layout, root: selection.root)
        var index = PackIndex(path, layout, root: selection.root, pack.manifest, container)
        index.compression = "\(packager.compression)"
        sources.append((index, selection))
      }
    }
    return (sources, findings)
  }
}

/// Passes findings that prevent a report to `refused`, and fails.
private func refuse(_ findings: [Finding], _ refused: ([Finding]) -> Void) throws {
  guard findings.hasErrors else { return }
  refused(findings)
  throw PackagingError("no report was written: \(findings.summary)")
}

extension [PackIndex] {
  /// The compression of all packs; nil if it isn't the same. Those with nothing but stored blocks,
  /// such as pictures, fit any.
  fileprivate var compression: Compression? {
    let known = Set(compactMap(\.compression).compactMap(Compression.init))
    let coded = known.subtracting([.store])
    return coded.count > 1 ? nil : coded.first ?? known.first
  }
}
