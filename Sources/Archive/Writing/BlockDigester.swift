/// Computes digests of blocks on several threads, without compressing anything.
package struct BlockDigester: Sendable {
  /// The number of threads.
  let jobs: Int
  /// Called after each block with the number of bytes read so far.
  let progress: @Sendable (UInt64) -> Void

  /// Digests computed on `jobs` threads.
  package init(jobs: Int, progress: @escaping @Sendable (UInt64) -> Void) {
    self.jobs = jobs
    self.progress = progress
  }

  /// A block of an archive stream.
  package struct Block: Sendable {
    /// The index of the stream.
    package let stream: Int
    /// The index of the block in the stream.
    package let number: Int

    package init(stream: Int, number: Int) {
      self.stream = stream
      self.number = number
    }
  }

  /// An archive stream that can be read by several threads.
  package final class Stream: Sendable {
    package let source: ArchiveSource

    /// The stream of `layout`, with files below `root`.
    package init(_ layout: ArchiveLayout, root: BytePath) throws(PackagingError) {
      source = try ArchiveSource(layout, root: root)
    }

    /// All blocks of the stream, which has the index `number`.
    package func blocks(_ number: Int) -> [Block] {
      (0..<source.layout.blockCount).map { Block(stream: number, number: $0) }
    }

    fileprivate func range(_ block: Int) -> Range<UInt64> {
      let start = UInt64(block) * UInt64(ContainerFormat.blockSize)
      return start..<min(start + UInt64(ContainerFormat.blockSize), source.layout.size)
    }
  }

  /// The digests of `blocks` of `streams`, in the same order.
  package func digests(
    of blocks: [Block], in streams: [Stream]
  ) -> [Result<[UInt8], PackagingError>] {
    let done = Monitor(UInt64(0))
    return forEach(blocks.count) { index, buffer throws(PackagingError) in
      let stream = streams[blocks[index].stream]
      let range = stream.range(blocks[index].number)
      try unsafe stream.source.read(range, into: buffer.bytes)
      let digest = unsafe SHA256.digest(of: buffer[..<range.count])
      progress(
        done.withLock { done in
          done += UInt64(range.count)
          return done
        })
      return digest
    }
  }

  /// The digests of the digests of the blocks in the packs at `paths`, which must have these sizes;
  /// nil for files that this program didn't write, or that can't be read, which are made again.
  package func packedDigests(
    of packs: [(path: BytePath, size: UInt64)], _ compression: Compression
  ) -> [[UInt8]?] {
    let header = ContainerFormat.header(compression.algorithm)
    let found = forEach(packs.count) { index, buffer throws(PackagingError) in
      let (path, size) = packs[index]
      return try mapping(
        { PackagingError.system(SystemError(.read, path, code: $0)) },
        packedDigest(of: path, size: size, header, buffer))
    }
    return found.map { (try? $0.get()) ?? nil }
  }

  private func packedDigest(
    of path: BytePath, size: UInt64, _ start: [UInt8], _ buffer: Buffer
  ) throws(Errno) -> [UInt8]? {
    let file = try FileDescriptor.reading(path)
    guard try file.status().size == size else { return nil }
    var digests = SHA256()
    let found = unsafe buffer[..<start.count]
    guard try unsafe file.read(into: found, atLeast: start.count, at: 0) == start.count,
      unsafe found.elementsEqual(start)
    else { return nil }
    var offset = UInt64(start.count)
    let headerSize = ContainerFormat.blockHeaderSize
    while offset < size {
      if Interruption.pending != nil { return nil }
      let header = unsafe buffer[..<headerSize]
      guard
        try unsafe file.read(into: header, atLeast: headerSize, at: offset) == headerSize
      else { return nil }
      let stored = unsafe integer(bigEndian: header.suffix(8))
      guard stored <= ContainerFormat.blockSize else { return nil }
      let body = unsafe buffer[headerSize..<headerSize + Int(stored)]
      guard
        try unsafe file.read(
          into: body, atLeast: body.count, at: offset + UInt64(headerSize)) == body.count
      else { return nil }
      digests.update(unsafe SHA256.digest(of: buffer[..<(headerSize + body.count)]))
      offset += UInt64(headerSize + body.count)
    }
    return offset == size ? digests.finalize() : nil
  }

  /// Calls `body` for the numbers below `count`, each with a buffer owned by the thread.
  private func forEach<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int, Buffer) throws(PackagingError) -> Value
  ) -> [Result<Value, PackagingError>] {
    // Items that no thread had memory for keep their initial result.
    let shared = Monitor(
      (
        next: 0,
        results: [Result<Value, PackagingError>](
          repeating: .failure(.outOfMemory), count: count)
      ))
    if count == 0 { return [] }
    onThreads(min(jobs, count)) {
      // Items that no thread claims are reported as out of memory.
      guard let buffer = try? Buffer(size: blockBufferSize) else { return }
      while true {
        let index = shared.withLock { shared in
          defer { shared.next += 1 }
          return shared.next
        }
        guard index < count else { return }
        let result: Result<Value, PackagingError>
        do throws(PackagingError) {
          if let signal = Interruption.pending { throw .interrupted(signal: signal) }
          result = .success(try body(index, buffer))
        } catch {
          result = .failure(error)
        }
        shared.withLock { $0.results[index] = result }
      }
    }
    return shared.withLock { $0.results }
  }
}

/// The digests of a block: of its part of the archive stream, and of its bytes in the container.
struct BlockDigests: Sendable {
  let raw: [UInt8]
  package let packed: [UInt8]
}

/// The digests of the blocks of a pack.
package struct StreamDigests: Sendable {
  /// One for each block of the archive stream.
  package private(set) var blocks: [[UInt8]] = []
  private var packedBlocks = SHA256()

  mutating func append(_ block: BlockDigests) {
    blocks.append(block.raw)
    packedBlocks.update(block.packed)
  }

  /// The digest of the digests of all blocks in the container.
  package var packed: [UInt8] { packedBlocks.finalize() }
}

extension SHA256 {
  /// The digest of `buffer`.
  static func digest(of buffer: UnsafeMutableRawBufferPointer) -> [UInt8] {
    var digest = SHA256()
    digest.update(unsafe buffer.bytes)
    return digest.finalize()
  }
}

extension ArchiveLayout {
  /// The number of blocks in the stream.
  package var blockCount: Int {
    Int((size + UInt64(ContainerFormat.blockSize) - 1) / UInt64(ContainerFormat.blockSize))
  }
}
