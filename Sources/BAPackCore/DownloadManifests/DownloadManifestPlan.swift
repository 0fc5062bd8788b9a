/// The changes to a download manifest and its records, planned before anything is written.
public struct DownloadManifestPlan: Sendable {
  /// The packs to list, and the platforms that they must support.
  public struct Packs: Sendable {
    package var paths: [BytePath]
    package var platforms: [Platform]
    package var base: DownloadBaseURL
    package var limits = ReadingLimits()
    /// Whether the URL of an archive contains a digest of its bytes, so a file on the server
    /// is never replaced with another.
    package var hasDigestsInNames = false

    /// Packs with URLs below `base`, an absolute URL without query and fragment.
    ///
    /// - Throws: ``PackError/Code/invalidArgument`` if `base` is invalid.
    public init(
      _ paths: [BytePath], platforms: [Platform], base: String,
      limits: ReadingLimits = ReadingLimits()
    ) throws(PackError) {
      do {
        self.init(paths, platforms: platforms, base: try DownloadBaseURL(base.utf8))
      } catch {
        throw PackError(.invalidArgument, "invalid base URL '\(printable(base.utf8))': \(error)")
      }
      self.limits = limits
    }

    package init(_ paths: [BytePath], platforms: [Platform], base: DownloadBaseURL) {
      self.paths = paths
      self.platforms = platforms
      self.base = base
    }

    fileprivate func facts(_ work: Work, _ reporter: Work.Reporter) throws -> [PackFacts] {
      let sizes = paths.map { (try? FileStatus.following($0))?.size ?? 0 }
      let progress = reporter(sizes.reduce(0, +), nil)
      var done: UInt64 = 0
      return try zip(paths, sizes).map { path, size in
        defer { done += size }
        return try PackFacts.read(
          path, limits: limits, jobs: work.threads, hasDigestInName: hasDigestsInNames
        ) { [done] in progress(done + $0) }
      }
    }
  }

  package let output: BytePath
  /// The edit; nil if the versions that devices have seen can't be read.
  package let edit: DownloadManifestEdit?
  /// All findings. If any is an error, nothing can be saved.
  public package(set) var findings: [Finding]
  /// Whether a manifest that is updated in place is equivalent to the previous one, and so keeps
  /// its bytes, whatever its layout.
  package let isUnchanged: Bool

  private let old: DownloadHistory
  private let replacesManifest: Bool

  /// Plans a new manifest at `output`, with a version for each pack, by default 0. An existing file
  /// is an error, or replaced if `replacing`; then no version may be lower than before.
  ///
  /// - Throws: Among others ``PackError/Code/outputExists``, and ``PackError/Code/invalidArgument`` if
  ///   there isn't a version of 0 or more for each pack; ``PackError/Code/cancelled``.
  public static func creating(
    _ output: BytePath, replacing: Bool = false, packs: Packs, versions: [Int]? = nil,
    _ work: Work = Work()
  ) throws(PackError) -> DownloadManifestPlan {
    try work.result { progress in
      var findings: [Finding] = []
      guard let old = try replaced(at: output, replacing, &findings) else {
        return DownloadManifestPlan(refusing: output, because: findings)
      }
      let facts = try packs.facts(work, progress)
      let versions = versions ?? facts.map { _ in 0 }
      guard versions.count == facts.count, versions.allSatisfy({ $0 >= 0 }) else {
        throw PackagingError("each pack needs a version, a whole number of 0 or more")
      }
      var edit = DownloadManifestEdit(replacing: old, base: packs.base)
      edit.add(zip(facts, versions).map { ($0, $1) }, for: packs.platforms)
      return DownloadManifestPlan(
        output: output, edit: edit, findings: edit.findings, isUnchanged: false, old: old,
        replacesManifest: replacing)
    }
  }

