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
func systemAllocate(_ size: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
  if let error = plannedFailure(of: .allocate) { throw error }
  guard let start = unsafe malloc(max(1, size)) else { throw .outOfMemory }
  return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
}

/// Whether so many bytes of address space are free. Corresponds to `mmap(2)` and `munmap(2)`.
func canAllocate(_ size: Int) -> Bool {
  let access = PROT_READ | PROT_WRITE
  let start = unsafe mmap(nil, size, access, MAP_PRIVATE | MAP_ANON, -1, 0)
  // MAP_FAILED is a cast, which is not imported everywhere.
  guard let start = unsafe start, unsafe start != UnsafeMutableRawPointer(bitPattern: -1) else {
    return false
  }
  return unsafe munmap(start, size) == 0
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
