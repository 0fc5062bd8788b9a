/// Decodes blocks one after the other, reusing its memory: the state of a decoder, and a payload
/// buffer that is allocated on first use.
package final class BlockLoader {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private let decoder: (any BlockDecoder)?
  private var scratch: Buffer?

  package init(_ input: ArchiveInput, _ kind: ContainerKind) throws(Errno) {
    self.input = input
    self.kind = kind
    let codec = Codec.allCases.first { codec in
      if case .blocks(codec.algorithm, _) = kind { true } else { false }
    }
    decoder = try codec?.makeDecoder()
  }

  /// Reads the block at `place` from a file and decodes it to the start of `buffer`, whose size is
  /// at least the format's piece size.
  package func load(_ place: BlockPlace, into buffer: Buffer) throws {
    let target = place.isStored ? buffer : try takeScratch()
    let count = try input.read(into: target, place.storedSize, at: place.payloadOffset)
    guard count == place.storedSize else { throw place.cut(after: count) }
    if !place.isStored { try decode(target, place, into: buffer) }
  }

  /// Decodes the payload at the start of `buffer` in place. `buffer` may be replaced with another
  /// of the same size.
  package func decode(_ place: BlockPlace, in buffer: inout Buffer) throws {
    if place.isStored { return }
    let memory = try takeScratch()
    try decode(buffer, place, into: memory)
    scratch = buffer
    buffer = memory
  }

  private func takeScratch() throws -> Buffer {
    if let scratch { return scratch }
    guard let buffer = try? Buffer(size: kind.pieceSize) else { throw outOfMemory }
    scratch = buffer
    return buffer
  }

  private func decode(
    _ source: Buffer, _ place: BlockPlace, into target: Buffer
  ) throws(ArchiveDamage) {
    // SAFETY: the buffers check the ranges, and are not the same.
    let payload = unsafe UnsafeRawBufferPointer(source[..<place.storedSize])
    let raw = unsafe target[..<place.rawSize]
    if let decoder { return try unsafe decoder.decode(payload, of: place, into: raw) }
    switch kind {
    case .bare, .blocks(.none, _):
      throw place.damage(
        .packedInNone, "a compressed block in a container that says it compresses nothing")
    case .blocks(let algorithm, _):
      throw place.damage(
        .unsupportedCodec,
        "blocks compressed with \(algorithm.name) can't be read; make the archive anew with "
          + listed(Codec.withLevels.map(\.algorithm.name), "or"))
    }
  }
}

/// Compares bytes with any part of an archive stream. Keeps the last decoded block.
package final class BlockCache {
  private let input: ArchiveInput
  private let facts: ContainerFacts
  private let loader: BlockLoader
  private let buffer: Buffer
  private var held: BlockPlace?

  package init(_ input: ArchiveInput, _ facts: ContainerFacts) throws(Errno) {
    self.input = input
    self.facts = facts
    loader = try BlockLoader(input, facts.kind)
    buffer = try Buffer(size: facts.kind.pieceSize)
  }

  /// Whether the stream contains `bytes` at `offset`. It must be long enough.
  package func contains(_ bytes: RawSpan, at offset: UInt64) throws -> Bool {
    var done = 0
    while done < bytes.byteCount {
      let place = try load(offset + UInt64(done))
      let start = Int(offset + UInt64(done) - place.rawOffset)
      let count = min(bytes.byteCount - done, place.rawSize - start)
      let part = bytes.extracting(done..<done + count)
      guard buffer.withSpan(start..<start + count, { $0.isEqual(to: part) }) else { return false }
      done += count
    }
    return true
  }

  private func load(_ offset: UInt64) throws -> BlockPlace {
    if let held, held.rawRange.contains(offset) { return held }
    held = nil
    let place = facts.block(holding: offset)
    do {
      try loader.load(place, into: buffer)
    } catch let damage as ArchiveDamage {
      throw input.error(damage)
    }
    held = place
    return place
  }
}
