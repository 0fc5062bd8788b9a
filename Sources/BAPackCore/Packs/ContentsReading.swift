extension PackIndex {
  /// The bytes of one of its files, or those in `range` of it. Only the blocks that contain them are read.
  /// Bytes that are all in memory at once may not be more than `limit`.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` for an entry of another pack or a range that isn't in
  ///   the file, ``PackError/Code/limitExceeded``, ``PackError/Code/damaged``.
  public func bytes(
    of entry: PackEntry, _ range: Range<UInt64>? = nil, limit: Int = 256 << 20,
    _ work: Work = Work()
  ) throws(PackError) -> [UInt8] {
    let range = range ?? 0..<entry.size
    let count = range.upperBound - range.lowerBound
    guard count <= UInt64(max(0, limit)) else {
      throw PackError(
        .limitExceeded,
        "\(counted(count, "byte")) of '\(entry.path)' are more than "
          + "the \(grouped(limit)) allowed", path: path)
    }
    return try work.result { progress in
      let report = progress(count, path)
      let found = Monitor<[UInt8]>([])
      try readContents(of: entry, range, jobs: work.threads) { part in
        let count = found.withLock { found in
          found.append(part)
          return found.count
        }
        report(UInt64(count))
      }
      return found.withLock(\.self)
    }
  }

  /// The bytes of one of its files in parts of a block or less, which are read one after the other.
  public func chunks(of entry: PackEntry) -> PackChunks { PackChunks(pack: self, entry: entry) }

  /// The SHA-256 of one of its files.
  ///
  /// - Throws: As `bytes(of:_:limit:)`.
  public func sha256(
    of entry: PackEntry, _ work: Work = Work()
  ) throws(PackError) -> [UInt8] {
    try work.result { progress in
      let report = progress(entry.size, path)
      let state = Monitor((hash: SHA256(), size: UInt64(0)))
      try readContents(of: entry, jobs: work.threads) { part in
        let size = state.withLock { state in
          state.hash.update(part)
          state.size += UInt64(part.byteCount)
          return state.size
        }
        report(size)
      }
      return state.withLock { $0.hash.finalize() }
    }
  }

  /// The SHA-256 of what apps read: the paths and bytes of ``files``. It doesn't depend on times, the
  /// manifest or compression.
  ///
  /// - Throws: ``PackError/Code/damaged``, among others.
  public func contentsDigest(_ work: Work = Work()) throws(PackError) -> [UInt8] {
    try work.result { progress in
      _ = progress(size, path)
      let files = files
      let hashes = try hashes(of: files.map(\.number), jobs: work.threads)
      var digest = ContentsDigest()
      for file in files { digest.add(file.path, sha256: hashes[file.number] ?? []) }
      return digest.finalize()
    }
  }

  /// The same, found on separate threads.
  public func sha256(
    of entry: PackEntry, _ work: Work = Work()
  ) async throws(PackError) -> [UInt8] {
    try await work.detached { try self.sha256(of: entry, $0) }
  }

  /// The same, found on separate threads.
  public func contentsDigest(_ work: Work = Work()) async throws(PackError) -> [UInt8] {
    try await work.detached { try self.contentsDigest($0) }
  }

  /// Passes the contents of one of its entries, or `range` of them, to `body`, in order. Only the blocks
  /// that contain them are decoded.
  package func readContents(
    of entry: PackEntry, _ range: Range<UInt64>? = nil, jobs: Int = Processors.available,
    _ body: @escaping @Sendable (RawSpan) throws -> Void
  ) throws {
    let (input, container) = try archive()
    guard entries.indices.contains(entry.number),
      entries[entry.number].index.number == entry.index.number
    else {
      throw PackagingError("'\(printable(entry.archivePath))' is not an entry of '\(path.shown)'")
    }
    let whole = StreamRange(id: 0, contentsOf: entry)
    var wanted = whole
    if let range, range != 0..<entry.size {
      guard range.upperBound <= entry.size else {
        throw PackagingError(
          "'\(entry.path)' has \(counted(entry.size, "byte")), not bytes \(grouped(range.lowerBound)) "
            + "to \(grouped(range.upperBound))")
      }
      let start = whole?.range.lowerBound ?? 0
      wanted =
        range.isEmpty
        ? nil : StreamRange(id: 0, range: start + range.lowerBound..<start + range.upperBound)
    }
    guard let wanted else {
      if whole == nil, let problem = EntryDigest(entry)?.problem { throw input.error(problem) }
      return
    }
    try readPieces(
      [wanted], of: input, container, jobs: jobs, makeWorker: {},
      orderedPiece: { _, _, bytes in try body(bytes) })
  }

  /// The SHA-256 of the contents of at least the entries with these `numbers`, by number, as far as
  /// they can be known: a report may lack some. Only the blocks that contain them are decoded.
  ///
  /// Throws if the archive is damaged, or a file of the layout changed since it was selected.
  package func hashes(of numbers: [Int], jobs: Int) throws -> [Int: [UInt8]] {
    let unknown = numbers.filter { hashes[$0] == nil }
    let found: [Int: [UInt8]] =
      switch source {
      case .archive(let input, let container):
        try hashes(of: unknown, in: input, container, jobs: jobs)
      case .layout(let layout, let root, _):
        try layout.hashes(of: unknown, below: root, jobs: jobs)
      case .report: [:]
      }
    return hashes.merging(found) { $1 }
  }

  private func hashes(
    of numbers: [Int], in input: ArchiveInput, _ container: ContainerFacts, jobs: Int
  ) throws -> [Int: [UInt8]] {
    var ranges: [StreamRange] = []
    var hashes: [Int: [UInt8]] = [:]
    for number in numbers {
      if let range = StreamRange(id: number, contentsOf: entries[number]) {
        ranges.append(range)
      } else {
        hashes[number] = SHA256.digest(of: [])
      }
    }
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let found = Monitor(hashes)
    // The digest of the file of several pieces that is being delivered.
    let current = Monitor(SHA256())
    try readPieces(
      ranges, of: input, container, jobs: jobs, makeWorker: {},
      piece: { file, _, bytes, _ in
        // Files within one block are hashed in any order, the others in that of the archive.
        guard bytes.byteCount == file.range.count else { return }
        var hash = SHA256()
        hash.update(bytes)
        let value = hash.finalize()
        found.withLock { $0[file.id] = value }
      },
      orderedPiece: { file, offset, bytes in
        guard bytes.byteCount < file.range.count else { return }
        current.withLock { current in
          if offset == 0 { current = SHA256() }
          current.update(bytes)
          guard offset + UInt64(bytes.byteCount) == file.range.count else { return }
          let value = current.finalize()
          found.withLock { $0[file.id] = value }
        }
      })
    return found.withLock(\.self)
  }
}

