/// The result of checking all packs of an app, one by one and then together.
public struct AppCheck: Sendable {
  /// The manifests, without duplicates.
  public let manifests: [BytePath]
  /// Files in folders that are other output of this program rather than manifests.
  package let skipped: [(path: BytePath, kind: String)]
  /// The result for each manifest, in the same order.
  public let checks: [ManifestCheck]
  /// Problems of the packs together.
  package let findingsTogether: [Finding]
  private let git: Git
  /// Those about the project file that the options are from.
  let findingsInProject: [Finding]

  /// Checks the manifests at `paths` as the packs of one app. A folder means every manifest in it
  /// and its subfolders.
  ///
  /// - Throws: Among others ``PackError/Code/permissionDenied`` if a folder can't be listed,
  ///   ``PackError/Code/invalidArgument`` if one has no manifests, or there are no paths, and
  ///   ``PackError/Code/cancelled``.
  public init(
    reading paths: [BytePath], _ options: ManifestCheck.Options = ManifestCheck.Options(),
    _ work: Work = Work()
  ) throws(PackError) {
    self = try PackError.wrap { try Self(of: ManifestFiles(at: paths), options, work) }
  }

  /// The same for manifests that were read.
  init(of files: ManifestFiles, _ options: ManifestCheck.Options, _ work: Work) throws {
    self = try work.run {
      let meter = Work.Meter(work, total: UInt64(files.files.count))
      let check = AppCheck(of: files, options) { meter.add(1, $0) }
      try Work.check()
      meter.finish()
      return check
    }
  }

  /// Checks these manifests as the packs of one app. Those in `fixes` are checked as fixed.
  package init(
    of files: ManifestFiles, _ options: ManifestCheck.Options, with fixes: [ManifestFixes] = [],
    checked: (BytePath) -> Void = { _ in }
  ) {
    var options = options
    options.presentOutputs = PresentOutputs(options.outputs)
    let git = options.git ?? Git()
    (options.git, self.git) = (git, git)
    findingsInProject = options.projectFindings
    options.projectFindings = []
    manifests = files.files.map(\.path)
    skipped = files.skipped
    var checks = files.files.map { file in
      defer { checked(file.path) }
      return fixes.first { $0.file == file.path }
        .map { ManifestCheck(of: $0.fixed, readFrom: file.path, options) }
        ?? ManifestCheck(of: file, options)
    }
    let decoded = checks.indices.filter { checks[$0].pack != nil }
    let packs = decoded.compactMap { checks[$0].pack }
    let elsewhere = packs.count == checks.count ? Self.elsewhere(packs, options) : nil
    if elsewhere != nil {
      for index in checks.indices { checks[index].removeMissingFiles() }
    }
    let players = Players(packs.map(\.manifest))
    let paths = AppPaths(packs)
    var together =
      elsewhere.map { [$0] }
      ?? Self.findings(inPacks: packs, players, paths, options, decoded.map { checks[$0].scope })
    // Without one of the manifests, or its files, all of it would look removed.
    if !options.released.isEmpty, elsewhere == nil, packs.count == checks.count,
      packs.allSatisfy({ $0.selection != nil })
    {
      together += releaseFindings(
        since: options.released, in: packs.map(\.manifest), paths, hosting: options.hosting)
    }
    findingsTogether = together.flatMap { finding in
      var finding = finding
      finding.manifests = finding.manifests.map { decoded[$0] }
      return finding.manifests.first.map { checks[$0].scope.applied(to: [finding]) }
        ?? options.rules.applied(to: [finding])
    }
    self.checks = checks
  }

  /// All findings: those about the project file that the options are from, those of each manifest,
  /// then those of all together.
  public var findings: [Finding] {
    findingsInProject
      + checks.enumerated().flatMap { index, check in
        check.findings.map { finding in
          var finding = finding
          finding.manifests = [index]
          return finding
        }
      } + findingsTogether
  }

  /// The files in `folder` that are in none of the packs.
  package func coverage(of folder: BytePath) throws -> Coverage {
    try Coverage(of: folder, in: checks.compactMap(\.pack?.selection), except: manifests, git: git)
  }

  /// Problems of an app's packs together: duplicate identifiers, different contents at one path
  /// (devices merge all packs into one folder), clashing names, languages, sizes, and App Store
  /// Connect's limits; and if the check is thorough, with the `scopes` of their manifests, copies of
  /// the same contents, and files that Git does not track, or has with other modes.
  package static func findings(
    inPacks packs: [CheckedPack], _ players: Players, _ paths: AppPaths,
    _ options: ManifestCheck.Options, _ scopes: [RuleSettings.Scope] = []
  ) -> [Finding] {
    let meeting = meetingFiles(players, paths)
    let candidates = options.isThorough ? DuplicateFiles.candidates(packs) : []
    let contents = EqualContents(of: meeting + candidates, packs)
    let findings =
      repeatedIdentifiers(packs) + contentsClashes(packs, players, meeting, contents)
      + folderClashes(packs, players, paths) + contents.unreadable
      + (packs.count > 1 ? nameClashes(packs, players, paths.packs) : [])
      // Languages have the same bundles with other hashes.
      + (options.isThorough
        ? languageFindings(
          packs, players, paths.withoutHashes, primaryLanguage: options.primaryLanguage) : [])
      + options.sizeBudgets.findings(inPacks: packs, players)
      + (options.hosting == .ownServer ? [] : storeLimits(packs))
    guard options.isThorough else { return findings }
    let git = options.git ?? Git()
    return findings
      + DuplicateFiles.findings(packs, players, candidates, contents) {
        scopes[$0].isOff(.duplicateFiles, about: $1)
      }
      + git.findings(packs, scopes)
  }

  /// A finding if no manifest finds a file in the working directory, but most of them exist in a
  /// folder above it or above the manifests.
  private static func elsewhere(
    _ packs: [CheckedPack], _ options: ManifestCheck.Options
  ) -> Finding? {
    let paths = packs.flatMap(\.manifest.selectors).compactMap(\.start)
    guard options.root == nil, options.defaultRoot == nil, !paths.isEmpty,
      packs.allSatisfy({ $0.manifest.sourceRoot == nil && $0.selection?.files.isEmpty == true })
    else { return nil }
    // What can't be looked at is not there.
    func count(in folder: BytePath) -> Int {
      paths.count { (try? FileStatus.following(folder.appending($0.bytes))) != nil }
    }
    let folder = BytePath(packs[0].manifest.source.name).folder
    let above = (1...8).map { BytePath((0..<$0).map { _ in ".." }.joined(separator: "/").utf8) }
    guard count(in: ".") == 0,
      let found = (above + [folder, folder.folder]).first(where: { count(in: $0) * 2 > paths.count }
      )
    else { return nil }
    let subject =
      packs.count == 1
      ? "the manifest finds none of its files here"
      : "none of the \(packs.count) manifests finds its files here"
    let option = options.rootName.map { "use \($0) \(found), or " } ?? ""
    return Finding(
      .missingRoot, "\(subject); they are in '\(found)'", at: nil,
      notes: [Note("\(option)change to that folder")], manifests: Array(packs.indices))
  }
}
