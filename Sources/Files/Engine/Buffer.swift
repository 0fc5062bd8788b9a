/// Memory for one block, at a fixed address.
@safe package final class Buffer: @unchecked Sendable {
  /// The bytes. Only the thread that owns the buffer may access them.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Uninitialized memory, aligned for any type. Fails with ``Errno/outOfMemory``.
  package init(size: Int) throws(Errno) {
    unsafe bytes = try systemAllocate(size)
  }

  deinit { unsafe systemFree(bytes) }

  /// A range of the bytes, which must be within bounds.
  package subscript(range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range.relative(to: bytes)])
  }
}
