extension Pack {
  /// The SHA-256 of the contents of the ``entries`` at `indices`, by index. Only the blocks that
  /// contain them are decoded.
  package func sha256(
    ofEntries indices: [Int], jobs: Int
  ) throws(ArchiveError) -> [Int: [UInt8]] {
    var ranges: [StreamRange] = []
    var hashes: [Int: [UInt8]] = [:]
    for index in indices {
      if let range = StreamRange(id: index, contentsOf: entries[index]) {
        ranges.append(range)
      } else {
        hashes[index] = SHA256.digest(of: [])
      }
    }
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let sink = HashSink(sizes: Dictionary(uniqueKeysWithValues: ranges.map { ($0.id, $0.size) }))
    try readPieces(input, container, ranges, jobs: jobs, into: sink)
    return hashes.merging(sink.hashes) { $1 }
  }
}

extension StreamRange {
  fileprivate var size: Int { Int(range.upperBound - range.lowerBound) }
}

/// Hashes files: those within one block in any order, the others in the order of the archive.
private final class HashSink: PieceSink {
  typealias Worker = Void
  typealias Failure = ArchiveError
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

extension Selection {
  /// The SHA-256 of the ``files`` at `indices`, by index, computed on up to `jobs` threads. Fails
  /// if a file changed since it was selected.
  package func sha256(
    ofFiles indices: [Int], jobs: Int
  ) throws(PackagingError) -> [Int: [UInt8]] {
    let shared = Monitor(HashWork(left: indices))
    onThreads(min(jobs, indices.count)) {
      do throws(PackagingError) {
        let buffer = try mapping(
          { (_: Errno) in PackagingError.outOfMemory }, Buffer(size: hashedAtOnce))
        while let index = shared.withLock({ $0.next() }) {
          if let signal = Interruption.pending { throw .interrupted(signal: signal) }
          let hash = try sha256(of: files[index], buffer)
          shared.withLock { $0.hashes[index] = hash }
        }
      } catch {
        shared.withLock { $0.failure = error }
      }
    }
    let work = shared.withLock(\.self)
    if let failure = work.failure { throw failure }
    return work.hashes
  }

  private func sha256(
    of file: SelectedFile, _ buffer: Buffer
  ) throws(PackagingError) -> [UInt8] {
    let path = root.appending(file.source.bytes)
    var hash = SHA256()
    var offset: UInt64 = 0
    let descriptor = try mapping(
      PackagingError.system, path.attempt(.open, FileDescriptor.reading(path)))
    let version = try mappingErrors({
      PackagingError.system(SystemError(.read, path, code: $0))
    }) { () throws(Errno) in
      while true {
        let count = try unsafe descriptor.read(
          into: buffer.bytes, atLeast: hashedAtOnce, at: offset)
        unsafe hash.update(buffer[..<count].bytes)
        offset += UInt64(count)
        if count < hashedAtOnce { return try descriptor.status().version }
      }
    }
    guard version == file.version else { throw .fileReplaced(path) }
    guard offset == file.size else {
      throw .fileChanged(path, expected: file.size, isShorter: offset < file.size)
    }
    return hash.finalize()
  }
}

/// The number of bytes to read at once.
private let hashedAtOnce = 1 << 20

private struct HashWork {
  var left: [Int]
  var hashes: [Int: [UInt8]] = [:]
  var failure: PackagingError?

  mutating func next() -> Int? { failure == nil ? left.popLast() : nil }
}
