/// How much effort each part of a block is worth.
package struct BlockPlan {
  /// The size of a part in bytes.
  static let partSize = 128 << 10

  /// How an encoder with levels compresses a part.
  package enum Effort: Sendable {
    /// Copies it uncompressed.
    case none
    /// Uses the fastest level.
    case fast
    /// Uses the requested level.
    case full
  }

  /// Runs of adjacent parts with the same effort, and their size in bytes.
  package private(set) var runs: [(effort: Effort, size: Int)] = []
  /// Whether the block is likely to shrink by more than the required sixteenth.
  package var isWorthPacking = true

  /// A plan without parts.
  package init() { runs.reserveCapacity(ContainerFormat.blockSize / Self.partSize) }

  mutating func clear() { runs.removeAll(keepingCapacity: true) }

  mutating func append(_ effort: Effort, _ size: Int) {
    if let last = runs.indices.last, runs[last].effort == effort {
      runs[last].size += size
    } else {
      runs.append((effort, size))
    }
  }

  /// Raises parts without effort to the fastest level.
  mutating func leaveNoPartOut() {
    let old = runs
    clear()
    for run in old { append(run.effort == .none ? .fast : run.effort, run.size) }
  }
}
