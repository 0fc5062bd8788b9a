/// What an asset pack contains, wherever that is known from: an archive, a layout that isn't written
/// yet, or the JSON of a report.
///
/// Reading an archive checks the container's structure and every header. Blocks that contain only
/// contents are skipped unless digests are requested, so their bytes are not checked.
///
/// An index keeps its file open as long as it or a copy of it lives, and so reads the same file even if
/// it was renamed, replaced or removed.
public struct PackIndex: Sendable {
  /// The archive or manifest as the user named it; `-` is the standard input.
  package internal(set) var path: BytePath
  package let source: Source
  /// All entries as they are stored, in the order of the archive, whatever their names and kinds: for
  /// tools that look at damage. What apps read is in ``files``.
  public let entries: [PackEntry]
  /// Whether it has the layout of an asset pack: `Contents`, or an entry inside it.
  package let isAssetPack: Bool
  /// The embedded manifest; nil if it is missing or can't be decoded, see ``decodedManifest()``.
  public let manifest: Manifest?
  /// Why there is no manifest, or why it is invalid.
  package private(set) var remark: String?
  /// How it is compressed, as ``Compression`` describes it, but without a level; nil in a way that has no
  /// name.
  public package(set) var compression: String?
  /// The bytes of the embedded manifest, `Manifest.json` next to `Contents`, if any.
  package private(set) var embedded: [UInt8]?
  /// Their SHA-256.
  package let manifestSHA256: [UInt8]?
  /// The digest of what apps read, if requested.
  package private(set) var contentsDigest: [UInt8]?
  /// The size, MD5 and SHA-256 of the file, if requested.
  package private(set) var fileDigests: FileDigests?
  /// The SHA-256 of files' contents, by the numbers of their entries, as far as they were needed.
  package internal(set) var hashes: [Int: [UInt8]] = [:]
  /// The numbers of ``storedFiles``; limits keep them far below 2^31.
  private let fileNumbers: [Int32]
  /// Those of ``files``, as far as they were found.
  private var safeNumbers: [Int32]?

  /// The origin of an index.
  package enum Source: Sendable {
    /// The open archive, so later reads are of the same file, even if it was renamed or
    /// replaced.
    case archive(ArchiveInput, ContainerFacts)
    /// A layout of files below `root`, and the container that it would be compressed to.
    case layout(ArchiveLayout, root: BytePath, ContainerFacts)
    /// A report, which has the cost of each entry.
    case report(downloadSize: UInt64, [(share: UInt64, blocks: BlockUse)])
  }

  /// A pack with an embedded manifest.
  init(
    _ path: BytePath, _ source: Source, _ entries: [PackEntry], embedded: [UInt8]? = nil
  ) {
    var manifest: Manifest?
    var remark: String?
    do {
      let decoded = try decodeEmbeddedManifest(embedded, of: path)
      let error = decoded.findings.first { $0.severity == .error }
      manifest = decoded.value
      remark = error.map { "embedded manifest: \($0.message)" }
    } catch {
      remark = error.message
    }
    self.init(
      path, source, entries, manifest, manifestSHA256: embedded.map { SHA256.digest(of: $0) })
    (self.remark, self.embedded) = (remark, embedded)
  }

  /// A pack with a decoded manifest.
  init(
    _ path: BytePath, _ source: Source, _ entries: [PackEntry], _ manifest: Manifest?,
    manifestSHA256: [UInt8]?
  ) {
    self.path = path
    self.source = source
    self.entries = entries
    self.manifest = manifest
    self.manifestSHA256 = manifestSHA256
    if case .archive(_, let container) = source { compression = container.compression }
    let isAssetPack = entries.contains(where: \.isOfContents)
    self.isAssetPack = isAssetPack
    fileNumbers = entries.indices.filter {
      entries[$0].kind == .file && entries[$0].isFile(ofPack: isAssetPack)
    }.map { Int32(clamping: $0) }
  }

