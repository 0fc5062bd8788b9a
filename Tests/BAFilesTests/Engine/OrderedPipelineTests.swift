import BAFiles
import Foundation
import Synchronization
import Testing

@Suite struct OrderedPipelineTests {
  @Test(arguments: [1, 2, 3, 8])
  func deliversInOrder(jobs: Int) throws {
    let stages = Recorder(blocks: 500)
    try OrderedPipeline(jobs: jobs).run(stages)
    #expect(stages.delivered.withLock { $0 } == Array(0..<500))
  }

  @Test(arguments: [1, 2, 3, 8])
  func keepsNoMoreBlocksAliveThanSlots(jobs: Int) throws {
    let pipeline = OrderedPipeline(jobs: jobs)
    let stages = Recorder(blocks: 500)
    try pipeline.run(stages)
    #expect(stages.mostAlive.load(ordering: .relaxed) <= pipeline.slots)
    #expect(stages.buffers.withLock { $0.count } <= pipeline.slots)
    #expect(stages.mostDelivering.load(ordering: .relaxed) == 1)
  }

  @Test(arguments: [1, 2, 3, 8])
  func reportsTheFirstFailingBlock(jobs: Int) {
    for failing in [0, 1, 7, 250, 499] {
      let stages = Recorder(blocks: 500, processFails: { $0 >= failing })
      #expect(throws: Recorder.Failure(station: "process", index: failing)) {
        try OrderedPipeline(jobs: jobs).run(stages)
      }
      #expect(stages.delivered.withLock { $0.allSatisfy { $0 < failing } })
    }
  }

  @Test(arguments: [1, 2, 3, 8])
  func endsIfClaimingOrDeliveringFails(jobs: Int) {
    let claiming = Recorder(blocks: 500, claimFails: { $0 == 40 })
    #expect(throws: Recorder.Failure(station: "claim", index: 40)) {
      try OrderedPipeline(jobs: jobs).run(claiming)
    }
    let delivering = Recorder(blocks: 500, deliverFails: { $0 == 40 })
    #expect(throws: Recorder.Failure(station: "deliver", index: 40)) {
      try OrderedPipeline(jobs: jobs).run(delivering)
    }
    #expect(delivering.delivered.withLock { $0 } == Array(0..<40))
    let finishing = Recorder(blocks: 500, finishFails: { $0 == 40 })
    #expect(throws: Recorder.Failure(station: "finish", index: 40)) {
      try OrderedPipeline(jobs: jobs).run(finishing)
    }
    #expect(finishing.delivered.withLock { Array($0.prefix(41)) } == Array(0..<41))
  }

  /// The first block doesn't end before the second is delivered.
  @Test(arguments: [2, 3, 8]) func whoFinishesHoldsUpNobody(jobs: Int) throws {
    let delivered = Monitor(0)
    let stages = Recorder(
      blocks: 100,
      deliverFails: { index in
        delivered.withLock { $0 = index }
        delivered.notifyAll()
        return false
      },
      finishFails: { index in
        if index == 0 { delivered.wait { $0 > 0 ? () : nil } }
        return false
      })
    try OrderedPipeline(jobs: jobs).run(stages)
    #expect(stages.delivered.withLock { $0 } == Array(0..<100))
  }

  /// A block that is not delivered or not finished keeps its slot: as many blocks are alive as there
  /// are slots, and no more.
  @Test(arguments: [2, 3, 8], [true, false]) func aSlowEndStallsTheReaders(
    jobs: Int, isDelivered: Bool
  ) throws {
    let pipeline = OrderedPipeline(jobs: jobs)
    let claimed = Monitor(0)
    @Sendable func fails(_ index: Int) -> Bool {
      // The first block waits until all slots are in use; without a limit, they never are.
      if index == 0 { _ = claimed.wait { $0 >= pipeline.slots ? true : nil } }
      return index == 0 && claimed.withLock { $0 } > pipeline.slots
    }
    let stages = Recorder(
      blocks: 100,
      claimFails: { index in
        claimed.withLock { $0 = index + 1 }
        claimed.notifyAll()
        return false
      },
      deliverFails: { !isDelivered && fails($0) }, finishFails: { isDelivered && fails($0) })
    try pipeline.run(stages)
    #expect(stages.mostAlive.load(ordering: .relaxed) <= pipeline.slots)
  }

  #if os(Linux)
    /// No thread outlives the call, whether it succeeds or not.
    @Test(arguments: [nil, "claim", "process", "deliver", "finish"]) func leavesNoThreads(
      failing station: String?
    ) throws {
      let threads = Monitor<Set<String>>([])
      let note: @Sendable (Int) -> Bool = { index in
        // The thread's ID, as PROCESS/task/THREAD.
        let thread = try? BytePath("/proc/thread-self".utf8).linkTarget()
        threads.withLock { _ = $0.insert("\(thread ?? "")") }
        return false
      }
      let fails: @Sendable (String) -> @Sendable (Int) -> Bool = { name in
        { index in note(index) || (name == station && index == 40) }
      }
      let stages = Recorder(
        blocks: 200, claimFails: fails("claim"), processFails: fails("process"),
        deliverFails: fails("deliver"), finishFails: fails("finish"))
      let result = Result { try OrderedPipeline(jobs: 8).run(stages) }
      #expect((try? result.get()) == nil ? station != nil : station == nil)
      let caller = try BytePath("/proc/thread-self".utf8).linkTarget()
      for thread in threads.withLock({ $0 }) where thread != "\(caller)" {
        // A joined thread may take a moment to disappear from the list.
        var looks = 0
        while (try? FileStatus.following(BytePath("/proc/\(thread)".utf8))) != nil, looks < 1000 {
          looks += 1
          usleep(1000)
        }
        #expect(looks < 1000, "\(thread) is still there")
      }
    }
  #endif

  @Test func endsWithoutBlocks() throws {
    let stages = Recorder(blocks: 0)
    try OrderedPipeline(jobs: 4).run(stages)
    #expect(stages.delivered.withLock { $0.isEmpty })
  }

  @Test func reportsAWorkerThatCannotBeMade() {
    let stages = Recorder(blocks: 3, mostWorkers: 0)
    #expect(throws: Errno.outOfMemory) {
      try OrderedPipeline(jobs: 2).run(stages)
    }
  }
}

