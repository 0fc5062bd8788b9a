/// The engine: blocks are worked on in any order by several threads, and handed on in order.
///
/// Order. Block *k* passes four stations. It is *claimed*: one thread at a time, in rising order,
/// decides what the block is (and reads it, where input can only be read in order). It is
/// *processed*: any number of threads at once. It is *delivered*: one thread at a time, in rising
/// order. It is *finished*: any number of threads at once, by the thread that delivered it. What
/// must know all blocks before belongs into the delivery, and should be short: where a block goes in
/// a pack, which files begin in it. What takes time and must not hold up others, writing above all,
/// belongs into the end. No thread is tied to a station. Whoever is free delivers and finishes the
/// next block if that is ready and nobody else delivers, else claims the next one and processes it.
/// So one job is one thread, the order of delivery does not depend on the number of threads, and
/// neither does what is delivered.
///
/// Memory. There are `slots` buffers, made once, on first use. A block holds one from its claim to
/// its end; without a free one nothing is claimed, so a slow destination stalls the readers.
/// Besides, each thread has a worker value of its own (codec state and a scratch buffer). At most
/// `slots` blocks are alive at any time, whatever the size of the input.
///
/// Life of a buffer. Free in the ring → claimed → processed (the worker may swap it for its scratch
/// buffer, so that what is delivered is never copied) → delivered → finished → free. A buffer is
/// owned by the thread that works on it, or by the ring; both change hands under the lock.
///
/// Failure. Of the errors that come up, the one of the lowest block is thrown: blocks are claimed in
/// order, so when block *k* fails all blocks before it are under way, and each either ends well or
/// fails with a lower number. After an error nothing is claimed or delivered any more, threads end
/// with the block they are at, and the call returns when all have ended.
///
/// Little memory. A thread whose worker can't be made leaves the work to the others, and so does one
/// that would leave no room for the small things that Swift allocates, which can't be refused. A
/// buffer that can't be made is done without, and one of those there are is given back. Only when
/// nothing is left to work with is the error thrown.
///
/// Cancellation is an error that `claim` throws.
package struct OrderedPipeline: Sendable {
  /// Threads that work at once.
  package let jobs: Int
  /// Blocks alive at once, and buffers.
  package let slots: Int

  /// A pipeline of `jobs` threads: enough slots that one slow block does not stall the others.
  ///
  /// While one thread deflates a block of 1 MiB (about 18 ms), another stores twenty or inflates seven.
  /// Together with a scratch buffer a thread, blocks take 4 MiB a job and 4 MiB more.
  package init(jobs: Int) {
    self.jobs = max(1, jobs)
    slots = jobs <= 1 ? 1 : 4 + 3 * jobs
  }
}

/// As many of `jobs` as keep the memory of a pipeline below 256 MiB: all of them for blocks of up to
/// 4 MiB, one for the largest.
package func affordableJobs(_ jobs: Int, pieceSize: Int) -> Int {
  var jobs = max(1, jobs)
  // A scratch buffer for each thread besides the slots.
  while jobs > 1,
    (OrderedPipeline(jobs: jobs).slots + jobs) * pieceSize > 256 << 20
  {
    jobs -= 1
  }
  return jobs
}

