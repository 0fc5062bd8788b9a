#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that threads share, with a lock around it and a way to wait for it to change.
@safe package final class Monitor<Value>: @unchecked Sendable {
  // Both stay at one address for their whole life, as POSIX asks.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Guards `value`.
  package init(_ value: sending Value) {
    self.value = value
    let result = unsafe pthread_mutex_init(mutex, nil) + pthread_cond_init(condition, nil)
    precondition(result == 0, "pthread: \(result)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(condition)
    unsafe mutex.deallocate()
    unsafe condition.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls `body` with the value, again after each ``notifyAll()``, until it returns a result.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }

  /// Wakes every thread that waits.
  package func notifyAll() {
    unsafe pthread_cond_broadcast(condition)
  }
}
