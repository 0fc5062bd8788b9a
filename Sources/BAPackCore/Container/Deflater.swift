import CZlib

/// Compresses blocks into RFC 1950 streams, each complete in itself.
@safe package struct Deflater: ~Copyable, BlockEncoder {
  // zlib keeps a pointer to the stream in its state: it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// An encoder of `level` 1 (fast) to 9 (small); nil where there is no memory for its state.
  package init?(level: Int) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe deflateInit_(
      stream, CInt(level), ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
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

  /// Compresses `raw`, at most 4 GiB, into `output`; nil when it does not fit.
  package mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let count = UInt32(exactly: raw.count), let capacity = UInt32(exactly: output.count),
      unsafe deflateReset(stream) == Z_OK
    else { return nil }
    // zlib reads from `next_in` only, though its type does not say so.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: raw.assumingMemoryBound(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = count
    unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = capacity
    guard unsafe deflate(stream, Z_FINISH) == Z_STREAM_END else { return nil }
    return unsafe Int(capacity - stream.pointee.avail_out)
  }
}
