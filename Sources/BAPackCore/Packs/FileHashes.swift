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

extension Selection {
  /// The SHA-256 of the ``files`` at `indices`, by index, computed on up to `jobs` threads. Fails
  /// if a file changed since it was selected.
  package func sha256(
    ofFiles indices: [Int], jobs: Int
  ) throws(PackagingError) -> [Int: [UInt8]] {
    let hasFailed = Monitor(false)
    let found = mapOnThreads(
      indices.count, share: 1, jobs: jobs, worker: { try? Buffer(size: hashedAtOnce) }
    ) { number, buffer -> Result<[UInt8], PackagingError>? in
      if hasFailed.withLock(\.self) { return nil }
      let hash = Result { () throws(PackagingError) in
        if let signal = Interruption.pending { throw .interrupted(signal: signal) }
        return try sha256(of: files[indices[number]], buffer)
      }
      if case .failure = hash { hasFailed.withLock { $0 = true } }
      return hash
    }
    guard let found else { throw .outOfMemory }
    var hashes: [Int: [UInt8]] = [:]
    for (index, hash) in zip(indices, found) { hashes[index] = try hash?.get() }
    return hashes
  }

  private func sha256(
    of file: SelectedFile, _ buffer: Buffer
  ) throws(PackagingError) -> [UInt8] {
    let path = root.appending(file.source.bytes)
    var hash = SHA256()
    let (size, version) = try mappingErrors(PackagingError.system) { () throws(SystemError) in
      let descriptor = try path.attempt(.open, FileDescriptor.reading(path))
      let size = try path.forEachPiece(of: descriptor, buffer) { bytes, _ in
        hash.update(bytes)
        return true
      }
      return (size, try path.attempt(.read, descriptor.status().version))
    }
    guard version == file.version else { throw .fileReplaced(path) }
    guard size == file.size else {
      throw .fileChanged(path, expected: file.size, isShorter: size < file.size)
    }
    return hash.finalize()
  }
}

/// The number of bytes to read at once.
private let hashedAtOnce = 1 << 20