  /// The pack of a layout of files below `root`, with the container it would be compressed to.
  package init(
    _ path: BytePath, _ layout: ArchiveLayout, root: BytePath, _ manifest: Manifest,
    _ container: ContainerFacts
  ) {
    self.init(
      path, .layout(layout, root: root, container), layout.headers, manifest,
      manifestSHA256: SHA256.digest(of: manifest.embedded))
    embedded = manifest.embedded
  }

  /// A file whose contents need not be here.
  typealias KnownFile = (destination: RelativePath, size: UInt64, isExecutable: Bool, hash: [UInt8])

  /// The pack of these files, with sizes before compression.
  init(uncompressed path: BytePath, _ files: [KnownFile], _ manifest: Manifest) {
    let entries = files.enumerated().map { number, file in
      PackEntry(
        number: number, archivePath: PackFormat.archivePath(of: file.destination).bytes, .file,
        mode: file.isExecutable ? 0o755 : 0o644, contents: 0..<file.size)
    }
    self.init(
      path, .report(downloadSize: entries.size(\.size), entries.map { ($0.size, .none) }), entries,
      manifest, manifestSHA256: SHA256.digest(of: manifest.embedded))
    compression = "\(Compression.store)"
    for (number, file) in files.enumerated() { hashes[number] = file.hash }
  }

  /// The pack of selected files, some of which are pointers, with sizes before compression.
  package init(
    uncompressed path: BytePath, _ selection: Selection, _ manifest: Manifest, jobs: Int
  ) throws {
    let (files, root) = (selection.files, selection.root)
    let hashes = mapOnThreads(files.count, share: 16, jobs: jobs) { index in
      Result { () throws(SystemError) in
        try files[index].sha256(at: root.appending(files[index].source.bytes))
      }
    }
    self.init(
      uncompressed: path,
      try zip(files, hashes).map { ($0.destination, $0.size, $0.isExecutable, try $1.get()) },
      manifest)
  }

  /// The name, escaped for display: the identifier, or the file name if the manifest can't be
  /// decoded.
  package var name: String { manifest?.name ?? printable(path.name) }

  /// The files that apps read, sorted by path. Each path is there once, and none is invalid, leads
  /// outside, or is below something else than a directory: such entries are only in ``entries``.
  public var files: [PackEntry] { (safeNumbers ?? findSafe()).map { entries[Int($0)] } }

  /// The file that apps read at `path`; nil if there is none.
  public subscript(path: RelativePath) -> PackEntry? {
    let numbers = safeNumbers ?? findSafe()
    let index = numbers.partitioningIndex { !(entries[Int($0)].path < path) }
    guard index < numbers.count else { return nil }
    let entry = entries[Int(numbers[index])]
    return entry.path == path ? entry : nil
  }

  /// The file that apps read at `path`, such as `Textures/a.png`; nil if there is none.
  public subscript(path: String) -> PackEntry? { RelativePath(path).flatMap { self[$0] } }

  private func findSafe() -> [Int32] {
    var names = EntryNames(for: entries)
    var safe: [PackEntry] = []
    for entry in entries {
      do { try names.add(entry) } catch { continue }
      if entry.kind == .file, entry.gamePath != nil { safe.append(entry) }
    }
    return safe.sorted { $0.path < $1.path }.map { Int32(clamping: $0.number) }
  }

  /// The files as they are stored, in the order of the archive, even with odd names; all files if it
  /// isn't an asset pack.
  package var storedFiles: LazyMapCollection<[Int32], PackEntry> {
    fileNumbers.lazy.map { [entries] in entries[Int($0)] }
  }

  /// The size of the files in bytes, before compression.
  public var size: UInt64 { storedFiles.size(\.size) }

  /// The same pack with another name for messages.
  package func named(_ path: BytePath) -> PackIndex {
    var pack = self
    pack.path = path
    return pack
  }

  /// The damage if the entry of a manifest is larger than ``PackFormat/maximumManifestSize``.
  static func manifestTooLarge(_ entry: PackEntry) -> ArchiveDamage? {
    guard entry.size > PackFormat.maximumManifestSize else { return nil }
    return entry.damage(
      .limit,
      "a manifest of \(counted(entry.size, "byte")); the maximum is "
        + grouped(PackFormat.maximumManifestSize))
  }

