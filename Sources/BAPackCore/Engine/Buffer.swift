/// Memory for one block, at one address from the first use to the last.
@safe package final class Buffer: @unchecked Sendable {
  /// The bytes. Only the thread that holds the buffer may touch them.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Uninitialized memory, aligned for any type. Fails with ``Errno/outOfMemory`` where the system
  /// refuses it.
  package init(size: Int) throws(Errno) {
    unsafe bytes = try systemAllocate(size)
  }

  deinit { unsafe systemFree(bytes) }

  /// A part of the bytes, which must be in range.
  package subscript(range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range.relative(to: bytes)])
  }
}
