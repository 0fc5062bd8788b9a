/// The result of verifying packs: each separately, also against a folder if one is given, then all
/// together as a device merges them.
public struct PackVerification: Sendable {
  package enum Outcome: Sendable {
    /// The pack was read; the report contains its problems.
    case checked(PackReport)
    case unreadable(BytePath, any Error)
  }

  package private(set) var outcomes: [Outcome] = []
  /// Why the packs can't be merged; nil if they can, or if not all are valid.
  package private(set) var clash: (any Error)?

  /// The reports of the packs that could be read.
  package var reports: [PackReport] {
    outcomes.compactMap { if case .checked(let report) = $0 { report } else { nil } }
  }

  /// Whether all packs are valid, separately and together.
  package var isSound: Bool {
    clash == nil && reports.count == outcomes.count && reports.allSatisfy(\.isSound)
  }

  /// What is wrong with the packs at `paths`, files or pipes; nothing if they are valid, separately and
  /// merged as on a device. Valid packs are compared with the source root `folder`, if given. A pack that
  /// can't be read doesn't prevent checking the others.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` if there are no packs, ``PackError/Code/cancelled``.
  public static func problems(
    of paths: [BytePath], against folder: BytePath? = nil,
    limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) throws(PackError) -> [PackProblem] {
    try work.result { progress in
      let size = paths.size { (try? FileStatus.following($0.ofFile))?.size ?? 0 }
      let found = try PackVerification(
        of: paths.map(\.ofFile), against: folder, links: .inside, limits: limits,
        jobs: work.threads, progress: progress(size, nil))
      return found.outcomes.flatMap(\.problems)
        + (found.clash.map { [PackProblem(paths[0], PackError($0))] } ?? [])
    }
  }

  /// The same, found on separate threads.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` if there are no packs, ``PackError/Code/cancelled``.
  public static func problems(
    of paths: [BytePath], against folder: BytePath? = nil,
    limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) async throws(PackError) -> [PackProblem] {
    try await work.detached { try problems(of: paths, against: folder, limits: limits, $0) }
  }

  /// Verifies the packs at `paths`, with `links` as the policy for symbolic links below the source
  /// root. If `sha256` is given, it must be the SHA-256 of each file. Calls `progress` with the
  /// number of bytes done. Messages mention the option for the folder if its `name` is given.
  package init(
    of paths: [BytePath], against folder: BytePath? = nil, named name: String? = nil,
    links: LinkPolicy,
    limits: ReadingLimits = ReadingLimits(),
    jobs: Int = Processors.available, sha256: [UInt8]? = nil, rules: RuleSettings = RuleSettings(),
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws {
    if paths.isEmpty { throw PackagingError("there are no packs to verify") }
    var done: UInt64 = 0
    let root = folder.map { (path: $0, option: name) }
    for path in paths {
      let start = done
      done += (try? FileStatus.following(path))?.size ?? 0
      do {
        outcomes.append(
          try Self.verify(
            path, root, links, limits: limits, jobs: jobs, sha256, rules,
            progress: { progress(start + $0) }))
      } catch {
        if error is Interrupted { throw error }
        outcomes.append(.unreadable(path, error))
      }
    }
    guard paths.count > 1, isSound else { return }
    do {
      try reports.compactMap(\.pack).checkMerging(jobs: jobs)
    } catch {
      if error is Interrupted { throw error }
      clash = error
    }
  }

  private static func verify(
    _ path: BytePath, _ root: (path: BytePath, option: String?)?, _ links: LinkPolicy,
    limits: ReadingLimits, jobs: Int, _ sha256: [UInt8]?, _ rules: RuleSettings,
    progress: @escaping @Sendable (UInt64) -> Void
  ) throws -> Outcome {
    let input = try ArchiveInput(path)
    if sha256 != nil, input.size == nil { throw PackagingError.pipe(path) }
    var report = try PackReport.verify(
      input, digests: sha256 != nil, limits: limits, jobs: jobs, progress: progress)
    if let digest = report.digests?.file, digest != sha256 { report.otherDigest = digest }
    report.manifestFindings = rules.applied(to: report.manifestFindings)
    guard let root, report.isSound, let pack = report.pack else { return .checked(report) }
    guard pack.isFile else { throw PackagingError.pipe(path) }
    try report.compare(pack, with: root, links, jobs: jobs)
    report.selectionFindings = rules.applied(to: report.selectionFindings)
    return .checked(report)
  }
}

/// Something that is wrong with a pack. Only what belongs to its ``code`` is set.
public struct PackProblem: Hashable, Sendable, CustomStringConvertible {
  /// The pack; for packs that can't be merged, the first one.
  public let pack: BytePath
  /// What kind of problem it is, as for a ``PackError``.
  public let code: PackError.Code
  /// The damage, if there is any.
  public let damage: ArchiveDamage?
  /// The finding about its manifest or the files that this selects, for ``PackError/Code/findings``.
  public let finding: Finding?
  /// The difference from the folder, for ``PackError/Code/differs``.
  public let difference: RepositoryDifference?
  /// The problem, in one sentence with the name of the pack.
  public let description: String

