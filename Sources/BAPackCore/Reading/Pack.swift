/// An asset pack as its archive states it: what it was packed into, and its entries.
///
/// Reading one checks the frame of the container and every header. Blocks that hold nothing but
/// contents are passed over unless digests are asked for, so their bytes are not checked.
public struct Pack: Sendable {
  /// The file as the user named it; `-` is the standard input.
  package let path: BytePath
  /// The container.
  package let container: ContainerFacts
  /// The entries in the order of the archive.
  public let entries: [EntryHeader]
  /// The bytes of the embedded manifest, `Manifest.json` beside `Contents`; nil without one.
  package let manifest: [UInt8]?
  /// The digest of what games read, where it was asked for.
  package let contentsDigest: ContentsDigest.Value?
  /// Size, MD5 and SHA-256 of the file, where they were asked for.
  package let fileDigests: FileDigests?
  /// The file, open: what is read later is of the same file, whatever happens to its name.
  package let input: ArchiveInput

  /// Whether it is a file, which can be read again, and not a pipe.
  package var isFile: Bool { input.size != nil }

  /// Whether it has the layout of an asset pack: `Contents`, or something in it.
  package var isAssetPack: Bool {
    entries.contains(where: \.isOfContents)
  }

  /// The same pack under another name, for messages.
  package func named(_ path: BytePath) -> Pack {
    Pack(
      path: path, container: container, entries: entries, manifest: manifest,
      contentsDigest: contentsDigest, fileDigests: fileDigests, input: input)
  }

  /// What is wrong with the entry of a manifest that is larger than ``PackFormat/maximumManifestSize``.
  static func manifestTooLarge(_ entry: EntryHeader) -> ArchiveDamage? {
    guard entry.size > PackFormat.maximumManifestSize else { return nil }
    return entry.damage(
      .limit,
      "a manifest of \(counted(entry.size, "byte")); the maximum is "
        + grouped(PackFormat.maximumManifestSize))
  }
}

extension EntryHeader {
  /// Whether it is `Contents`, or something in it.
  var isOfContents: Bool { path == RelativePath.contents.bytes || gamePath != nil }
}

/// What is to be found out about a pack.
package struct PackQuestions: OptionSet, Sendable {
  /// The bits.
  package let rawValue: Int
  /// A set of bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The digest of what games read; all blocks are decoded for it.
  package static let contentsDigest = PackQuestions(rawValue: 1)
  /// Size, MD5 and SHA-256 of the file as it is.
  package static let fileDigests = PackQuestions(rawValue: 2)
}

extension Pack {
  /// Reads the pack at `path`, a file, a pipe or `-`, with up to `jobs` threads.
  public static func read(
    _ path: BytePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available
  ) throws(ArchiveError) -> Pack {
    try read(path, [], limits: limits, jobs: jobs)
  }

  /// Reads the pack at `path`, and finds out what `questions` ask for. Calls `progress` with the bytes
  /// of the file that are done.
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
  /// The file whose contents are digested at present.
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
      // SAFETY: the pointer is used within the closure, and only by the array that copies it.
      unsafe bytes.withUnsafeBytes { unsafe manifest?.append(contentsOf: $0) }
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