  package var container: ContainerFacts? {
    switch source {
    case .archive(_, let container), .layout(_, _, let container): container
    case .report: nil
    }
  }

  /// The size of the download in bytes: that of the archive.
  public var downloadSize: UInt64 {
    if case .report(let size, _) = source { size } else { container?.packedSize ?? 0 }
  }

  /// The number of bytes of the download that `entry` takes: its share of the blocks that contain
  /// it.
  public func share(of entry: PackEntry) -> UInt64 {
    if case .report(_, let costs) = source {
      return costs.indices.contains(entry.number) ? costs[entry.number].share : 0
    }
    return entry.contents.flatMap { container?.share(of: $0) } ?? 0
  }

  /// How the blocks that contain `entry` are compressed.
  package func blocks(of entry: PackEntry) -> BlockUse {
    if case .report(_, let costs) = source { return costs[entry.number].blocks }
    return entry.contents.flatMap { container?.blockUse(of: $0) } ?? .none
  }

  /// Whether it is a layout, which isn't written yet.
  package var isLayout: Bool { if case .layout = source { true } else { false } }

  /// Whether it is a file, which can be read again, rather than a pipe.
  package var isFile: Bool {
    if case .archive(let input, _) = source { input.size != nil } else { false }
  }

  package func archive() throws -> (ArchiveInput, ContainerFacts) {
    guard case .archive(let input, let container) = source else {
      throw SystemError(.readAgain, path, code: .illegalSeek)
    }
    return (input, container)
  }

  /// Reads the pack at `path`, a file or a pipe.
  ///
  /// - Throws: Among others ``PackError/Code/notFound``, ``PackError/Code/notAPack`` and
  ///   ``PackError/Code/damaged``.
  public init(
    reading path: BytePath, limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) throws(PackError) {
    try self.init(limits, work) { try ArchiveInput(path.ofFile) }
  }

  /// Reads the pack in `bytes`, which messages call `name`.
  public init(
    bytes: [UInt8], named name: BytePath = "pack", limits: ReadingLimits = ReadingLimits(),
    _ work: Work = Work()
  ) throws(PackError) {
    try self.init(limits, work) { try ArchiveInput(BytesInMemory(bytes), named: name) }
  }

  /// Reads the pack that a source has, which messages call `name`: only blocks with headers of entries,
  /// one after the other, each once. Those with nothing but contents are left out.
  public init(
    reading source: some ByteSource, named name: BytePath = "pack",
    limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) throws(PackError) {
    var work = work
    // Threads would ask for blocks before it is known whether they are needed.
    work.threads = 1
    try self.init(limits, work) { try ArchiveInput(source, named: name) }
  }

  private init(
    _ limits: ReadingLimits, _ work: Work, _ open: () throws -> ArchiveInput
  ) throws(PackError) {
    self = try work.result { progress in
      let input = try open()
      return try .read(
        input, limits: limits, jobs: work.threads, progress: progress(input.size ?? 0, input.path))
    }
    safeNumbers = findSafe()
  }

  /// The same for an open file or pipe, with the digest of what apps read, for which all blocks are
  /// decoded, and with those of the file. Calls `progress` with the number of bytes of the file read
  /// so far.
  package static func read(
    _ input: ArchiveInput, contentsDigest: Bool = false, fileDigests: Bool = false,
    limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> PackIndex {
    let collector = EntryCollector(contentsDigest)
    let container = Monitor(ContainerFacts(kind: .bare))
    let scan: @Sendable () throws -> Void = {
      let found = try scanArchive(input, limits: limits, jobs: jobs, collector, progress: progress)
      container.withLock { $0 = found }
    }
    var digests: FileDigests?
    if fileDigests, input.size != nil {
      digests = try FileDigests.find(of: input, jobs: jobs, while: scan)
    } else {
      try scan()
      digests = input.pipeDigests
    }
    var pack = PackIndex(
      input.path, .archive(input, container.withLock(\.self)), collector.entries,
      embedded: collector.manifest)
    pack.contentsDigest = collector.contentsDigest?.finalize()
    pack.fileDigests = digests
    return pack
  }
}

/// Keeps all entries, and the bytes of the embedded manifest. Used by one thread at a time.
final class EntryCollector: EntryVisitor, @unchecked Sendable {
  private(set) var entries: [PackEntry] = []
  private(set) var manifest: [UInt8]?
  private(set) var contentsDigest: ContentsDigest?
  private var isInManifest = false
  private var digested: (path: RelativePath, sha256: SHA256)?
  private let identity = IndexIdentity.next()

