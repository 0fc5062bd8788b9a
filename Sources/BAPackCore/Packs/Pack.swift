/// An asset pack as described by its archive: its container and its entries.
///
/// Reading one checks the container's structure and every header. Blocks that contain only contents
/// are skipped unless digests are requested, so their bytes are not checked.
public struct Pack: Sendable {
  /// The file as the user named it; `-` is the standard input.
  package let path: BytePath
  /// The container.
  package let container: ContainerFacts
  /// The entries in the order of the archive.
  public let entries: [EntryHeader]
  /// The bytes of the embedded manifest, `Manifest.json` next to `Contents`, if any.
  package let manifest: [UInt8]?
  /// The digest of what apps read, if requested.
  package let contentsDigest: ContentsDigest.Value?
  /// The size, MD5 and SHA-256 of the file, if requested.
  package let fileDigests: FileDigests?
  /// The open file, so that later reads are of the same file, even if it was renamed or replaced.
  package let input: ArchiveInput

  /// Whether it is a file, which can be read again, rather than a pipe.
  package var isFile: Bool { input.size != nil }

  /// Whether it has the layout of an asset pack: `Contents`, or an entry inside it.
  package var isAssetPack: Bool {
    entries.contains(where: \.isOfContents)
  }

  /// The same pack with another name for messages.
  package func named(_ path: BytePath) -> Pack {
    Pack(
      path: path, container: container, entries: entries, manifest: manifest,
      contentsDigest: contentsDigest, fileDigests: fileDigests, input: input)
  }

  /// The damage if the entry of a manifest is larger than ``PackFormat/maximumManifestSize``.
  static func manifestTooLarge(_ entry: EntryHeader) -> ArchiveDamage? {
    guard entry.size > PackFormat.maximumManifestSize else { return nil }
    return entry.damage(
      .limit,
      "a manifest of \(counted(entry.size, "byte")); the maximum is "
        + grouped(PackFormat.maximumManifestSize))
  }
}

extension EntryHeader {
  /// Whether it is `Contents` or inside it.
  var isOfContents: Bool { path == RelativePath.contents.bytes || gamePath != nil }
}

/// Optional information about a pack.
package struct PackQuestions: OptionSet, Sendable {
  /// The bits.
  package let rawValue: Int
  /// A set of bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The digest of what apps read; all blocks are decoded to compute it.
  package static let contentsDigest = PackQuestions(rawValue: 1)
  /// The size, MD5 and SHA-256 of the file.
  package static let fileDigests = PackQuestions(rawValue: 2)
}

extension Pack {
  /// Reads the pack at `path`, a file, a pipe or `-`, with up to `jobs` threads.
  public static func read(
    _ path: BytePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available
  ) throws(ArchiveError) -> Pack {
    try read(path, [], limits: limits, jobs: jobs)
  }

  /// Reads the pack at `path`, with the information that `questions` request. Calls `progress` with
  /// the number of bytes of the file read so far.
  package static func read(
    _ path: BytePath, _ questions: PackQuestions, limits: ReadingLimits = ReadingLimits(),
    jobs: Int = Processors.available, progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws(ArchiveError) -> Pack {
    let wantsDigests = questions.contains(.fileDigests)
    let input = try ArchiveInput(path, digestingPipe: wantsDigests)
    let result = Monitor((EntryCollector(questions), ContainerFacts(kind: .bare)))
    let scan: @Sendable () throws(ArchiveError) -> Void = { () throws(ArchiveError) in
      var collector = EntryCollector(questions)
      let container = try scanArchive(
        input, limits: limits, jobs: jobs, &collector, progress: progress)
      result.withLock { $0 = (collector, container) }
    }
    var digests: FileDigests?
    if wantsDigests, input.size != nil {
      digests = try FileDigests.find(of: input, jobs: jobs, while: scan)
    } else {
      try scan()
      digests = input.pipeDigests
    }
    let (collector, container) = result.withLock(\.self)
    return Pack(
      path: path, container: container, entries: collector.entries, manifest: collector.manifest,
      contentsDigest: collector.contentsDigest?.finalize(), fileDigests: digests, input: input)
  }
}

/// Keeps all entries, and the bytes of the embedded manifest.
private struct EntryCollector: EntryVisitor {
  private(set) var entries: [EntryHeader] = []
  private(set) var manifest: [UInt8]?
  private(set) var contentsDigest: ContentsDigest?
  private var isInManifest = false
  /// The file that is being digested.
  private var digested: (path: RelativePath, sha256: SHA256)?

  init(_ questions: PackQuestions) {
    contentsDigest = questions.contains(.contentsDigest) ? ContentsDigest() : nil
  }

  var needsAllBlocks: Bool { contentsDigest != nil }

  mutating func begin(_ entry: EntryHeader) throws(ArchiveDamage) -> Bool {
    entries.append(entry)
    guard entry.kind == .file else { return false }
    if entry.path == RelativePath.manifest.bytes, manifest == nil {
      try begin(manifest: entry)
      return true
    }
    guard contentsDigest != nil, let path = entry.gamePath else { return false }
    digested = (path, SHA256())
    return true
  }

  private mutating func begin(manifest entry: EntryHeader) throws(ArchiveDamage) {
    if let damage = Pack.manifestTooLarge(entry) { throw damage }
    manifest = []
    isInManifest = true
  }

  mutating func contents(_ bytes: RawSpan) {
    if isInManifest {
      manifest?.append(bytes)
    } else {
      digested?.sha256.update(bytes)
    }
  }

  mutating func end() {
    isInManifest = false
    if let digested { contentsDigest?.add(digested.path, sha256: digested.sha256.finalize()) }
    digested = nil
  }
}
