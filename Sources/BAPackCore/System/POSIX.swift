// The calls of the C library, each as a function that throws what `errno` says.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// MARK: Memory

/// Memory for any type, uninitialized. Corresponds to `malloc(3)`.
@inline(never) func systemAllocate(_ size: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
  if let error = plannedFailure(of: .allocate) { throw error }
  guard let start = unsafe malloc(max(1, size)) else { throw .outOfMemory }
  return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
}

/// Whether so much memory can be had.
func canAllocate(_ size: Int) -> Bool {
  guard let memory = unsafe try? systemAllocate(size) else { return false }
  unsafe systemFree(memory)
  return true
}

/// Corresponds to `free(3)`.
func systemFree(_ memory: UnsafeMutableRawBufferPointer) {
  unsafe free(memory.baseAddress)
}

// MARK: Time

/// Waits for a while, or until a signal comes in. Corresponds to `poll(2)` without files.
func sleep(milliseconds: CInt) {
  _ = poll(nil, 0, milliseconds)
}

// MARK: Threads

/// A value of each thread's own. Corresponds to `pthread_key_create(3)`.
struct ThreadValue: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key, nil)
    precondition(result == 0, "pthread_key_create: \(result)")
    self.key = key
  }

  /// The value of this thread; nil unless it was set.
  var pointer: UnsafeRawPointer? {
    get { unsafe UnsafeRawPointer(pthread_getspecific(key)) }
    nonmutating set { unsafe pthread_setspecific(key, newValue) }
  }
}
