#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension LZFSE {
  /// The system is out of memory.
  public struct OutOfMemory: Error, Equatable {}

  /// A fixed-size buffer, owned by its only copy: the working memory of the inner loops, allocated
  /// once and used for every block.
  ///
  /// Safe to own; each use of `start` is unsafe and documents why it stays within `count`.
  @safe struct Memory<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    // Failed allocations of the standard library would end the process.
    init(repeating element: Element, count: Int) throws(OutOfMemory) {
      guard let memory = unsafe malloc(max(1, count) * MemoryLayout<Element>.stride) else {
        throw OutOfMemory()
      }
      unsafe start = memory.bindMemory(to: Element.self, capacity: count)
      unsafe start.initialize(repeating: element, count: count)
      self.count = count
    }

    deinit { unsafe free(start) }
  }
}
