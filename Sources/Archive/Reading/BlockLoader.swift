import LZFSE

/// Decodes blocks one after the other, reusing its memory: the state of a decoder, and a payload
/// buffer that is allocated on first use.
package final class BlockLoader {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private let decoder: any BlockDecoder
  private var scratch: Buffer?

  /// A loader for the blocks of `input`.
  package init(_ input: ArchiveInput, _ kind: ContainerKind) throws(ArchiveError) {
    self.input = input
    self.kind = kind
    decoder = try input.reading { () throws(Errno) in try kind.makeDecoder() }
  }

  /// Reads the block at `place` from a file and decodes it to the start of `buffer`, whose size is
  /// at least the format's piece size.
  package func load(_ place: BlockPlace, into buffer: Buffer) throws(ArchiveError) {
    // In range: the cursor checks both sizes against the block size.
    let raw = unsafe buffer[..<place.rawSize]
    guard !place.isStored else { return try unsafe read(place, into: raw) }
    let payload = unsafe try takeScratch()[..<place.storedSize]
    try unsafe read(place, into: payload)
    try unsafe decode(UnsafeRawBufferPointer(payload), place, into: raw)
  }

  /// Decodes the payload at the start of `buffer` in place. `buffer` may be replaced with another
  /// of the same size.
  package func decode(_ place: BlockPlace, in buffer: inout Buffer) throws(ArchiveError) {
    if place.isStored { return }
    let memory = try takeScratch()
    let payload = unsafe UnsafeRawBufferPointer(buffer[..<place.storedSize])
    try unsafe decode(payload, place, into: memory[..<place.rawSize])
    scratch = buffer
    buffer = memory
  }

  private func takeScratch() throws(ArchiveError) -> Buffer {
    if let scratch { return scratch }
    let buffer = try input.makeBuffer(kind.pieceSize)
    scratch = buffer
    return buffer
  }

  private func read(
    _ place: BlockPlace, into payload: UnsafeMutableRawBufferPointer
  ) throws(ArchiveError) {
    let count = try unsafe input.read(into: payload, at: place.payloadOffset)
    guard count == payload.count else { throw input.error(place.cut(after: count)) }
  }

  private func decode(
    _ payload: UnsafeRawBufferPointer, _ place: BlockPlace, into raw: UnsafeMutableRawBufferPointer
  ) throws(ArchiveError) {
    do throws(BlockDamage) {
      try unsafe decoder.decode(payload, into: raw)
    } catch {
      var inside = place.archivePlace
      inside.payload = error.offset > 0 ? error.offset : nil
      throw input.error(ArchiveDamage(error.reason, error.detail, at: inside))
    }
  }
}

/// Decompresses blocks of LZFSE containers.
private final class LZFSEBlockDecoder: BlockDecoder {
  private var decoder: LZFSE.Decoder

  init() throws(Errno) { decoder = try LZFSE.Decoder.orOutOfMemory() }

  func decode(
    _ payload: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage) {
    try unsafe mapping(BlockDamage.init, decoder.decode(payload, into: raw))
  }
}

/// Rejects all blocks that aren't stored.
private final class RefusingDecoder: BlockDecoder {
  private let damage: BlockDamage

  init(_ damage: BlockDamage) { self.damage = damage }

  func decode(
    _ payload: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage) {
    throw damage
  }
}

extension ContainerKind {
  /// A decoder for the blocks of this kind of container.
  fileprivate func makeDecoder() throws(Errno) -> any BlockDecoder {
    // A bare stream has only stored blocks.
    guard case .blocks(let algorithm, _) = self else { return RefusingDecoder(.packedInNone) }
    switch algorithm {
    case .zlib: return try Inflater()
    case .lzfse: return try LZFSEBlockDecoder()
    case .none: return RefusingDecoder(.packedInNone)
    case .lz4, .lzma, .lzbitmap:
      return RefusingDecoder(
        BlockDamage(
          .unsupportedCodec,
          "blocks compressed with \(algorithm.name) can't be read; make the archive anew with zlib or LZFSE",
          at: 0))
    }
  }
}

extension BlockDamage {
  fileprivate static let packedInNone = BlockDamage(
    .packedInNone, "a compressed block in a container that says it compresses nothing", at: 0)
}
