import BAPackCore
import Synchronization

/// The state shared by all requests: the catalogue, the injected faults, and the observer.
final class ServerState: Sendable {
  private struct Current {
    var catalogue: Catalogue
    var faults = Faults()
  }

  private let current: Mutex<Current>
  private let isStopping = Atomic<Bool>(false)
  private let observer: @Sendable (ServerEvent) -> Void

  init(_ catalogue: Catalogue, observer: @escaping @Sendable (ServerEvent) -> Void) {
    current = Mutex(Current(catalogue: catalogue))
    self.observer = observer
  }

  var catalogue: Catalogue {
    get { current.withLock(\.catalogue) }
    set { current.withLock { $0.catalogue = newValue } }
  }

  var faults: Faults {
    get { current.withLock(\.faults) }
    set { current.withLock { $0.faults = newValue } }
  }

  func report(_ event: ServerEvent) { observer(event) }

  /// Ends all waits.
  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Waits until a time of the monotonic clock, in steps that notice the end; returns false if
  /// stopped.
  func wait(until due: Int64) -> Bool {
    while true {
      if isStopping.load(ordering: .relaxed) { return false }
      let left = due - Clock.steady
      if left <= 0 { return true }
      Clock.sleep(nanoseconds: min(left, 100_000_000))
    }
  }
}
