extension PackIndex {
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
    let sink = HashSink(sizes: Dictionary(uniqueKeysWithValues: ranges.map { ($0.id, $0.size) }))
    do {
      try readPieces(input, container, ranges, jobs: jobs, into: sink)
    } catch {
      throw input.error(error)
    }
    return hashes.merging(sink.hashes) { $1 }
  }
}

extension StreamRange {
  fileprivate var size: Int { Int(range.upperBound - range.lowerBound) }
}

/// Hashes files: those within one block in any order, the others in the order of the archive.
private final class HashSink: PieceSink {
  typealias Worker = Void
  private let sizes: [Int: Int]
  private let state = Monitor(State())

  private struct State {
    var hashes: [Int: [UInt8]] = [:]
    /// The digest of the file of several pieces that is being delivered.
    var current = SHA256()
  }

  init(sizes: [Int: Int]) { self.sizes = sizes }

  var hashes: [Int: [UInt8]] { state.withLock(\.hashes) }

  func makeWorker() {}

  func piece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Void) {
    guard bytes.byteCount == sizes[id] else { return }
    var hash = SHA256()
    hash.update(bytes)
    let value = hash.finalize()
    state.withLock { $0.hashes[id] = value }
  }

  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) {
    guard let size = sizes[id], bytes.byteCount < size else { return }
    state.withLock { state in
      if offset == 0 { state.current = SHA256() }
      state.current.update(bytes)
      guard offset + UInt64(bytes.byteCount) == size else { return }
      state.hashes[id] = state.current.finalize()
    }
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
