/// Compares bytes with any part of an archive stream. Keeps the last decoded block.
package final class BlockCache {
  private let facts: ContainerFacts
  private let loader: BlockLoader
  private let buffer: Buffer
  private var held: BlockPlace?

  /// An empty cache.
  package init(_ input: ArchiveInput, _ facts: ContainerFacts) throws(ArchiveError) {
    self.facts = facts
    loader = try BlockLoader(input, facts.kind)
    buffer = try input.makeBuffer(facts.kind.pieceSize)
  }

  /// Whether the stream contains `bytes` at `offset`. It must be long enough.
  package func holds(_ bytes: RawSpan, at offset: UInt64) throws(ArchiveError) -> Bool {
    var done = 0
    while done < bytes.byteCount {
      let place = try load(offset + UInt64(done))
      let start = Int(offset + UInt64(done) - place.rawOffset)
      let count = min(bytes.byteCount - done, place.rawSize - start)
      // In range: both parts were clamped to the available bytes.
      let part = unsafe buffer[start..<start + count]
      guard unsafe part.bytes.isEqual(to: bytes.extracting(done..<done + count)) else {
        return false
      }
      done += count
    }
    return true
  }

  private func load(_ offset: UInt64) throws(ArchiveError) -> BlockPlace {
    if let held, held.rawRange.contains(offset) { return held }
    held = nil
    let place = facts.block(holding: offset)
    try loader.load(place, into: buffer)
    held = place
    return place
  }
}
