import BAPackCore
import Synchronization

/// A transfer of a pack, or a part of it, to a client, with its injected faults, read while it is
/// sent, by one thread at a time.
final class PackTransfer: Sendable {
  private let pack: ServedPack
  private let range: Range<UInt64>
  private let server: ServerState
  /// The start of the current pace.
  private let pace = Mutex<(rate: UInt64, start: Int64, offset: UInt64)?>(nil)

  init(_ pack: ServedPack, _ range: Range<UInt64>, _ server: ServerState) {
    self.pack = pack
    self.range = range
    self.server = server
  }

  var size: UInt64 { UInt64(range.count) }

  /// Copies bytes from `offset` to `buffer` and returns their number, at least 1; nil closes the
  /// connection.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let faults = server.faults
    let identifier = pack.identifier
    var count = min(UInt64(buffer.count), size - offset)
    if let limit = faults.value(.cutAfter, identifier) {
      guard offset < limit else { return nil }
      count = min(count, limit - offset)
    }
    if let rate = faults.value(.throttle, identifier) {
      // Ten pieces per second, for a steady flow.
      count = max(1, min(count, rate / 10))
      guard keepPace(rate, offset) else { return nil }
    }
    // A modified file may contain parts of two packs.
    guard pack.isUnchanged else {
      server.report(.changedOnDisk(pack.path, identifier: identifier))
      return nil
    }
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
    let start = range.lowerBound + offset
    guard let received = unsafe try? pack.file.input.read(into: target, at: start),
      received == target.count
    else {
      server.report(.unreadable(pack.path, identifier: identifier))
      return nil
    }
    return received
  }

  /// Waits until `offset` is due at `rate` bytes per second; false if the server stops.
  private func keepPace(_ rate: UInt64, _ offset: UInt64) -> Bool {
    let current = pace.withLock { pace in
      if pace?.rate != rate { pace = (rate, Clock.steady, offset) }
      return pace
    }
    guard let current else { return true }
    let sent = Double(offset - current.offset)
    let due = current.start + Int64(sent / Double(rate) * 1e9)
    return server.wait(until: due)
  }
}
