extension LZFSE {
  /// Counts bytes. Four counters for each value keep a repeated byte from waiting for itself.
  struct Histogram: ~Copyable {
    private let counters = Memory<UInt32>(repeating: 0, count: 4 * 256)

    /// How often each byte value occurs among `count` bytes, a multiple of 4.
    @unsafe func counts(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> [UInt32] {
      // A byte is below 256, and each of the four counters has 256 places.
      let counters = unsafe self.counters.start
      unsafe counters.update(repeating: 0, count: self.counters.count)
      var index = 0
      while index < count {
        unsafe counters[Int(bytes[index])] &+= 1
        unsafe counters[256 &+ Int(bytes[index &+ 1])] &+= 1
        unsafe counters[512 &+ Int(bytes[index &+ 2])] &+= 1
        unsafe counters[768 &+ Int(bytes[index &+ 3])] &+= 1
        index &+= 4
      }
      return (0..<256).map { value in
        unsafe counters[value] + counters[256 + value] + counters[512 + value]
          + counters[768 + value]
      }
    }
  }
}
