import CZlib

/// The state of one of zlib's streams, made once and reset for every use.
///
/// zlib keeps a pointer to the stream in its state, so it stays at one address.
///
/// What zlib's functions return, and what becomes of it here:
///
/// - `Z_OK`: done, or there is more to do.
/// - `Z_STREAM_END`: the stream is complete.
/// - `Z_BUF_ERROR`: no input or no room is left; ``unreadInput`` and ``room`` tell which.
/// - `Z_DATA_ERROR`: the input can't be inflated; ``message`` says why.
/// - `Z_NEED_DICT`: never, since only raw deflate data is inflated.
/// - `Z_MEM_ERROR`: only ``init(_:)``, which throws, and `inflate` allocate: zlib 1.2.11's, and where a
///   stream comes in parts.
/// - `Z_STREAM_ERROR`, `Z_VERSION_ERROR`: a mistake of the caller, or another zlib than the one whose
///   header was compiled.
@safe struct ZStream: ~Copyable {
  enum Use {
    /// Deflating, with a window of 2 to the power of `windowBits`; a negative number leaves header
    /// and checksum out.
    case deflate(level: CInt, windowBits: CInt)
    /// Inflating raw deflate data.
    case inflate
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let inflates: Bool

  /// Fails with ``Errno/outOfMemory``, the only error that a caller can be no reason for.
  init(_ use: Use) throws(Errno) {
    // zlib allocates by `malloc`, which tests can't make fail.
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
      // 8 is what `deflateInit` has for its use of memory.
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

  /// Bytes of the input that were not read.
  var unreadInput: Int { unsafe Int(stream.pointee.avail_in) }
  /// Bytes of the output that were not written.
  var room: Int { unsafe Int(stream.pointee.avail_out) }
  /// What zlib says of the last error.
  var message: String? { unsafe stream.pointee.msg.map { unsafe String(cString: $0) } }

  /// Starts anew, with all of `output` to write to and nothing to read; false where `output` has
  /// 4 GiB or more.
  mutating func restart(into output: UnsafeMutableRawBufferPointer) -> Bool {
    guard let count = UInt32(exactly: output.count) else { return false }
    unsafe stream.pointee.avail_in = 0
    unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = count
    return unsafe (inflates ? inflateReset(stream) : deflateReset(stream)) == Z_OK
  }

  /// Deflates all of `input`, as far as there is room.
  mutating func deflate(_ input: UnsafeRawBufferPointer, _ flush: CInt) -> CInt {
    guard unsafe setInput(input) else { return Z_BUF_ERROR }
    return unsafe CZlib.deflate(stream, flush)
  }

  /// Inflates `input`, which must hold the whole stream.
  mutating func inflate(_ input: UnsafeRawBufferPointer) -> CInt {
    guard unsafe setInput(input) else { return Z_BUF_ERROR }
    return unsafe CZlib.inflate(stream, Z_FINISH)
  }

  /// Starts anew, with nothing to read and nothing to write to; false if that failed.
  mutating func restart() -> Bool {
    unsafe stream.pointee.avail_in = 0
    unsafe stream.pointee.avail_out = 0
    return unsafe (inflates ? inflateReset(stream) : deflateReset(stream)) == Z_OK
  }

  /// Inflates the next part of a stream as far as it goes, and hands on what comes of it, in parts
  /// that fit in `output`, until `receive` returns false.
  mutating func inflate(
    part input: UnsafeRawBufferPointer, by output: UnsafeMutableRawBufferPointer,
    _ receive: (UnsafeRawBufferPointer) -> Bool
  ) -> CInt {
    guard unsafe setInput(input) else { return Z_BUF_ERROR }
    while true {
      unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      let count = output.count - room
      if count > 0, unsafe !receive(UnsafeRawBufferPointer(rebasing: output[..<count])) {
        return status
      }
      // With room left, all input was read.
      if status != Z_OK || room > 0 { return status }
    }
  }

  /// Changes the level; what was deflated before is flushed. False where there is no room for that.
  mutating func setLevel(_ level: CInt) -> Bool {
    unsafe deflateParams(stream, level, Z_DEFAULT_STRATEGY) == Z_OK
  }

  private func setInput(_ input: UnsafeRawBufferPointer) -> Bool {
    guard let count = UInt32(exactly: input.count) else { return false }
    // zlib reads from `next_in` only, though its type does not say so.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = count
    return true
  }
}
