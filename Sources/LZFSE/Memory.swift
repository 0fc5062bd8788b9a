#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension LZFSE {
  /// The system refused memory.
  public struct OutOfMemory: Error, Equatable {}

  /// A fixed number of elements that live as long as their owner: the working memory of the inner
  /// loops, made once and used for every block.
  ///
  /// Safe to own; each use of `start` is unsafe and says there why it stays within `count`.
  @safe struct Memory<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    // What the standard library allocates can't be refused without ending the process.
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
