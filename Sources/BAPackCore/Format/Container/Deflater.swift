import CZlib

/// Compresses blocks into RFC 1950 streams, each complete in itself.
@safe package struct Deflater: ~Copyable, BlockEncoder {
  // zlib keeps a pointer to the stream in its state: it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: CInt

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
    self.level = CInt(level)
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses `raw` into `output`, at most 4 GiB both; nil when it does not fit.
  package mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard unsafe begin(output), unsafe deflate(raw, Z_FINISH) == Z_STREAM_END else { return nil }
    return unsafe size(output)
  }

  /// The same with the level that `plan` has for each part of `raw`. The header tells of the full
  /// level, whatever comes first.
  package mutating func encode(
    _ raw: UnsafeRawBufferPointer, _ plan: BlockPlan,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard unsafe begin(output) else { return nil }
    // Without input this writes the header only. With no flush at all, zlib 1.2.11 would not do even
    // that.
    _ = unsafe deflate(raw[..<0], Z_BLOCK)
    var rest = unsafe raw[...]
    for run in plan.runs {
      // Ends the deflate block of the last level, which may find the output full.
      guard unsafe deflateParams(stream, level(run.effort), Z_DEFAULT_STRATEGY) == Z_OK,
        unsafe deflate(rest.prefix(run.size), Z_NO_FLUSH) == Z_OK
      else { return nil }
      unsafe rest = rest.dropFirst(run.size)
    }
    guard unsafe deflate(rest, Z_FINISH) == Z_STREAM_END else { return nil }
    return unsafe size(output)
  }

  private func level(_ effort: BlockPlan.Effort) -> CInt {
    switch effort {
    case .none: 0
    case .fast: 1
    case .full: level
    }
  }

  /// The last block may have left another level, and input that did not fit. Up to zlib 1.2.11, a
  /// change of level flushes even right after a reset: it gets the output to do so, and its traces
  /// are reset in their turn.
  private func begin(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    guard let capacity = UInt32(exactly: output.count), capacity > 0 else { return false }
    unsafe stream.pointee.avail_in = 0
    return unsafe reset(output, capacity)
      && deflateParams(stream, level, Z_DEFAULT_STRATEGY) == Z_OK && reset(output, capacity)
  }

  private func reset(_ output: UnsafeMutableRawBufferPointer, _ capacity: UInt32) -> Bool {
    unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = capacity
    return unsafe deflateReset(stream) == Z_OK
  }

  /// All of `bytes` go in, or the output is full and the result is no success.
  private func deflate(_ bytes: Slice<UnsafeRawBufferPointer>, _ flush: CInt) -> CInt {
    unsafe deflate(UnsafeRawBufferPointer(rebasing: bytes), flush)
  }

  private func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: CInt) -> CInt {
    guard let count = UInt32(exactly: bytes.count) else { return Z_BUF_ERROR }
    // zlib reads from `next_in` only, though its type does not say so.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = count
    let status = unsafe CZlib.deflate(stream, flush)
    return unsafe stream.pointee.avail_in == 0 ? status : Z_BUF_ERROR
  }

  private func size(_ output: UnsafeMutableRawBufferPointer) -> Int {
    unsafe output.count - Int(stream.pointee.avail_out)
  }
}