  init(_ hasContentsDigest: Bool) {
    contentsDigest = hasContentsDigest ? ContentsDigest() : nil
  }

  var needsAllBlocks: Bool { contentsDigest != nil }

  func begin(_ entry: PackEntry) throws(ArchiveDamage) -> Bool {
    entries.append(entry)
    entries[entries.count - 1].index = identity
    guard entry.kind == .file else { return false }
    if entry.archivePath == RelativePath.manifest.bytes, manifest == nil {
      if let damage = PackIndex.manifestTooLarge(entry) { throw damage }
      manifest = []
      isInManifest = true
      return true
    }
    guard contentsDigest != nil, let path = entry.gamePath else { return false }
    digested = (path, SHA256())
    return true
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) {
    if isInManifest {
      manifest?.append(bytes)
    } else {
      digested?.sha256.update(bytes)
    }
  }

  func end() {
    isInManifest = false
    if let digested { contentsDigest?.add(digested.path, sha256: digested.sha256.finalize()) }
    digested = nil
  }

  /// Forgets the current entry, whose contents are damaged.
  func giveUp() {
    if isInManifest { manifest = nil }
    (isInManifest, digested) = (false, nil)
  }
}

extension PackEntry {
  var isOfContents: Bool { archivePath == RelativePath.contents.bytes || gamePath != nil }

  /// Whether it is a file or link, which in an asset pack must be one that apps can read.
  package func isFile(ofPack isPack: Bool) -> Bool {
    kind != .directory && kind != .metadata
      && (!isPack || PackFormat.contentsPath(of: archivePath) != nil)
  }

  /// The path as apps use it, even if it is invalid, or as in the archive outside `Contents`.
  package var shownPath: [UInt8] { PackFormat.contentsPath(of: archivePath) ?? archivePath }
}

extension PackIndex {
  /// The embedded manifest and its findings. Throws if it is missing or isn't JSON.
  ///
  /// - Throws: ``PackError/Code/damaged`` in both cases.
  public func decodedManifest() throws(PackError) -> Checked<Manifest?> {
    do { return try decodeEmbeddedManifest(embedded, of: path) } catch {
      throw PackError(error.named(path))
    }
  }
}

/// Decodes the manifest embedded in the pack at `path`; throws if there is none.
///
/// Apple's version 1.2 embeds the author's file, comments included; 2.0 generates a manifest. So
/// JSON5 is accepted, and unknown keys, platforms, events and policies and odd paths are only
/// warnings.
package func decodeEmbeddedManifest(
  _ bytes: [UInt8]?, of path: BytePath
) throws(ArchiveDamage) -> Checked<Manifest?> {
  guard let bytes else { throw .noManifest }
  let source = SourceText(name: path.bytes + "/Manifest.json".utf8, bytes: bytes)
  let document = JSONDocument(reading: source)
  guard document.isWellFormed else {
    let finding = document.findings.first
    let position =
      (finding?.location?.start).map { " (line \($0.line), column \($0.column))" } ?? ""
    throw ArchiveDamage(
      .manifestNotJSON,
      "the embedded manifest is not JSON" + (finding.map { ": \($0.message)\(position)" } ?? ""),
      at: ArchivePlace(path: RelativePath.manifest.bytes))
  }
  return ManifestDecoder.decode(source, isEmbedded: true)
}

extension PackagingError {
  /// The pack at `path` can be read only once, but must be read again.
  package static func pipe(_ path: BytePath) -> PackagingError {
    PackagingError(
      path.isStandardStream
        ? "this command reads a pack more than once, so it can't be standard input"
        : "'\(path)' is a pipe, but this command reads a pack more than once")
  }
}
