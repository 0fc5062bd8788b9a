import CBAZlib

/// Compresses blocks into separate zlib streams (RFC 1950).
package final class Deflater: BlockEncoder {
  private var stream: ZStream
  private let level: CInt
  private var probe: CompressibilityProbe?

  /// An encoder for `level` 1 (fast) to 9 (small). With `probe`, nearly incompressible parts of a
  /// block take less time, or none.
  package init(level: Int, probe: consuming CompressibilityProbe?) throws(Errno) {
    stream = try ZStream(.deflate(level: CInt(level), windowBits: MAX_WBITS))
    self.level = CInt(level)
    self.probe = probe
  }

  /// Both are at most 4 GiB.
  package func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    // SAFETY: both are only used during this call.
    let plan = unsafe probe?.plan(raw) ?? BlockPlan()
    guard plan.isWorthPacking, unsafe begin(output), unsafe deflate(raw, plan) else { return nil }
    return output.count - stream.room
  }

  /// Deflates each part of `raw` at the level of the plan. The header states the requested level,
  /// whatever comes first.
  private func deflate(_ raw: UnsafeRawBufferPointer, _ plan: BlockPlan) -> Bool {
    // SAFETY: the runs have the size of `raw` together.
    var rest = unsafe raw[...]
    if !plan.runs.isEmpty {
      // Without input this writes only the header. Without a flush, zlib 1.2.11 would not write
      // even that.
      _ = unsafe deflate(UnsafeRawBufferPointer(rebasing: raw[..<0]), Z_BLOCK)
    }
    for run in plan.runs {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(run.size))
      // Changing the level ends the last deflate block, for which there may be no room.
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

  /// Resets the stream. The last block may have left another level, and input that didn't fit. Up
  /// to zlib 1.2.11, a change of level flushes even right after a reset: it is given the output to
  /// do so, and the stream is reset again afterwards.
  private func begin(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    unsafe !output.isEmpty && stream.restart(into: output) && stream.setLevel(level)
      && stream.restart(into: output)
  }

  /// Deflates all of `bytes`; any result but success means that the output is full.
  private func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: CInt) -> CInt {
    let status = unsafe stream.process(bytes, flush)
    return stream.unreadInput == 0 ? status : Z_BUF_ERROR
  }
}
