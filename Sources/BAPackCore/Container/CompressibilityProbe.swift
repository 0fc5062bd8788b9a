import CZlib

/// Tells from a few samples of a block whether compressing it is worth the time.
///
/// Most of a game's bytes are compressed already (PNG, JPEG, Ogg), and deflating them is most of
/// the work of a pack, for nothing: the format's own rule stores a block that does not shrink by
/// more than a sixteenth. The probe deflates samples, spread evenly over the block, as one stream
/// at level 1, and has the block stored at once when that saves next to nothing.
@safe struct CompressibilityProbe: ~Copyable {
  /// Samples of a block.
  static let samples = 8
  /// Bytes of a sample.
  static let sampleSize = 4096
  /// Blocks up to this size are always compressed: the samples would be most of them.
  static let smallestBlock = 4 * samples * sampleSize

  private let stream: UnsafeMutablePointer<z_stream>
  private let output = Buffer(size: samples * sampleSize)

  /// Nil where there is no memory.
  init?() {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe deflateInit2_(
      stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Whether compression may save more than a sixteenth of `raw`.
  mutating func isWorthCompressing(_ raw: UnsafeRawBufferPointer) -> Bool {
    guard raw.count >= Self.smallestBlock, unsafe deflateReset(stream) == Z_OK else { return true }
    let limit = Self.samples * Self.sampleSize * 31 / 32
    unsafe stream.pointee.next_out = output.bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = UInt32(limit)
    for sample in 0..<Self.samples {
      let start = (raw.count - Self.sampleSize) / (Self.samples - 1) * sample
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: raw[start..<(start + Self.sampleSize)])
      // zlib reads from `next_in` only, though its type does not say so.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      let isLast = sample == Self.samples - 1
      let status = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      if isLast { return status == Z_STREAM_END }
      if unsafe stream.pointee.avail_out == 0 { return false }
    }
    return true
  }
}
