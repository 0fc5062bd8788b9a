extension PackIndex {
  /// Passes the contents of one of its ``files`` to `body`, in order. Only the blocks that contain
  /// them are decoded.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` for an entry of another pack,
  ///   ``PackError/Code/external`` if `body` fails.
  public func readContents(
    of entry: PackEntry, jobs: Int = Processors.available,
    _ body: @escaping @Sendable (RawSpan) throws -> Void
  ) throws(PackError) {
    try PackError.wrap {
      let (input, container) = try archive()
      guard entries.indices.contains(entry.number), entries[entry.number].index == entry.index
      else {
        throw PackagingError("'\(printable(entry.archivePath))' is not an entry of '\(path.shown)'")
      }
      guard let range = StreamRange(id: 0, contentsOf: entry) else {
        if let problem = EntryDigest(entry)?.problem { throw input.error(problem) }
        return
      }
      try readPieces(
        [range], of: input, container, jobs: jobs, makeWorker: {},
        orderedPiece: { _, _, bytes in try body(bytes) })
    }
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
