/// The engine: several threads process blocks in any order and deliver them in order.
///
/// Order. Block *k* goes through four stages. It is *claimed*: one thread at a time, in ascending
/// order, decides what the block is (and reads it, if input can only be read sequentially). It is
/// *processed*: by any number of threads at once. It is *delivered*: by one thread at a time, in
/// ascending order. It is *finished*: by any number of threads at once, each the one that delivered
/// the block. Work that depends on all earlier blocks, such as where a block goes in a pack or
/// which files begin in it, belongs in the delivery and should be short. Slow work that must not
/// hold up other threads, writing above all, belongs in the last stage. No thread is tied to a
/// stage. An idle thread delivers and finishes the next block if it is ready and no other thread is
/// delivering; otherwise it claims and processes the next one. So one job is one thread, and
/// neither the order nor the content of what is delivered depends on the number of threads.
///
/// Memory. There are `slots` buffers, each allocated on first use. A block holds one from its claim
/// to its end. Without a free buffer nothing is claimed, so a slow destination stalls the readers.
/// In addition, each thread has its own worker value (codec state and a scratch buffer). At most
/// `slots` blocks are alive at any time, however large the input.
///
/// Life of a buffer. Free in the ring → claimed → processed (the worker may swap it for its scratch
/// buffer, so that what is delivered is never copied) → delivered → finished → free. A buffer is
/// owned by the thread that works on it, or by the ring; ownership changes under the lock.
///
/// Failure. If several blocks fail, the error of the first one is thrown: blocks are claimed in
/// order, so when block *k* fails, all earlier blocks are in progress, and each either succeeds or
/// fails with a lower number. After an error nothing more is claimed or delivered, threads stop
/// after their current block, and the call returns when all have ended.
///
/// Low memory. A thread whose worker can't be created leaves the work to the others, and so does
/// one that would leave no room for Swift's small allocations, which can't fail gracefully. If a
/// buffer can't be allocated, the pipeline makes do with fewer, and frees one of those it has.
/// ``outOfMemory`` is thrown only when there is nothing left to work with.
///
/// Cancellation is an error that `claim` throws.
package struct OrderedPipeline: Sendable {
  package let jobs: Int
  /// The maximum number of live blocks, and of buffers.
  package let slots: Int

  /// A pipeline of `jobs` threads, with enough slots that one slow block doesn't stall the others.
  ///
  /// While one thread deflates a block of 1 MiB (about 18 ms), another stores twenty or inflates
  /// seven. Including a scratch buffer for each thread, blocks take 4 MiB per job plus 4 MiB.
  package init(jobs: Int) {
    self.jobs = possibleJobs(jobs)
    slots = self.jobs == 1 ? 1 : 4 + 3 * self.jobs
  }
}

/// `jobs`, but at least 1, and at most as many as are of use on any machine.
func possibleJobs(_ jobs: Int) -> Int { min(max(1, jobs), 1024) }

/// The largest number of jobs, up to `jobs`, that keeps a pipeline's memory below 256 MiB: all of
/// them for blocks of up to 4 MiB, one for the largest.
package func affordableJobs(_ jobs: Int, pieceSize: Int) -> Int {
  var jobs = possibleJobs(jobs)
  // Each thread has a scratch buffer in addition to the slots.
  while jobs > 1,
    (OrderedPipeline(jobs: jobs).slots + jobs) * pieceSize > 256 << 20
  {
    jobs -= 1
  }
  return jobs
}

