import BAArchive

/// The uncompressed blocks of a pack made with `--compression store`, some of them in memory at a
/// time.
struct StoredPack: ~Copyable {
  private let file: FileDescriptor
  private let path: BytePath
  private var offset: UInt64

  init(_ path: BytePath) throws {
    file = try .reading(path)
    self.path = path
    offset = UInt64(ContainerFormat.header(.lzfse).count)
  }

  /// Reads as many of the next blocks as there are buffers, each to the position that a packer
  /// expects, and returns their uncompressed sizes; empty at the end.
  mutating func load(into buffers: [Buffer]) throws -> [Int] {
    var sizes: [Int] = []
    while sizes.count < buffers.count {
      let bytes = unsafe buffers[sizes.count].bytes
      let headerSize = ContainerFormat.blockHeaderSize
      let header = try unsafe read(headerSize, into: bytes)
      if header == 0 { break }
      let raw = unsafe Int(bytes.loadUnaligned(as: UInt64.self).bigEndian)
      let stored = unsafe Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian)
      guard header == headerSize, raw == stored, raw <= ContainerFormat.blockSize else {
        throw NotStored(path: path)
      }
      let body = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[headerSize...])
      guard try unsafe read(raw, into: body) == raw else { throw NotStored(path: path) }
      sizes.append(raw)
    }
    return sizes
  }

  private mutating func read(_ count: Int, into bytes: UnsafeMutableRawBufferPointer) throws -> Int
  {
    let exactly = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    let received = try unsafe file.read(into: exactly, atLeast: count, at: offset)
    offset += UInt64(received)
    return received
  }
}

/// The file is not a pack of stored blocks.
struct NotStored: Error, CustomStringConvertible {
  let path: BytePath
  var description: String { "'\(path)' is no pack made with --compression store" }
}
