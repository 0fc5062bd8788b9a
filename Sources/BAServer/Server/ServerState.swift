import BAPackCore
import Synchronization

/// The state shared by all requests: the catalog, the injected faults, and the observer.
package final class ServerState: Sendable {
  private struct Current {
    var catalog: Catalog
    var faults = Faults()
    /// Packs in lists that clients may still use, the oldest first.
    var replaced: [ServedPack] = []
  }

  private let current: Mutex<Current>
  private let isStopping = Atomic<Bool>(false)
  let report: @Sendable (ServerEvent) -> Void

  /// The time in nanoseconds within which a client uses a list. Devices request one at most calls
  /// of their API.
  private static let listLife: Int64 = 600_000_000_000
  /// The maximum number of replaced packs that stay open.
  private static let maximumReplaced = 16

  init(_ catalog: Catalog, observer: @escaping @Sendable (ServerEvent) -> Void) {
    current = Mutex(Current(catalog: catalog))
    report = observer
  }

  /// The packs from now on. Those that it replaces remain for clients that know them from a list,
  /// and transfers in progress continue with them.
  package var catalog: Catalog {
    get { current.withLock(\.catalog) }
    set {
      current.withLock { current in
        current.replaced += current.catalog.packs.filter { pack in
          newValue.pack(Array(pack.identifier.utf8))?.label != pack.label
        }
        current.catalog = newValue
      }
      closeUnused()
    }
  }

  /// The injected faults, which also apply to transfers in progress.
  package var faults: Faults {
    get { current.withLock(\.faults) }
    set { current.withLock { $0.faults = newValue } }
  }

  /// The catalog for a list that a client is about to receive.
  func catalogToList() -> Catalog {
    current.withLock { current in
      for pack in current.catalog.packs { pack.file.noteListing() }
      return current.catalog
    }
  }

  /// Closes replaced packs that no list in use contains.
  package func closeUnused() {
    let start = Clock.steady - Self.listLife
    current.withLock { current in
      current.replaced.removeAll { !$0.file.wasListed(since: start) }
      current.replaced.removeFirst(max(0, current.replaced.count - Self.maximumReplaced))
    }
  }

  /// The pack with this identifier, in this version unless that is nil.
  func pack(_ identifier: [UInt8], version: [UInt8]?) -> ServedPack? {
    current.withLock { current in
      let pack = current.catalog.pack(identifier)
      guard let version, pack.map({ !version.elementsEqual($0.label.utf8) }) ?? true else {
        return pack
      }
      return current.replaced.last { old in
        identifier.elementsEqual(old.identifier.utf8) && version.elementsEqual(old.label.utf8)
      }
    }
  }

  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Waits until a time of the monotonic clock, in steps that notice the end; returns false if
  /// stopped.
  func wait(until due: Int64) -> Bool {
    while true {
      if isStopping.load(ordering: .relaxed) { return false }
      let left = due - Clock.steady
      if left <= 0 { return true }
      sleep(milliseconds: CInt(min(left / 1_000_000 + 1, 100)))
    }
  }
}
