/// What checking a pack found.
public struct PackReport: Sendable {
  /// The path of the pack, as the user named it; `-` is the standard input.
  public let path: FilePath
  /// Damage and broken rules, in the order of the archive; at most ``mostProblems``.
  public internal(set) var problems: [ArchiveDamage] = []
  /// What may go wrong on some file systems; at most ``mostProblems``.
  public internal(set) var warnings: [ArchiveDamage] = []
  /// How many more problems there are than ``problems`` holds.
  public internal(set) var furtherProblems = 0
  /// What the validator of manifests says about the embedded manifest.
  public internal(set) var manifestFindings: [Finding] = []
  /// What the selectors of the manifest met in the folder that the pack was compared with.
  public internal(set) var selectionFindings: [Finding] = []
  /// How the pack differs from the folder that it was compared with, in the order of the paths.
  public internal(set) var differences: [RepositoryDifference] = []
  /// The pack, for looking further into it; nil where its frame or a header is damaged.
  public internal(set) var pack: Pack?
  /// How many entries have a whole header.
  public internal(set) var entries = 0
  /// How many of them are files that games read, and their bytes.
  public internal(set) var files = 0
  /// Bytes of the files that games read.
  public internal(set) var fileBytes: UInt64 = 0

  /// The most problems that are kept; a pack with more is beyond repair.
  public static let mostProblems = 1000

  /// Whether the pack is as it should be.
  public var isSound: Bool {
    problems.isEmpty && !manifestFindings.hasErrors && differences.isEmpty
      && !selectionFindings.hasErrors
  }

  init(path: FilePath) { self.path = path }

  mutating func add(warning: ArchiveDamage) {
    if warnings.count < Self.mostProblems { warnings.append(warning) }
  }

  mutating func add(_ problem: ArchiveDamage) {
    if problems.count < Self.mostProblems { problems.append(problem) } else { furtherProblems += 1 }
  }
}

extension PackReport {
  /// Checks the pack at `path`, a file, a pipe or `-`: every block, every header, names and their
  /// order, the layout of an asset pack, stated SHA-256 digests, and the embedded manifest. Damage is part
  /// of the report; what is thrown are errors of the system, and interruptions.
  public static func verify(
    _ path: FilePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = availableProcessors()
  ) throws(ArchiveError) -> PackReport {
    let input = try ArchiveInput(path)
    var verifier = PackVerifier(path)
    var container: ContainerFacts?
    do throws(ArchiveError) {
      container = try scanArchive(input, limits: limits, jobs: jobs, &verifier)
    } catch {
      guard case .damage(let damage) = error.cause else { throw error }
      verifier.stop(damage)
    }
    return verifier.finish(input, container)
  }
}

/// Looks at every entry, and goes on behind damage as far as that can be done.
private struct PackVerifier: EntryVisitor {
  private var report: PackReport
  private var entries: [EntryHeader] = []
  private var names = EntryNames()
  private var layout = PackLayoutCheck()
  private var manifest: [UInt8]?
  private var isManifest = false
  private var digest: EntryDigest?
  /// Whether all headers were seen, so that what is missing is really not there.
  private var isWhole = true

  init(_ path: FilePath) { report = PackReport(path: path) }

  var needsAllBlocks: Bool { true }

  mutating func begin(_ entry: EntryHeader) -> Bool {
    entries.append(entry)
    do throws(ArchiveDamage) {
      try names.add(entry)
      if let clash = names.clash { report.add(warning: clash) }
    } catch {
      report.add(error)
    }
    for problem in layout.add(entry) { report.add(problem) }
    if entry.kind == .file, entry.gamePath != nil {
      report.files += 1
      report.fileBytes += entry.size
    }
    isManifest =
      entry.kind == .file && entry.path == RelativePath.manifest.bytes && manifest == nil
    if isManifest, let damage = Pack.manifestTooLarge(entry) {
      report.add(damage)
      isManifest = false
    }
    if isManifest { manifest = [] }
    digest = EntryDigest(entry)
    return isManifest || digest != nil
  }

  mutating func contents(_ bytes: RawSpan) {
    digest?.update(bytes)
    guard isManifest else { return }
    // SAFETY: the pointer is used within the closure, and only by the array that copies it.
    unsafe bytes.withUnsafeBytes { unsafe manifest?.append(contentsOf: $0) }
  }

  mutating func end() {
    if let problem = digest?.problem { report.add(problem) }
    digest = nil
    isManifest = false
  }

  mutating func lost(_ damage: ArchiveDamage, isInContents: Bool) {
    var damage = damage
    if isInContents, let current = entries.last {
      damage.place.entry = current.number
      damage.place.path = current.path
    }
    report.add(damage)
    digest = nil
    if isManifest { manifest = nil }
    isManifest = false
    if !isInContents { isWhole = false }
  }

  mutating func broken(_ damage: ArchiveDamage) { stop(damage) }

  mutating func stop(_ damage: ArchiveDamage) {
    report.add(damage)
    isWhole = false
  }

  consuming func finish(_ input: ArchiveInput, _ container: ContainerFacts?) -> PackReport {
    report.entries = entries.count
    if isWhole {
      for problem in layout.missing() { report.add(problem) }
      report.pack = container.map {
        Pack(
          path: input.path, container: $0, entries: entries, manifest: manifest,
          contentsDigest: nil, fileDigests: nil, input: input)
      }
    }
    guard let manifest else { return report }
    do throws(ArchiveDamage) {
      let findings = try decodeEmbeddedManifest(manifest, of: input.path).findings
      report.manifestFindings = findings
      let errors = findings.count { $0.severity == .error }
      if errors > 0 {
        report.add(
          ArchiveDamage(
            .manifestInvalid,
            "the embedded manifest breaks \(counted(errors, "rule")) of manifests",
            at: ArchivePlace(path: RelativePath.manifest.bytes)))
      }
    } catch {
      report.add(error)
    }
    return report
  }
}
