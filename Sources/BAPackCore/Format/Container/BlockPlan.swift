/// How much of an encoder's time each part of a block is worth.
package struct BlockPlan {
  /// Bytes of a part that is judged on its own.
  static let partSize = 128 << 10

  /// What an encoder that knows levels does with a part.
  package enum Effort: Sendable {
    /// Carries it along as it is.
    case none
    /// Takes its fastest level.
    case fast
    /// Takes the level asked for.
    case full
  }

  /// Neighbouring parts of one effort, and their bytes together.
  package private(set) var runs: [(effort: Effort, size: Int)] = []
  /// Whether the block is likely to shrink by more than the sixteenth that is asked for.
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

  /// Takes the fastest level for parts that would be carried along.
  mutating func leaveNoPartOut() {
    let old = runs
    clear()
    for run in old { append(run.effort == .none ? .fast : run.effort, run.size) }
  }
}
