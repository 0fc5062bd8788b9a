import CZlib

/// Compresses blocks into RFC 1950 streams, each complete in itself.
package struct Deflater: ~Copyable, BlockEncoder {
  private var stream: ZStream
  private let level: CInt
  private var probe: CompressibilityProbe?
  private var plan = BlockPlan()

  /// An encoder of `level` 1 (fast) to 9 (small). With `probe`, parts of a block that are hardly
  /// compressible take less time, or none. Fails with ``Errno/outOfMemory``.
  package init(level: Int, probe: consuming CompressibilityProbe?) throws(Errno) {
    stream = try ZStream(.deflate(level: CInt(level), windowBits: MAX_WBITS))
    self.level = CInt(level)
    self.probe = probe
  }

  /// Compresses `raw` into `output`, at most 4 GiB both; nil when it does not fit, or is not worth
  /// the time.
  package mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    unsafe probe?.plan(raw, &plan)
    guard plan.isWorthPacking, unsafe begin(output), unsafe deflateRuns(of: raw) else { return nil }
    return output.count - stream.room
  }

  /// Deflates each part of `raw` with the level that the plan has for it. The header states the full
  /// level, whatever comes first.
  private mutating func deflateRuns(of raw: UnsafeRawBufferPointer) -> Bool {
    var rest = unsafe raw[...]
    if !plan.runs.isEmpty {
      // Without input this writes the header only. With no flush at all, zlib 1.2.11 would not do
      // even that.
      _ = unsafe deflate(UnsafeRawBufferPointer(rebasing: raw[..<0]), Z_BLOCK)
    }
    for run in plan.runs {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(run.size))
      // Ends the deflate block of the last level, which may find the output full.
      guard stream.setLevel(level(run.effort)), unsafe deflate(part, Z_NO_FLUSH) == Z_OK
      else { return false }
      unsafe rest = rest.dropFirst(run.size)
    }
    return unsafe deflate(UnsafeRawBufferPointer(rebasing: rest), Z_FINISH) == Z_STREAM_END
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
  private mutating func begin(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    unsafe !output.isEmpty && stream.restart(into: output) && stream.setLevel(level)
      && stream.restart(into: output)
  }

  /// All of `bytes` go in, or the output is full and the result is no success.
  private mutating func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: CInt) -> CInt {
    let status = unsafe stream.deflate(bytes, flush)
    return stream.unreadInput == 0 ? status : Z_BUF_ERROR
  }
}
