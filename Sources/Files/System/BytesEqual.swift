extension RawSpan {
  /// Whether both have the same bytes: `memcmp(3)`.
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
}
