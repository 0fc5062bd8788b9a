import LZFSE

/// Turns payloads of blocks into raw bytes, one after the other, with memory of its own: the state
/// of a decoder, made on first use, and a buffer for a payload.
package final class BlockLoader {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private var scratch: Buffer?
  private var zlib: Inflater?
  private var lzfse: LZFSE.Decoder?

  /// A loader for the blocks of `input`.
  package init(_ input: ArchiveInput, _ kind: ContainerKind) {
    self.input = input
    self.kind = kind
  }

  /// Reads the block at `place` from a file and leaves its raw bytes at the start of `buffer`, which
  /// holds at least the format's piece size.
  package func load(_ place: BlockPlace, into buffer: Buffer) throws(ArchiveError) {
    // In range: the cursor holds both sizes against the block size.
    let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<place.rawSize])
    guard !place.isStored else { return try unsafe read(place, into: raw) }
    let memory = takeScratch()
    let payload = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<place.storedSize])
    try unsafe read(place, into: payload)
    try unsafe decode(UnsafeRawBufferPointer(payload), place, into: raw)
  }

  /// Decodes the payload that stands at the start of `buffer`, and leaves the raw bytes there, in
  /// this buffer or in another of the same size that takes its place.
  package func decode(_ place: BlockPlace, in buffer: inout Buffer) throws(ArchiveError) {
    if place.isStored { return }
    let memory = takeScratch()
    let payload = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<place.storedSize])
    let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<place.rawSize])
    try unsafe decode(payload, place, into: raw)
    scratch = buffer
    buffer = memory
  }

  private func takeScratch() -> Buffer {
    let buffer = scratch ?? Buffer(size: kind.pieceSize)
    scratch = buffer
    return buffer
  }

  private func read(
    _ place: BlockPlace, into payload: UnsafeMutableRawBufferPointer
  ) throws(ArchiveError) {
    let count = try unsafe input.read(into: payload, at: place.payloadOffset)
    guard count == payload.count else { throw .damage(place.cut(after: count)) }
  }

  private func decode(
    _ payload: UnsafeRawBufferPointer, _ place: BlockPlace, into raw: UnsafeMutableRawBufferPointer
  ) throws(ArchiveError) {
    guard case .blocks(let algorithm, _) = kind else { return }
    if algorithm == .zlib, zlib == nil {
      zlib = Inflater()
      guard zlib != nil else {
        throw .system(SystemError("read", input.path, code: .outOfMemory))
      }
    }
    do throws(BlockDamage) {
      switch algorithm {
      case .zlib:
        try unsafe zlib?.decode(payload, into: raw)
      case .lzfse:
        if lzfse == nil { lzfse = LZFSE.Decoder() }
        do throws(LZFSE.Damage) {
          try unsafe lzfse?.decode(payload, into: raw)
        } catch {
          throw BlockDamage(.lzfse, "LZFSE: \(error.reason)", at: error.offset)
        }
      case .none:
        throw BlockDamage(
          .packedInNone, "a compressed block in a container that says it compresses nothing", at: 0)
      case .lz4, .lzma, .lzbitmap:
        throw BlockDamage(
          .unsupportedCodec,
          "blocks compressed with \(algorithm.name) can't be read; make the archive anew with zlib or LZFSE",
          at: 0)
      }
    } catch {
      let inside = error.offset > 0 ? " at byte \(grouped(error.offset)) of the payload" : ""
      throw .damage(place.damage(error.reason, error.description + inside))
    }
  }
}
