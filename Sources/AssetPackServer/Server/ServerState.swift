import BAPackCore
import Synchronization

/// What the requests of a server share: what is served now, what goes wrong on purpose, and who
/// wants to know of it.
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

  /// Ends all waiting.
  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Waits until that time of the steady clock, in steps that notice the end; false when it has come.
  func wait(until due: Int64) -> Bool {
    while true {
      if isStopping.load(ordering: .relaxed) { return false }
      let left = due - Clock.steady
      if left <= 0 { return true }
      Clock.sleep(nanoseconds: min(left, 100_000_000))
    }
  }
}