  /// Plans an update of `manifest`, in place or to `output`: those of `identifiers` are removed, and
  /// `packs` are added or updated. At the output path, an existing file is an error or
  /// replaced, as for a new manifest. The versions of packs whose contents changed are incremented.
  ///
  /// - Throws: As for a new manifest, and ``PackError/Code/notFound`` if there
  ///   is no manifest.
  public static func updating(
    _ manifest: BytePath, to output: BytePath? = nil, replacing: Bool = false, packs: Packs?,
    removing identifiers: [String] = [], _ work: Work = Work()
  ) throws(PackError) -> DownloadManifestPlan {
    try work.result { progress in
      // Files at another path are a different list and its records.
      var otherFindings: [Finding] = []
      let other = try output.map { try replaced(at: $0, replacing, &otherFindings) }
      var findings: [Finding] = []
      let own = try DownloadHistory(
        at: manifest, isReplaced: false, exists: true, findings: &findings)
      findings += otherFindings
      guard let own, other.map({ $0 != nil }) ?? true else {
        return DownloadManifestPlan(refusing: output ?? manifest, because: findings)
      }
      var edit = DownloadManifestEdit(updating: own, replacing: other ?? nil, base: packs?.base)
      try edit.remove(identifiers)
      edit.add(
        try packs?.facts(work, progress).map { ($0, nil) } ?? [], for: packs?.platforms ?? [])
      return DownloadManifestPlan(
        output: output ?? manifest, edit: edit, findings: findings + edit.findings,
        isUnchanged: output == nil && edit.changes.allSatisfy(\.keys.isEmpty)
          && edit.dropped.isEmpty,
        old: (other ?? nil) ?? own, replacesManifest: replacing || output == nil)
    }
  }

  /// The same, for which the packs are read on separate threads.
  public static func creating(
    _ output: BytePath, replacing: Bool = false, packs: Packs, versions: [Int]? = nil,
    _ work: Work = Work()
  ) async throws(PackError) -> DownloadManifestPlan {
    try await work.detached {
      try creating(output, replacing: replacing, packs: packs, versions: versions, $0)
    }
  }

  /// The same, for which the packs are read on separate threads.
  public static func updating(
    _ manifest: BytePath, to output: BytePath? = nil, replacing: Bool = false, packs: Packs?,
    removing identifiers: [String] = [], _ work: Work = Work()
  ) async throws(PackError) -> DownloadManifestPlan {
    try await work.detached {
      try updating(
        manifest, to: output, replacing: replacing, packs: packs, removing: identifiers, $0)
    }
  }

  /// The history at `output`; nil, with findings, if it can't be read.
  private static func replaced(
    at output: BytePath, _ replacing: Bool, _ findings: inout [Finding]
  ) throws -> DownloadHistory? {
    guard case .file = try output.outputTarget() else {
      return DownloadHistory(DownloadManifest(), ContentsRecords())
    }
    return try DownloadHistory(
      at: output, isReplaced: true, exists: replacing ? nil : false, findings: &findings)
  }

  /// Writes both files or none.
  /// `removedLeftover` is called with each leftover file of a killed run that was removed.
  ///
  /// The list isn't locked: let only one plan and save at a time.
  ///
  /// - Throws: ``PackError/Code/findings`` if there is an error among the ``findings``.
  public func save(
    removedLeftover: @escaping @Sendable (BytePath) -> Void = { _ in }
  ) throws(PackError) {
    try PackError.wrap {
      guard let edit, !findings.hasErrors else {
        throw PackError(
          .findings, "the list has errors; nothing was written", path: output, findings: findings)
      }
      var files: [(path: BytePath, bytes: [UInt8], replaces: Bool)] = []
      // The records come first: they may have a version that isn't listed yet, but not the reverse.
      // The old ones are part of them.
      let records = edit.records.bytes
      if records != old.recordsFile {
        files.append(
          (
            ContentsRecords.path(nextTo: output), records,
            replacesManifest || old.recordsFile != nil
          ))
      }
      if !isUnchanged { files.append((output, edit.manifest.bytes, replacesManifest)) }
      try FileGroup(files).write(removed: removedLeftover)
    }
  }
}

extension DownloadManifestPlan {
  /// A plan that can't be saved, because the versions that devices have seen can't be read.
  private init(refusing output: BytePath, because findings: [Finding]) {
    self.init(
      output: output, edit: nil, findings: findings, isUnchanged: true,
      old: DownloadHistory(DownloadManifest(), ContentsRecords()), replacesManifest: false)
  }
}
