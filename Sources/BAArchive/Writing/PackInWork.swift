import Synchronization

/// A pack in progress: its source and its output.
package final class PackInWork: @unchecked Sendable {
  /// The index among the packs that are made together.
  package let index: Int
  package let source: ArchiveSource
  // Nil if the pack is only measured. Taken by one thread, when all blocks are written.
  private var output: AtomicOutput?
  /// The file at the destination. What is equal in it is not written, but taken over from it once
  /// it is known that the pack differs.
  private let old: FileDescriptor?
  /// Its status before it was compared.
  private let oldStatus: FileStatus?
  /// Whether a block differs from the bytes of ``old`` at its offset, so the others are written.
  private let differs: Atomic<Bool>
  private let state: Mutex<State>
  private let hasFailed = Atomic(false)

  private struct State {
    var container: ContainerFacts
    /// The number of blocks that have an offset but are not written yet.
    var unwritten = 0
    /// What the file at the destination has, and the output doesn't.
    var equal: [Range<UInt64>] = []
    /// Whether some of that was copied from there.
    var hasCopies = false
    /// The digests of blocks that have an offset, if they are computed.
    var digests = StreamDigests()
    var hasLast = false
    var isReported = false
  }

  /// Starts the container of `source` in `output`; without one, the pack is only measured. With
  /// `comparing`, it is compared with the file that it would replace.
  package init(
    _ index: Int = 0, of source: ArchiveSource, to output: consuming AtomicOutput?,
    _ algorithm: Algorithm, comparing: Bool = false
  ) throws {
    let old = comparing ? output?.oldFile() : nil
    differs = Atomic(old == nil)
    oldStatus = try? old?.status()
    self.old = old
    self.index = index
    self.source = source
    self.output = output
    state = Mutex(
      State(
        container: ContainerFacts(
          kind: .blocks(algorithm, blockSize: ContainerFormat.blockSize))))
    let header = ContainerFormat.header(algorithm)
    try header.withRawSpan { bytes throws(SystemError) in try put(bytes, at: 0) }
  }

  private func put(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) {
    if !differs.load(ordering: .relaxed) {
      if (try? old?.has(bytes, at: offset)) != true {
        if !differs.exchange(true, ordering: .relaxed) {
          try output?.copy(takeEqual(), from: old)
        }
      } else if oldStatus?.owner == ProcessContext.user {
        // Another user could change the file between the comparison and the copy.
        let range = offset..<(offset + UInt64(bytes.byteCount))
        return state.withLock { $0.equal.append(range) }
      }
    }
    try output?.write(bytes, at: offset)
  }

  /// Whether a block could not be made or written, so the others are not needed.
  var isGivenUp: Bool { hasFailed.load(ordering: .relaxed) }

  package func giveUp() { hasFailed.store(true, ordering: .relaxed) }

  /// Abandons the pack; true for the first call after an error.
  func fail() -> Bool {
    giveUp()
    return state.withLock { state in
      defer { state.isReported = true }
      return !state.isReported
    }
  }

  /// Adds the next block, and returns the range to write it to; nil if the pack has failed.
  func place(_ block: PackedBlock, isLast: Bool) -> Range<UInt64>? {
    state.withLock { state in
      if state.isReported { return nil }
      state.unwritten += 1
      state.hasLast = isLast
      if let digests = block.digests { state.digests.append(digests) }
      return state.container.addBlock(
        rawSize: block.rawSize, storedSize: block.size, isStored: block.isStored)
    }
  }

  /// Writes a block at its offset. Called by several threads at once; returns true to the one that
  /// completes the pack.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Bool {
    try put(bytes, at: offset)
    return state.withLock { state in
      state.unwritten -= 1
      return state.unwritten == 0 && state.hasLast && !state.isReported
    }
  }

  /// The container as far as it is made.
  package var container: ContainerFacts { state.withLock(\.container) }

  /// The digests of all blocks, if they were computed.
  package var blockDigests: StreamDigests { state.withLock(\.digests) }

  /// What is to be copied from the old file so far. Neighbors are one range, and may share the disk's
  /// blocks.
  private func takeEqual() -> RangeSet<UInt64> {
    state.withLock { state in
      var ranges = RangeSet<UInt64>()
      for range in state.equal { ranges.insert(contentsOf: range) }
      state.hasCopies = state.hasCopies || !ranges.isEmpty
      state.equal = []
      return ranges
    }
  }

  /// Completes `output`, once all blocks are written. Returns the status of the file at its place if
  /// that has the same bytes and needn't be replaced.
  func complete(_ output: borrowing AtomicOutput) throws(SystemError) -> FileStatus? {
    guard let before = oldStatus else { return nil }
    if !differs.load(ordering: .relaxed), before.size == container.packedSize,
      let now = try? FileStatus.following(output.place), now.version == before.version,
      now.identity == before.identity
    {
      return before
    }
    try output.copy(takeEqual(), from: old)
    if !state.withLock(\.hasCopies) { return nil }
    // If it was changed after it was compared, so was the copy.
    let now = try output.destination.attempt(.lookUp, old?.status())
    if now?.size != before.size || now?.modified != before.modified {
      throw SystemError(.replace, output.destination, code: .changed)
    }
    return nil
  }

  /// The output, once all blocks are written; nil if it was taken before. If it isn't taken, it is
  /// discarded with the pack.
  package func takeOutput() -> AtomicOutput? { output.take() }
}

extension AtomicOutput {
  fileprivate func copy(
    _ ranges: RangeSet<UInt64>, from old: borrowing FileDescriptor?
  ) throws(SystemError) {
    for range in ranges.ranges { try old?.copy(range, to: self) }
  }

  /// The regular file at the destination, open for reading; nil if there is none.
  fileprivate func oldFile() -> FileDescriptor? {
    guard !isStream, let file = try? FileDescriptor.reading(place),
      (try? file.status().kind) == .file
    else { return nil }
    return file
  }
}

extension FileDescriptor {
  /// Whether the file has these bytes at `offset`.
  fileprivate func has(_ bytes: RawSpan, at offset: UInt64) throws(Errno) -> Bool {
    let buffer = try Buffer(size: min(bytes.byteCount, 1 << 18))
    var done = 0
    while done < bytes.byteCount {
      let count = min(bytes.byteCount - done, 1 << 18)
      // SAFETY: `read` stays within the buffer.
      let received = try unsafe read(
        into: buffer[..<count], atLeast: count, at: offset + UInt64(done))
      let part = bytes.extracting(done..<(done + count))
      guard received == count, buffer.withSpan(..<count, { $0.isEqual(to: part) }) else {
        return false
      }
      done += count
    }
    return true
  }
}
