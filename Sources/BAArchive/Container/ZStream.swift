import CBAZlib

/// A zlib stream, created once and reset for every use.
///
/// SAFETY: zlib keeps a pointer to the stream in its state, so the stream stays at one address of the
/// heap, which only this value has. Input and output are set with their sizes; the caller keeps them
/// alive until the call returns, or, for the output, until it is replaced.
///
/// How the return values of zlib's functions are handled:
///
/// - `Z_OK`: done, or there is more to do.
/// - `Z_STREAM_END`: the stream is complete.
/// - `Z_BUF_ERROR`: out of input or room, see ``unreadInput`` and ``room``.
/// - `Z_DATA_ERROR`: the input can't be inflated; ``message`` says why.
/// - `Z_NEED_DICT`: never, since only raw deflate data is inflated.
/// - `Z_MEM_ERROR`: only ``init(_:)``, which throws, and `inflate` allocate: that of zlib 1.2.11.
/// - `Z_STREAM_ERROR`, `Z_VERSION_ERROR`: a bug in the caller, or a zlib that doesn't match the
///   header it was compiled with.
@safe struct ZStream: ~Copyable {
  enum Use {
    /// Deflating, with a window of 2 to the power of `windowBits`; a negative number omits the
    /// header and checksum.
    case deflate(level: CInt, windowBits: CInt)
    case inflate
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let inflates: Bool

  /// Fails with ``Errno/outOfMemory``, the only error that isn't a bug in the caller.
  init(_ use: Use) throws(Errno) {
    // zlib itself allocates with `malloc`, which tests can't make fail.
    let memory = unsafe try systemAllocate(MemoryLayout<z_stream>.size)
    guard let stream = unsafe memory.bindMemory(to: z_stream.self).baseAddress else {
      throw .outOfMemory
    }
    unsafe stream.initialize(to: z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    let status: CInt
    let inflates: Bool
    switch use {
    case .deflate(let level, let windowBits):
      inflates = false
      // 8 is the memory level of `deflateInit`.
      status = unsafe deflateInit2_(
        stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    case .inflate:
      inflates = true
      status = unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size)
    }
    guard status == Z_OK else {
      unsafe systemFree(memory)
      throw .outOfMemory
    }
    self.inflates = inflates
    unsafe self.stream = stream
  }

  deinit {
    if inflates { unsafe inflateEnd(stream) } else { unsafe deflateEnd(stream) }
    unsafe systemFree(UnsafeMutableRawBufferPointer(start: stream, count: 1))
  }

  /// The number of input bytes that were not read.
  var unreadInput: Int { unsafe Int(stream.pointee.avail_in) }
  /// The number of output bytes that were not written.
  var room: Int { unsafe Int(stream.pointee.avail_out) }
  /// zlib's message for the last error.
  var message: String? { unsafe stream.pointee.msg.map { unsafe String(cString: $0) } }

  /// Resets the stream, with `output` to write to and no input; false if `output` has 4 GiB or
  /// more.
  mutating func restart(into output: UnsafeMutableRawBufferPointer) -> Bool {
    unsafe stream.pointee.avail_in = 0
    return unsafe setOutput(output)
      && (inflates ? inflateReset(stream) : deflateReset(stream)) == Z_OK
  }

  /// Replaces the output so far; false if `output` has 4 GiB or more.
  private mutating func setOutput(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    guard let count = UInt32(exactly: output.count) else { return false }
    unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = count
    return true
  }

  /// Deflates or inflates `input` as far as there is room. With `Z_FINISH`, the stream ends with it.
  mutating func process(_ input: UnsafeRawBufferPointer, _ flush: CInt) -> CInt {
    guard let count = UInt32(exactly: input.count) else { return Z_BUF_ERROR }
    // zlib only reads from `next_in`, though its type isn't const.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = count
    return unsafe inflates ? inflate(stream, flush) : deflate(stream, flush)
  }

  /// Changes the level, after flushing pending data. False if there is no room for that.
  mutating func setLevel(_ level: CInt) -> Bool {
    unsafe deflateParams(stream, level, Z_DEFAULT_STRATEGY) == Z_OK
  }
}

/// The version of zlib that is loaded: `1.2.13`, or `1.3.1.zlib-ng`.
// SAFETY: zlib returns a constant string.
package let loadedZlib = unsafe zlibVersion().map { unsafe String(cString: $0) } ?? ""
