extension RawSpan {
  package func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    // SAFETY: both are read only within the closures and within their own counts; an empty span may
    // have no address.
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return unsafe systemCompare(left, right, byteCount) == 0
      }
    }
  }
}

extension [UInt8] {
  package mutating func append(_ bytes: RawSpan) {
    // SAFETY: the pointer is used within the closure, and only to copy from it.
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// The array's own `span` needs macOS 26.
  package func withRawSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: bytes have no padding that could be read, and the span ends with the closure.
    try unsafe withUnsafeBufferPointer { (buffer) throws(Failure) in
      try unsafe body(buffer.span.bytes)
    }
  }
}
