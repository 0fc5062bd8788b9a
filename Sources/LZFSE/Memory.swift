extension LZFSE {
  /// A fixed number of elements that live as long as their owner: the working memory of the inner
  /// loops, made once and used for every block.
  ///
  /// Safe to own; each use of `start` is unsafe and says there why it stays within `count`.
  @safe struct Memory<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
      unsafe start = .allocate(capacity: count)
      unsafe start.initialize(repeating: element, count: count)
      self.count = count
    }

    deinit { unsafe start.deallocate() }
  }
}

extension RawSpan {
  /// The little-endian integer at `offset`, which must be inside: that is checked.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Integer.Type = Integer.self
  ) -> Integer {
    // Any bytes are an integer, and the load itself checks its bounds.
    Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}
