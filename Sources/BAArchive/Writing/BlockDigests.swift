extension Packager {
  /// The digests of numbered blocks of archive streams, in the same order, computed without
  /// compressing anything.
  package func digests(
    of blocks: [(source: ArchiveSource, number: Int)]
  ) -> [Result<[UInt8], any Error>] {
    return onBlockBuffers(blocks.count) { [progress] index, buffer in
      let (source, number) = blocks[index]
      let range = source.layout.block(number)
      // SAFETY: a block and one more byte fit in the buffer.
      try unsafe source.read(range, into: buffer.bytes)
      let digest = buffer.digest(0..<range.count)
      progress(range.count, nil)
      return digest
    }
  }

  /// The digests of the digests of the blocks in `packs`, which must have these sizes and
  /// compressions; nil for files that this program didn't write, or that can't be read, which are
  /// made again.
  package func packedDigests(
    of packs: [(path: BytePath, size: UInt64, compression: Compression)?]
  ) -> [[UInt8]?] {
    let found = onBlockBuffers(packs.count) { index, buffer in
      packs[index].flatMap { pack in
        try? packedDigest(
          of: pack.path, size: pack.size, pack.compression.codec.algorithm, buffer)
      }
    }
    return found.map { (try? $0.get()) ?? nil }
  }

  /// Calls `body` for the numbers below `count` on several threads, each with a buffer.
  private func onBlockBuffers<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int, Buffer) throws -> Value
  ) -> [Result<Value, any Error>] {
    let results = mapOnThreads(
      count, share: 1, jobs: jobs, worker: { try? Buffer(size: blockBufferSize) }
    ) { index, buffer in
      Result {
        try Interrupted.check("nothing was written")
        return try body(index, buffer)
      }
    }
    return results ?? Array(repeating: .failure(PackagingError.outOfMemory), count: count)
  }
}

/// The digest of the digests of the blocks in the pack at `path`; nil if it isn't one of `size`
/// bytes that this program would write.
private func packedDigest(
  of path: BytePath, size: UInt64, _ algorithm: Algorithm, _ buffer: Buffer
) throws -> [UInt8]? {
  let input = try ArchiveInput(path)
  let kind = ContainerKind.blocks(algorithm, blockSize: ContainerFormat.blockSize)
  guard input.size == size, try ContainerKind(input.start) == kind else { return nil }
  var cursor = BlockCursor(input, kind, rawLimit: .max)
  var digests = SHA256()
  while let place = try cursor.next() {
    if Interruption.isPending { return nil }
    let count = place.headerSize + place.storedSize
    guard try input.read(into: buffer, count, at: place.fileOffset) == count else { return nil }
    digests.update(buffer.digest(0..<count))
  }
  return digests.finalize()
}

package struct StreamDigests: Sendable {
  /// One for each block of the archive stream.
  package private(set) var blocks: [[UInt8]] = []
  private var packedBlocks = SHA256()

  mutating func append(_ block: (raw: [UInt8], packed: [UInt8])) {
    blocks.append(block.raw)
    packedBlocks.update(block.packed)
  }

  /// The digest of the digests of all blocks in the container.
  package var packed: [UInt8] { packedBlocks.finalize() }
}

extension Buffer {
  func digest(_ range: Range<Int>) -> [UInt8] {
    var digest = SHA256()
    withSpan(range) { digest.update($0) }
    return digest.finalize()
  }
}

extension ArchiveLayout {
  package var blockCount: Int {
    Int((size + UInt64(ContainerFormat.blockSize) - 1) / UInt64(ContainerFormat.blockSize))
  }

  /// The part of the stream in the block with this number.
  package func block(_ number: Int) -> Range<UInt64> {
    let start = UInt64(number) * UInt64(ContainerFormat.blockSize)
    return start..<min(start + UInt64(ContainerFormat.blockSize), size)
  }
}