  fileprivate init(
    _ pack: BytePath, _ error: PackError, finding: Finding? = nil,
    difference: RepositoryDifference? = nil
  ) {
    (self.pack, code, damage, self.finding) = (pack, error.code, error.damage, finding)
    self.difference = difference
    description = "\(error)"
  }
}

extension PackVerification.Outcome {
  fileprivate var problems: [PackProblem] {
    switch self {
    case .checked(let report): report.all
    case .unreadable(let path, let error): [PackProblem(path, PackError(error))]
    }
  }
}

extension PackReport {
  fileprivate var all: [PackProblem] {
    func problem(
      _ code: PackError.Code, _ message: String, _ finding: Finding? = nil,
      _ difference: RepositoryDifference? = nil
    ) -> PackProblem {
      PackProblem(
        path, PackError(code, "'\(path.shown)': \(message)"), finding: finding,
        difference: difference)
    }
    var found = problems.map { PackProblem(path, PackError($0.named(path))) }
    if furtherProblems > 0 {
      found.append(problem(.damaged, "there are \(counted(furtherProblems, "more problem"))"))
    }
    found += (manifestFindings + selectionFindings).filter { $0.severity == .error }
      .map { problem(.findings, $0.message, $0) }
    return found + differences.map { problem(.differs, $0.description, nil, $0) }
  }

  /// Adds the differences between `pack` and the files that its manifest selects below `root`.
  fileprivate mutating func compare(
    _ pack: PackIndex, with root: (path: BytePath, option: String?), _ links: LinkPolicy, jobs: Int
  ) throws {
    var selection: Selection?
    // The manifest may have selectors of a newer version that are unknown here.
    if let manifest = pack.manifest, !manifest.selectors.isEmpty {
      let root = SourceRoot(
        of: manifest, readFrom: nil, option: root.path, name: root.option)
      let selected = Selection.resolve(
        manifest, in: root, outputs: PresentOutputs([path]),
        SelectionPolicy(links: links, allowsStubs: true))
      selectionFindings = Self.summarized(selected, path, root.path)
      if selected.value.files.isEmpty, selectionFindings.hasErrors { return }
      // After errors it may be incomplete.
      if !selected.findings.hasErrors { selection = selected.value }
    }
    do {
      differences = try pack.compare(with: root.path, selection: selection, jobs: jobs)
    } catch {
      throw try pack.archive().0.error(error)
    }
  }

  /// The findings of `selected`, or a single one if no selector matches anything.
  private static func summarized(
    _ selected: Checked<Selection>, _ pack: BytePath, _ root: BytePath
  ) -> [Finding] {
    let isMissing = selected.findings.allSatisfy {
      [.missingFile, .nothingMatched, .emptyPack].contains($0.rule)
    }
    guard selected.value.files.isEmpty, isMissing, selected.findings.count > 1 else {
      return selected.findings
    }
    return [
      Finding(
        .missingFile, "no file of '\(pack.shown)' is in '\(root)'; is it the source root?", at: nil)
    ]
  }
}
