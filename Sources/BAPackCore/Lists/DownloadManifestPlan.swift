/// The changes to a download manifest and its records, planned before anything is written.
public struct DownloadManifestPlan: Sendable {
  /// The packs to list, and what to check them for.
  public struct Packs: Sendable {
    /// The archives, in the order of the list.
    package var paths: [BytePath]
    /// The platforms that every pack must support.
    package var platforms: [Platform]
    /// The base URL of the packs.
    package var base: DownloadBaseURL
    /// Limits for reading the archives.
    package var limits: ReadingLimits
    /// The number of threads for reading an archive.
    package var jobs: Int
    /// Whether the URL of an archive contains a digest of its bytes, so that a file on the server
    /// is never replaced with another.
    package var hasDigestsInNames = false
    /// Called with the number of bytes of the archives read so far.
    package var progress: @Sendable (UInt64) -> Void = { _ in }

    /// Packs with URLs below `base`, an absolute URL without query and fragment.
    public init(
      _ paths: [BytePath], platforms: [Platform], base: String,
      limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available
    ) throws(DownloadManifestError) {
      let url = try mapping(
        { (error: InvalidValue) in DownloadManifestError.baseURL(base, reason: error.reason) },
        DownloadBaseURL(base.utf8))
      self.init(paths, platforms: platforms, base: url, limits: limits, jobs: jobs)
    }

    /// Packs with URLs below `base`.
    package init(
      _ paths: [BytePath], platforms: [Platform], base: DownloadBaseURL,
      limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available
    ) {
      self.paths = paths
      self.platforms = platforms
      self.base = base
      self.limits = limits
      self.jobs = jobs
    }

    fileprivate func facts() throws(DownloadManifestError) -> [PackFacts] {
      var facts: [PackFacts] = []
      var done: UInt64 = 0
      for path in paths {
        do throws(ArchiveError) {
          let start = done
          facts.append(
            try PackFacts.read(
              path, limits: limits, jobs: jobs, hasDigestInName: hasDigestsInNames
            ) { [progress] in progress(start + $0) })
          done += facts.last?.downloadSize ?? 0
        } catch {
          throw .pack(error)
        }
      }
      return facts
    }
  }

  /// The output path of the manifest.
  package let output: BytePath
  /// The edit; nil if the versions that devices have seen can't be read.
  package let edit: DownloadManifestEdit?
  /// All findings. If any is an error, nothing can be saved.
  public internal(set) var findings: [Finding]
  /// Whether a manifest that is updated in place is equivalent to the previous one, and so keeps
  /// its bytes, whatever its layout.
  package let isUnchanged: Bool

  let old: DownloadFiles
  let replacesManifest: Bool

  /// Plans a new manifest at `output`, with a version for each pack, by default 0. An existing file
  /// is an error, or replaced if `replacing`; then no version may be lower than before.
  public static func creating(
    _ output: BytePath, replacing: Bool = false, packs: Packs, versions: [Int]? = nil
  ) throws(DownloadManifestError) -> DownloadManifestPlan {
    let old = try files(at: output, replacing: replacing)
    let history = old.history(of: output, isReplaced: true)
    guard let known = history.value else {
      return DownloadManifestPlan(refusing: output, because: history.findings)
    }
    let facts = try packs.facts()
    // There is one per pack, or none.
    let versions = versions ?? facts.map { _ in 0 }
    var edit = DownloadManifestEdit(replacing: known, base: packs.base)
    edit.add(zip(facts, versions).map { ($0, $1) }, for: packs.platforms)
    return DownloadManifestPlan(
      output: output, edit: edit, findings: edit.findings, isUnchanged: false, old: old,
      replacesManifest: replacing)
  }

  /// Plans an update of `manifest`, in place or to `output`. There, an existing file is an error or
  /// replaced, as for a new manifest. The versions of packs whose contents changed are incremented.
  public static func updating(
    _ manifest: BytePath, to output: BytePath? = nil, replacing: Bool = false, packs: Packs
  ) throws(DownloadManifestError) -> DownloadManifestPlan {
    // Files at another path are a different list and its records.
    let other = try output.map { path throws(DownloadManifestError) in
      try files(at: path, replacing: replacing)
    }
    let own = try DownloadFiles(at: manifest)
    guard own.manifest != nil else { throw .missing(manifest) }
    let history = own.history(of: manifest, isReplaced: false)
    let replaced = output.flatMap { other?.history(of: $0, isReplaced: true) }
    let findings = history.findings + (replaced?.findings ?? [])
    guard let known = history.value, replaced.map({ $0.value != nil }) ?? true else {
      return DownloadManifestPlan(refusing: output ?? manifest, because: findings)
    }
    var edit = DownloadManifestEdit(
      updating: known, replacing: replaced?.value, base: packs.base)
    edit.add(try packs.facts().map { ($0, nil) }, for: packs.platforms)
    return DownloadManifestPlan(
      output: output ?? manifest, edit: edit, findings: findings + edit.findings,
      isUnchanged: output == nil && edit.changes.allSatisfy(\.keys.isEmpty), old: other ?? own,
      replacesManifest: replacing || output == nil)
  }

  /// The files at `output`, which are an error or replaced.
  private static func files(
    at output: BytePath, replacing: Bool
  ) throws(DownloadManifestError) -> DownloadFiles {
    guard case .file = try mapping(DownloadManifestError.system, output.outputPlace()) else {
      return DownloadFiles()
    }
    let files = try DownloadFiles(at: output)
    if files.manifest != nil, !replacing { throw .exists(output) }
    return files
  }
}

extension DownloadManifestPlan {
  /// A plan that can't be saved, because the versions that devices have seen can't be read.
  private init(refusing output: BytePath, because findings: [Finding]) {
    self.init(
      output: output, edit: nil, findings: findings, isUnchanged: true, old: DownloadFiles(),
      replacesManifest: false)
  }
}
