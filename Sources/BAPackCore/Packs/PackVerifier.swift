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
}

extension PackReport {
  /// Checks the pack at `path`, a file, a pipe or `-`: every block, every header, names and their
  /// order, the layout of an asset pack, SHA-256 digests in headers, and the embedded manifest. Calls
  /// `progress` with the number of bytes of the file read so far. Damage is reported; only system errors and interruptions are thrown.
  package static func verify(
    _ path: BytePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> PackReport {
    try verify(ArchiveInput(path), limits: limits, jobs: jobs, progress: progress)
  }

  /// The same for an open file, whose digests are computed at the same time if requested.
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
    guard digests else {
      try scan()
      return verifier.finish(input, container.withLock(\.self), nil)
    }
    let found = try FileDigests.find(of: input, md5: false, jobs: jobs, while: scan)
    return verifier.finish(input, container.withLock(\.self), found.sha256)
  }
}

/// Checks every entry, and continues after damage if possible. Used by one thread at a time.
private final class PackVerifier: EntryVisitor, @unchecked Sendable {
  private var report: PackReport
  private var entries: [PackEntry] = []
  private var names = EntryNames()
  private var layout = PackLayoutCheck()
  private var dropped = DroppedParts()
  private var manifest: [UInt8]?
  private var isManifest = false
  private var digest: EntryDigest?
  private var contentsDigest: ContentsDigest?
  private var digested: (path: RelativePath, sha256: SHA256)?
  /// The problem that reports lost headers, until the next header is found.
  private var gap: Int?
  /// Whether all headers were read, so entries not found are really missing.
  private var hasReadAllHeaders = true

  init(_ path: BytePath, digests: Bool) {
    report = PackReport(path: path)
    contentsDigest = digests ? ContentsDigest() : nil
  }

  var needsAllBlocks: Bool { true }

  func begin(_ entry: PackEntry) throws -> Bool {
    entries.append(entry)
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
    if entry.kind == .file, entry.path != nil {
      report.files += 1
      report.fileBytes += entry.size
    }
    isManifest =
      entry.kind == .file && entry.archivePath == RelativePath.manifest.bytes && manifest == nil
    if isManifest, let damage = PackIndex.manifestTooLarge(entry) {
      report.add(damage)
      isManifest = false
    }
    if isManifest { manifest = [] }
    digest = EntryDigest(entry)
    if contentsDigest != nil, entry.kind == .file, let path = entry.path {
      digested = (path, SHA256())
    }
    return isManifest || digest != nil || digested != nil
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) {
    digest?.update(bytes)
    digested?.sha256.update(bytes)
    guard isManifest else { return }
    manifest?.append(bytes)
  }

  func end() {
    if let problem = digest?.problem { report.add(problem) }
    if let digested { contentsDigest?.add(digested.path, sha256: digested.sha256.finalize()) }
    (digest, digested) = (nil, nil)
    isManifest = false
  }

  func found(_ damage: ArchiveDamage, in part: ArchivePart) throws -> Bool {
    var damage = damage
    switch part {
    case .contents:
      damage.place.entry = entries.last?.number
      damage.place.path = entries.last?.archivePath
    case .headers: hasReadAllHeaders = false
    case .stream:
      stop(damage)
      return false
    case .container: throw damage
    }
    report.add(damage)
    (digest, digested) = (nil, nil)
    if isManifest { manifest = nil }
    isManifest = false
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
    report.entries = entries.count
    if let contents = contentsDigest?.finalize(), let sha256 { report.digests = (contents, sha256) }
    if let gap { report.extend(gap, "; all entries after it are lost") }
    for warning in dropped.warnings { report.add(warning: warning) }
    if hasReadAllHeaders {
      for problem in layout.missing() { report.add(problem) }
      report.pack = container.map {
        PackIndex(input.path, .archive(input, $0), entries, embedded: manifest)
      }
    }
    guard let manifest else { return report }
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