/// The four stages of a block. The methods are called from several threads.
package protocol PipelineStages: AnyObject, Sendable {
  associatedtype Claim: Sendable
  /// The result of processing it, besides the bytes in its buffer.
  associatedtype Product: Sendable
  /// The work that is left after delivering it.
  associatedtype Rest = Void
  associatedtype Worker

  /// Creates a thread's state. Fails only for lack of memory.
  func makeWorker() throws(Errno) -> Worker
  /// Allocates a buffer. All have the same size.
  func makeBuffer() throws(Errno) -> Buffer
  /// Decides what the next block is; nil after the last.
  func claim(_ buffer: Buffer) throws -> Claim?
  /// Processes a block; may replace `buffer` with another of the same size.
  func process(
    _ claim: Claim, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws -> Product
  func deliver(_ product: Product, _ buffer: Buffer) throws -> Rest
  func finish(_ rest: Rest, _ buffer: Buffer, _ worker: inout Worker) throws
}

extension PipelineStages where Rest == Void {
  package func finish(_ rest: Void, _ buffer: Buffer, _ worker: inout Worker) {}
}

extension OrderedPipeline {
  /// Runs every block through `stages`, and returns when the last is finished and all threads have
  /// ended.
  package func run<Stages: PipelineStages>(_ stages: Stages) throws {
    let ring = Monitor(Ring<Stages>(slots: slots))
    onThreads(jobs) { work(stages, ring) }
    if let error = ring.withLock({ $0.error }) { throw error }
  }
}

private func work<Stages: PipelineStages>(_ stages: Stages, _ ring: Monitor<Ring<Stages>>) {
  // One at a time, so that each sees what the others have allocated.
  let made = ring.withLock { ring in
    guard !ring.hasThread || canAllocate(roomForAThread),
      let worker = try? stages.makeWorker()
    else { return nil as Stages.Worker? }
    ring.hasThread = true
    return worker
  }
  guard var worker = made else { return }
  var index = 0
  do {
    while true {
      switch ring.wait(for: { $0.nextStep() }) {
      case .stop:
        return
      case .deliver(let next, let product, let buffer):
        index = next
        let rest = try stages.deliver(product, buffer)
        ring.withLock { $0.delivered(index) }
        ring.notifyAll()
        try stages.finish(rest, buffer, &worker)
        ring.withLock { $0.finished(index, buffer) }
        ring.notifyAll()
      case .claim(let next, let free):
        index = next
        guard var buffer = try? free ?? stages.makeBuffer() else {
          ring.withLock { $0.unclaimed() }
          ring.notifyAll()
          continue
        }
        let claim = try stages.claim(buffer)
        ring.withLock { $0.claimed(index, last: claim == nil) }
        ring.notifyAll()
        guard let claim else { continue }
        let product = try stages.process(claim, &buffer, &worker)
        ring.withLock { $0.processed(index, product, buffer) }
        ring.notifyAll()
      }
    }
  } catch {
    ring.withLock { $0.fail(index, error) }
    ring.notifyAll()
  }
}

private struct Ring<Stages: PipelineStages> {
  enum Slot {
    case free
    case busy
    case ready(Stages.Product, Buffer)
  }

  enum Step {
    case claim(Int, Buffer?)
    case deliver(Int, Stages.Product, Buffer)
    case stop
  }

  /// Block *k* is in slot *k* modulo the number of slots.
  private var slots: [Slot]
  private var nextClaim = 0
  private var nextDelivery = 0
  private var isClaiming = false
  private var isDelivering = false
  private var isExhausted = false
  private var failure: (index: Int, error: any Error)?
  var hasThread = false
  /// Free buffers, the number of buffers, and its maximum.
  private var spare: [Buffer] = []
  private var made = 0
  private var maximumBuffers: Int

  init(slots: Int) {
    // Makes the error while there is memory for it.
    _ = outOfMemory
    self.slots = Array(repeating: .free, count: slots)
    maximumBuffers = slots
  }

  /// The error that ended the work; nil if everything is done.
  var error: (any Error)? {
    if let failure { return failure.error }
    return isExhausted && nextDelivery == nextClaim ? nil : outOfMemory
  }

  /// What an idle thread does next; nil if it has to wait.
  mutating func nextStep() -> Step? {
    if failure != nil { return .stop }
    let delivery = nextDelivery % slots.count
    if !isDelivering, case .ready(let product, let buffer) = slots[delivery] {
      isDelivering = true
      slots[delivery] = .busy
      return .deliver(nextDelivery, product, buffer)
    }
    if isExhausted { return nextDelivery == nextClaim ? .stop : nil }
    let claim = nextClaim % slots.count
    if !isClaiming, case .free = slots[claim], !spare.isEmpty || made < maximumBuffers {
      isClaiming = true
      slots[claim] = .busy
      if spare.isEmpty { made += 1 }
      return .claim(nextClaim, spare.popLast())
    }
    return nil
  }

  /// Records a claim that failed for lack of memory.
  mutating func unclaimed() {
    isClaiming = false
    slots[nextClaim % slots.count] = .free
    made -= 1
    if made == 0 { return fail(nextClaim, outOfMemory) }
    maximumBuffers = max(1, made - 1)
    if made > maximumBuffers, spare.popLast() != nil { made -= 1 }
  }

  mutating func claimed(_ index: Int, last: Bool) {
    isClaiming = false
    if last { isExhausted = true } else { nextClaim = index + 1 }
  }

  mutating func processed(_ index: Int, _ product: Stages.Product, _ buffer: Buffer) {
    slots[index % slots.count] = .ready(product, buffer)
  }

  mutating func delivered(_ index: Int) {
    nextDelivery = index + 1
    isDelivering = false
  }

  mutating func finished(_ index: Int, _ buffer: Buffer) {
    slots[index % slots.count] = .free
    if made > maximumBuffers { made -= 1 } else { spare.append(buffer) }
  }

  mutating func fail(_ index: Int, _ error: any Error) {
    if let failure, failure.index <= index { return }
    failure = (index, error)
  }
}

/// Memory for one block, at a fixed address.
///
/// Only the thread that owns the buffer may access it.
@safe package final class Buffer: @unchecked Sendable {
  @usableFromInline
  package let bytes: UnsafeMutableRawBufferPointer

  /// Uninitialized memory, aligned for any type. Fails with ``Errno/outOfMemory``.
  package init(size: Int) throws(Errno) {
    unsafe bytes = try systemAllocate(size)
  }

  deinit { unsafe systemFree(bytes) }

  /// A range of the bytes. Traps if it is out of bounds.
  @inlinable
  package subscript(range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
    let range = unsafe range.relative(to: bytes)
    precondition(unsafe 0 <= range.lowerBound && range.upperBound <= bytes.count)
    // SAFETY: checked above.
    return unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
  }

  /// Calls `body` with a range of the bytes.
  @inlinable
  package func withSpan<Result>(
    _ range: some RangeExpression<Int>, _ body: (RawSpan) throws -> Result
  ) rethrows -> Result {
    // SAFETY: the subscript checks the range, and the memory is valid as long as `self`.
    try withExtendedLifetime(self) { try body(unsafe self[range].bytes) }
  }
}

/// ``Errno/outOfMemory`` as an error that can be thrown without allocating memory for it.
package let outOfMemory: any Error = Errno.outOfMemory