/// The bytes of a file in a pack, one part after the other.
public struct PackChunks: AsyncSequence, Sendable {
  let pack: PackIndex
  let entry: PackEntry

  /// Reads a part each time it is asked, on a separate thread.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let pack: PackIndex
    let entry: PackEntry
    private var offset: UInt64 = 0
    private let digest: EntryDigest?
    private var isFirst = true

    init(_ pack: PackIndex, _ entry: PackEntry) {
      (self.pack, self.entry) = (pack, entry)
      digest = EntryDigest(entry)
    }

    /// The next part, up to the end of a block, which isn't empty; nil at the end.
    ///
    /// - Throws: As `bytes(of:)`; ``PackError/Code/cancelled`` with its task.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(PackError) -> [UInt8]? {
      let blockSize = UInt64(pack.container?.kind.pieceSize ?? 1)
      let start = entry.contents?.lowerBound ?? 0
      let end = Swift.min(entry.size, offset + (blockSize - (start + offset) % blockSize))
      if offset == end, !isFirst { return nil }
      isFirst = false
      let bytes = try await Work(threads: 1).detached { [pack, entry, offset] work in
        try pack.bytes(of: entry, offset..<end, limit: .max, work)
      }
      bytes.withRawSpan { digest?.update($0) }
      offset = end
      if end == entry.size, let problem = digest?.problem {
        throw PackError(problem.named(pack.path))
      }
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// Begins at the first byte.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pack, entry) }
}

extension PackIndex {
  /// Reads the pack at `path`, on separate threads.
  ///
  /// - Throws: Among others ``PackError/Code/notFound``, ``PackError/Code/notAPack`` and
  ///   ``PackError/Code/damaged``.
  public init(
    reading path: BytePath, limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) async throws(PackError) {
    self = try await work.detached { try PackIndex(reading: path, limits: limits, $0) }
  }

  /// Reads the pack that a source has, on a separate thread.
  public init(
    reading source: some ByteSource, named name: BytePath = "pack",
    limits: ReadingLimits = ReadingLimits(), _ work: Work = Work()
  ) async throws(PackError) {
    self = try await work.detached {
      try PackIndex(reading: source, named: name, limits: limits, $0)
    }
  }

  /// The bytes of one of its files, or those in `range` of it, read on separate threads.
  ///
  /// - Throws: ``PackError/Code/invalidArgument``, ``PackError/Code/limitExceeded``,
  ///   ``PackError/Code/damaged``, ``PackError/Code/cancelled``.
  public func bytes(
    of entry: PackEntry, _ range: Range<UInt64>? = nil, limit: Int = 256 << 20,
    _ work: Work = Work()
  ) async throws(PackError) -> [UInt8] {
    try await work.detached { try self.bytes(of: entry, range, limit: limit, $0) }
  }
}

extension ArchiveLayout {
  /// The SHA-256 of the files with these indices, which are below `root`.
  func hashes(
    of indices: [Int], below root: BytePath, jobs: Int
  ) throws -> [Int: [UInt8]] {
    let source = try ArchiveSource(self, root: root)
    let results = mapOnThreads(indices.count, share: 4, jobs: jobs) { number in
      Result { try source.sha256(ofEntry: indices[number]) }
    }
    var hashes: [Int: [UInt8]] = [:]
    for (index, result) in zip(indices, results) { hashes[index] = try result.get() }
    return hashes
  }
}

/// A digest of what apps read from a pack: the paths and bytes of its files. It doesn't depend on
/// times, modes, the embedded manifest or compression, so a pack made again from the same files, by
/// this tool or another, has the same digest.
package struct ContentsDigest: Sendable {
  private var files: [(path: RelativePath, sha256: [UInt8])] = []

  package init() {}

  /// Adds a file, in any order: its path below `Contents` and the SHA-256 of its bytes.
  package mutating func add(_ path: RelativePath, sha256: [UInt8]) { files.append((path, sha256)) }

  /// The SHA-256 of all files, sorted by path: the path, a NUL and the file's SHA-256.
  package func finalize() -> [UInt8] {
    var digest = SHA256()
    for file in files.sorted(by: { $0.path < $1.path }) {
      digest.update(file.path.bytes + [0] + file.sha256)
    }
    return digest.finalize()
  }
}