/// Failed allocations reduce threads and slots; the work fails only if nothing is left.
@Suite struct RefusedMemoryTests {
  @Test(arguments: [2, 3, 8], [1, 2])
  func fewerThreadsDoTheWork(jobs: Int, workers: Int) throws {
    let stages = Recorder(blocks: 200, mostWorkers: workers)
    try OrderedPipeline(jobs: jobs).run(stages)
    #expect(stages.delivered.withLock { $0 } == Array(0..<200))
  }

  @Test(arguments: [1, 2, 3, 8], [1, 2, 5])
  func fewerBuffersAreEnough(jobs: Int, buffers: Int) throws {
    let stages = Recorder(blocks: 200, maximumBuffers: buffers)
    try OrderedPipeline(jobs: jobs).run(stages)
    #expect(stages.delivered.withLock { $0 } == Array(0..<200))
  }

  @Test(arguments: [1, 3]) func withoutAnyItIsAnError(jobs: Int) {
    let stages = Recorder(blocks: 3, maximumBuffers: 0)
    #expect(throws: Errno.outOfMemory) {
      try OrderedPipeline(jobs: jobs).run(stages)
    }
  }
}

/// Stages that record what happens to numbered blocks, and fail as requested.
private final class Recorder: PipelineStages {
  struct Failure: Error, Equatable {
    let station: String
    let index: Int
  }

  let blocks: Int
  let workersLeft: Atomic<Int>
  let buffersLeft: Atomic<Int>
  let claimFails: @Sendable (Int) -> Bool
  let processFails: @Sendable (Int) -> Bool
  let deliverFails: @Sendable (Int) -> Bool
  let finishFails: @Sendable (Int) -> Bool
  let claimed = Atomic<Int>(0)
  let delivered = Mutex<[Int]>([])
  let buffers = Mutex<Set<ObjectIdentifier>>([])
  let alive = Atomic<Int>(0)
  let mostAlive = Atomic<Int>(0)
  let delivering = Atomic<Int>(0)
  let mostDelivering = Atomic<Int>(0)

  init(
    blocks: Int, mostWorkers: Int = 1000, maximumBuffers: Int = 1000,
    claimFails: @escaping @Sendable (Int) -> Bool = { _ in false },
    processFails: @escaping @Sendable (Int) -> Bool = { _ in false },
    deliverFails: @escaping @Sendable (Int) -> Bool = { _ in false },
    finishFails: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) {
    self.blocks = blocks
    workersLeft = Atomic(mostWorkers)
    buffersLeft = Atomic(maximumBuffers)
    self.claimFails = claimFails
    self.processFails = processFails
    self.deliverFails = deliverFails
    self.finishFails = finishFails
  }

  func makeWorker() throws(Errno) -> Int {
    if workersLeft.subtract(1, ordering: .relaxed).newValue < 0 { throw .outOfMemory }
    return 0
  }

  func makeBuffer() throws(Errno) -> Buffer {
    if buffersLeft.subtract(1, ordering: .relaxed).newValue < 0 { throw .outOfMemory }
    return try Buffer(size: 16)
  }

  func claim(_ buffer: Buffer) throws -> Int? {
    let index = claimed.add(1, ordering: .relaxed).oldValue
    if claimFails(index) { throw Failure(station: "claim", index: index) }
    guard index < blocks else { return nil }
    buffers.withLock { _ = $0.insert(ObjectIdentifier(buffer)) }
    mostAlive.max(alive.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
    return index
  }

  func process(
    _ index: Int, _ buffer: inout Buffer, _ worker: inout Int
  ) throws -> Int {
    if processFails(index) { throw Failure(station: "process", index: index) }
    // Some blocks take longer than others.
    for _ in 0..<(index % 7 * 1000) { worker &+= index }
    return index
  }

  func deliver(_ index: Int, _ buffer: Buffer) throws -> Int {
    if deliverFails(index) { throw Failure(station: "deliver", index: index) }
    mostDelivering.max(delivering.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
    delivered.withLock { $0.append(index) }
    delivering.subtract(1, ordering: .relaxed)
    return index
  }

  func finish(_ index: Int, _ buffer: Buffer, _ worker: inout Int) throws {
    if finishFails(index) { throw Failure(station: "finish", index: index) }
    alive.subtract(1, ordering: .relaxed)
  }
}