/// The four stations of a block. The functions of a stage are called from several threads.
package protocol PipelineStages: AnyObject, Sendable {
  /// What a claim decides of a block.
  associatedtype Claim: Sendable
  /// What processing makes of it, besides the bytes in its buffer.
  associatedtype Product: Sendable
  /// What delivering it leaves to be done.
  associatedtype Rest = Void
  /// What each thread has for itself.
  associatedtype Worker
  /// What may go wrong.
  associatedtype Failure: Error

  /// Makes what one thread needs.
  func makeWorker() throws(Failure) -> Worker
  /// Makes a buffer, all of one size.
  func makeBuffer() throws(Failure) -> Buffer
  /// Decides what block `index` is; nil behind the last.
  func claim(_ index: Int, _ buffer: Buffer) throws(Failure) -> Claim?
  /// Works on a block; may exchange `buffer` for another of the same size.
  func process(
    _ claim: Claim, _ index: Int, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws(Failure) -> Product
  /// Hands a block on.
  func deliver(_ product: Product, _ index: Int, _ buffer: Buffer) throws(Failure) -> Rest
  /// Does the rest.
  func finish(
    _ rest: Rest, _ index: Int, _ buffer: Buffer, _ worker: inout Worker
  ) throws(Failure)
}

extension PipelineStages where Rest == Void {
  package func finish(
    _ rest: Void, _ index: Int, _ buffer: Buffer, _ worker: inout Worker
  ) throws(Failure) {}
}

extension OrderedPipeline {
  /// Takes every block through `stages` and returns when the last is finished and all threads have
  /// ended.
  package func run<Stages: PipelineStages>(_ stages: Stages) throws(Stages.Failure) {
    let ring = Monitor(Ring<Stages>(slots: slots))
    onThreads(jobs) { work(stages, ring) }
    if let error = ring.withLock({ $0.error }) { throw error }
  }
}

private func work<Stages: PipelineStages>(
  _ stages: Stages, _ ring: Monitor<Ring<Stages>>
) {
  var worker: Stages.Worker
  do throws(Stages.Failure) {
    // One at a time, so that each sees what the others have taken.
    let made = try ring.withLock { (ring) throws(Stages.Failure) in
      guard !ring.hasThread || canAllocate(roomForAThread) else { return nil as Stages.Worker? }
      let worker = try stages.makeWorker()
      ring.hasThread = true
      return worker
    }
    guard let made else { return }
    worker = made
  } catch {
    return ring.withLock { $0.refusal = error }
  }
  var index = 0
  do throws(Stages.Failure) {
    while true {
      switch ring.wait(for: { $0.nextStep() }) {
      case .stop:
        return
      case .deliver(let next, let product, let buffer):
        index = next
        let rest = try stages.deliver(product, index, buffer)
        ring.withLock { $0.delivered(index) }
        ring.notifyAll()
        try stages.finish(rest, index, buffer, &worker)
        ring.withLock { $0.finished(index, buffer) }
        ring.notifyAll()
      case .claim(let next, let free):
        index = next
        var buffer: Buffer
        do throws(Stages.Failure) {
          buffer = if let free { free } else { try stages.makeBuffer() }
        } catch {
          ring.withLock { $0.unclaimed(error) }
          ring.notifyAll()
          continue
        }
        let claim = try stages.claim(index, buffer)
        ring.withLock { $0.claimed(index, last: claim == nil) }
        ring.notifyAll()
        guard let claim else { continue }
        let product = try stages.process(claim, index, &buffer, &worker)
        ring.withLock { $0.processed(index, product, buffer) }
        ring.notifyAll()
      }
    }
  } catch {
    ring.withLock { $0.fail(index, error) }
    ring.notifyAll()
  }
}

/// What the threads of a pipeline share.
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

  /// Block *k* lives in slot *k* modulo their number.
  private var slots: [Slot]
  private var nextClaim = 0
  private var nextDelivery = 0
  private var isClaiming = false
  private var isDelivering = false
  private var isExhausted = false
  private var failure: (index: Int, error: Stages.Failure)?
  /// Why a thread could not begin.
  var refusal: Stages.Failure?
  /// Whether any thread works.
  var hasThread = false
  /// Buffers that nobody has, how many there are at all, and how many there may be.
  private var spare: [Buffer] = []
  private var made = 0
  private var mostBuffers: Int

  init(slots: Int) {
    self.slots = Array(repeating: .free, count: slots)
    mostBuffers = slots
  }

  /// What ended the work; nil when all of it is done.
  var error: Stages.Failure? {
    if let failure { return failure.error }
    return isExhausted && nextDelivery == nextClaim ? nil : refusal
  }

  /// What a thread without work does next; nil when there is nothing to do yet.
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
    if !isClaiming, case .free = slots[claim], !spare.isEmpty || made < mostBuffers {
      isClaiming = true
      slots[claim] = .busy
      if spare.isEmpty { made += 1 }
      return .claim(nextClaim, spare.popLast())
    }
    return nil
  }

  /// A claim for which there was no memory.
  mutating func unclaimed(_ error: Stages.Failure) {
    isClaiming = false
    slots[nextClaim % slots.count] = .free
    made -= 1
    if made == 0 { return fail(nextClaim, error) }
    mostBuffers = max(1, made - 1)
    if made > mostBuffers, spare.popLast() != nil { made -= 1 }
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
    if made > mostBuffers { made -= 1 } else { spare.append(buffer) }
  }

  mutating func fail(_ index: Int, _ error: Stages.Failure) {
    if let failure, failure.index <= index { return }
    failure = (index, error)
  }
}
