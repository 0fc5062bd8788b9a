package struct PackReport: Sendable {
  /// The path of the pack, as the user named it; `-` is the standard input.
  package let path: BytePath
  /// Damage and violated rules, in the order of the archive; at most ``maximumProblems``, and what
  /// stopped the check.
  package internal(set) var problems: [ArchiveDamage] = []
  /// Potential problems on some file systems; at most ``maximumProblems``.
  package internal(set) var warnings: [ArchiveDamage] = []
  /// The number of problems that are not in ``problems``.
  package internal(set) var furtherProblems = 0
  package internal(set) var manifestFindings: [Finding] = []
  /// The findings about the files that the manifest selects in the folder the pack was compared with.
  package internal(set) var selectionFindings: [Finding] = []
  /// The digest of what apps read, and the SHA-256 of the file, if requested.
  package internal(set) var digests: (contents: [UInt8], file: [UInt8])?
  /// The SHA-256 of the file, if it isn't the expected one.
  package internal(set) var otherDigest: [UInt8]?
  /// The differences from the folder that the pack was compared with, sorted by path.
  package internal(set) var differences: [RepositoryDifference] = []
  /// The pack, for further checks; nil if its container or a header is damaged.
  package internal(set) var pack: PackIndex?
  package internal(set) var entries = 0
  package internal(set) var files = 0
  package internal(set) var fileBytes: UInt64 = 0

  package static let maximumProblems = 1000

  /// Whether the pack has no problems, and no differences from the folder it was compared with.
  package var isSound: Bool {
    problems.isEmpty && otherDigest == nil && !manifestFindings.hasErrors && differences.isEmpty
      && !selectionFindings.hasErrors
  }

  init(path: BytePath) { self.path = path }

  mutating func extend(_ problem: Int, _ text: String) {
    guard problems.indices.contains(problem) else { return }
    let damage = problems[problem]
    var place = damage.place
    // It is in the message already.
    place.payload = nil
    problems[problem] = ArchiveDamage(damage.reason, damage.message + text, at: place)
  }

  mutating func add(warning: ArchiveDamage) {
    if warnings.count < Self.maximumProblems { warnings.append(warning) }
  }

  mutating func add(_ problem: ArchiveDamage) {
    if problems.count < Self.maximumProblems {
      problems.append(problem)
    } else {
      furtherProblems += 1
    }
  }

  /// Checks a pack: every block, every header, names and their order, the layout of an asset pack,
  /// SHA-256 digests in headers, and the embedded manifest. The digests of a file are computed at the
  /// same time if requested. Calls `progress` with the number of bytes of the file read so far. Damage
  /// is reported; only system errors and interruptions are thrown.
  package static func verify(
    _ input: ArchiveInput, digests: Bool = false, limits: ReadingLimits = ReadingLimits(),
    jobs: Int = Processors.available, progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> PackReport {
    let verifier = PackVerifier(input.path, digests: digests)
    let container = Monitor(ContainerFacts?.none)
    let scan: @Sendable () throws -> Void = {
      do {
        let facts = try scanArchive(
          input, limits: limits, jobs: jobs, verifier, progress: progress)
        container.withLock { $0 = facts }
      } catch let damage as ArchiveDamage {
        verifier.stop(damage.named(nil))
      }
    }
    var sha256: [UInt8]?
    if digests {
      sha256 = try FileDigests.find(of: input, md5: false, jobs: jobs, while: scan).sha256
    } else {
      try scan()
    }
    return verifier.finish(input, container.withLock(\.self), sha256)
  }
}

/// Checks every entry, and continues after damage if possible. Used by one thread at a time.
private final class PackVerifier: EntryVisitor, @unchecked Sendable {
  private var report: PackReport
  private let collector: EntryCollector
  private var names = EntryNames()
  private var layout = PackLayoutCheck()
  private var dropped = DroppedParts()
  private var digest: EntryDigest?
  /// The problem that reports lost headers, until the next header is found.
  private var gap: Int?
  /// Whether all headers were read, so entries not found are really missing.
  private var hasReadAllHeaders = true

  init(_ path: BytePath, digests: Bool) {
    report = PackReport(path: path)
    collector = EntryCollector(digests)
  }

  var needsAllBlocks: Bool { true }

  func begin(_ entry: PackEntry) throws -> Bool {
    var isCollected = false
    var manifestDamage: ArchiveDamage?
    do { isCollected = try collector.begin(entry) } catch { manifestDamage = error }
    do {
      try names.add(entry)
      if let clash = names.clash { report.add(warning: clash) }
    } catch {
      if error.reason == .limit { throw error }
      report.add(error)
    }
    if let gap {
      report.extend(gap, "; the entries up to '\(printable(entry.archivePath))' are lost")
      self.gap = nil
    }
    // Directories may be among the lost entries.
    if hasReadAllHeaders { for problem in layout.add(entry) { report.add(problem) } }
    dropped.add(entry)
    if entry.kind == .file, entry.gamePath != nil {
      report.files += 1
      report.fileBytes += entry.size
    }
    if let manifestDamage { report.add(manifestDamage) }
    digest = EntryDigest(entry)
    return isCollected || digest != nil
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) {
    digest?.update(bytes)
    collector.contents(bytes, range)
  }

  func end() {
    if let problem = digest?.problem { report.add(problem) }
    digest = nil
    collector.end()
  }

  func found(_ damage: ArchiveDamage, in part: ArchivePart) throws -> Bool {
    var damage = damage
    switch part {
    case .contents:
      damage.place.entry = collector.entries.last?.number
      damage.place.path = collector.entries.last?.archivePath
    case .headers: hasReadAllHeaders = false
    case .stream:
      stop(damage)
      return false
    case .container: throw damage
    }
    report.add(damage)
    digest = nil
    collector.giveUp()
    if part == .headers, gap == nil { gap = report.problems.count - 1 }
    return true
  }

  func stop(_ damage: ArchiveDamage) {
    // Whatever else there is, this is why it isn't all.
    report.problems.append(damage)
    hasReadAllHeaders = false
  }

  func finish(
    _ input: ArchiveInput, _ container: ContainerFacts?, _ sha256: [UInt8]?
  ) -> PackReport {
    report.entries = collector.entries.count
    if let contents = collector.contentsDigest?.finalize(), let sha256 {
      report.digests = (contents, sha256)
    }
    if let gap { report.extend(gap, "; all entries after it are lost") }
    for warning in dropped.warnings { report.add(warning: warning) }
    if hasReadAllHeaders {
      for problem in layout.missing() { report.add(problem) }
      report.pack = container.map {
        PackIndex(
          input.path, .archive(input, $0), collector.entries, embedded: collector.manifest)
      }
    }
    guard let manifest = collector.manifest else { return report }
    do {
      let findings = try decodeEmbeddedManifest(manifest, of: input.path).findings
      report.manifestFindings = findings
      let errors = findings.count { $0.severity == .error }
      if errors > 0 {
        report.add(
          ArchiveDamage(
            .manifestInvalid,
            "the embedded manifest has \(counted(errors, "error"))",
            at: ArchivePlace(path: RelativePath.manifest.bytes)))
      }
    } catch {
      report.add(error)
    }
    return report
  }
}
