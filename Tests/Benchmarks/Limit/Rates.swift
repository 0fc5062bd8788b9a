import BAPackCore
import Foundation

/// The measurements of this machine that `model.py` needs, for blocks of 1 MiB.
struct Rates {
  /// The seconds for compressing each block, on one thread.
  var packing: [Double] = []
  /// The size of each compressed block.
  var sizes: [Int] = []
  /// The seconds for reading 1 MiB from the page cache.
  var read = 0.0
  /// The seconds for writing 1 MiB to a new file by one thread, and by two at once.
  var write = 0.0
  var writeOfTwo = 0.0
  /// The seconds for an uncontended step through the lock.
  var lock = 0.0

  var json: String {
    """
    {"packing": \(packing), "sizes": \(sizes), "read": \(read), "write": \(write), "writeOfTwo": \(writeOfTwo), \
    "lock": \(lock)}
    """
  }
}

/// Measures the rates with the blocks of `pack`, and a file in `folder`.
func measureRates(
  _ path: BytePath, folder: BytePath, codec: PackingCodec
) throws -> Rates {
  let pack = try StoredPack(path)
  let rates = Monitor(Rates())
  _ = try onBlocks(of: pack, jobs: 1) {
    let pack = try codec.makePacker()
    return { rawSize, buffer in
      var buffer = buffer
      var block: PackedBlock?
      let seconds = ContinuousClock().measure { block = pack(rawSize, &buffer) }.seconds
      rates.withLock { rates in
        rates.packing.append(seconds)
        rates.sizes.append(block?.size ?? 0)
      }
    }
  }
  var found = rates.withLock { $0 }
  found.read = try readSeconds(path)
  found.write = try writeSeconds(threads: 1, folder)
  found.writeOfTwo = try writeSeconds(threads: 2, folder)
  let monitor = Monitor(0)
  let rounds = 1_000_000
  let seconds = ContinuousClock().measure {
    for _ in 0..<rounds {
      monitor.withLock { $0 += 1 }
      monitor.notifyAll()
    }
  }
  found.lock = seconds.seconds / Double(rounds)
  return found
}

/// The seconds for reading 1 MiB of the file at `path`.
private func readSeconds(_ path: BytePath) throws -> Double {
  let file = try FileDescriptor.reading(path)
  let buffer = try Buffer(size: 1 << 20)
  var bytes = 0
  let seconds = try ContinuousClock().measure {
    while true {
      let count = try unsafe file.read(
        into: buffer.bytes, atLeast: buffer.bytes.count, at: UInt64(bytes))
      if count == 0 { break }
      bytes += count
    }
  }
  return seconds.seconds / Double(bytes) * Double(1 << 20)
}

/// The seconds from one written MiB to the next, with `threads` threads writing to one file.
private func writeSeconds(threads: Int, _ folder: BytePath) throws -> Double {
  let count = 256
  let output = try AtomicOutput(folder.appending("rates.tmp".utf8), replacing: true)
  let file = SharedOutput(output)
  let next = Monitor(0)
  let seconds = ContinuousClock().measure {
    onThreads(threads) {
      guard let buffer = try? Buffer(size: 1 << 20) else { fatalError("no memory") }
      unsafe buffer.bytes.initializeMemory(as: UInt8.self, repeating: 1)
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < count else { return }
        do {
          try unsafe file.write(buffer.bytes.bytes, at: UInt64(index) << 20)
        } catch { fatalError("\(error)") }
      }
    }
  }
  return seconds.seconds / Double(count)
}

/// An output that is never published, for several threads.
private final class SharedOutput: Sendable {
  private let output: AtomicOutput

  init(_ output: consuming AtomicOutput) { self.output = output }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) {
    try output.write(bytes, at: offset)
  }
}
