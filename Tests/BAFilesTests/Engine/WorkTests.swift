import BAFiles
import BATestSupport
import Synchronization
import Testing

@Suite struct WorkTests {
  @Test func threadsStopWithTheWorkThatStartedThem() throws {
    let asked = Atomic(0)
    let outer = Atomic(false)
    let work = Work(isCancelled: { asked.add(1, ordering: .relaxed).newValue > 20 })
    work.run {
      let stopped = mapOnThreads(100, share: 1, jobs: 4) { _ in Interruption.isPending }
      #expect(stopped.count { $0 } == 80)
    }
    #expect(!Interruption.isPending)
    #expect(throws: Interrupted("nothing was written")) {
      try work.run { try Interrupted.check("nothing was written") }
    }
    #expect(Interrupted("nothing was written").description == "cancelled; nothing was written")
    // Work within other work is cancelled with it.
    Work(isCancelled: { outer.load(ordering: .relaxed) }).run {
      Work().run {
        #expect(!Interruption.isPending)
        outer.store(true, ordering: .relaxed)
        #expect(Interruption.isPending)
      }
    }
  }

  @Test func aTaskCancelsTheWorkThatItWaitsFor() async throws {
    let task = Task {
      try await Work().onThread { work in
        work.run { while !Interruption.isPending { sleep(milliseconds: 1) } }
        return work.isCancelled()
      }
    }
    task.cancel()
    #expect(try await task.value)
    #expect(try await Work(isCancelled: { true }).onThread { $0.isCancelled() })
    await #expect(throws: Errno.self) {
      try await Work().onThread { _ in throw Errno.noSpace }
    }
  }

  /// Whatever is counted, what is done only increases, and ends at the total once.
  @Test func progressEndsAtExactlyTheTotal() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let seen = Mutex<[Work.Progress]>([])
      let meter = Work.Meter(
        Work(progress: { progress in seen.withLock { $0.append(progress) } }),
        total: .random(in: 0...100, using: &random))
      meter.expect(.random(in: 0...100, using: &random))
      let parts = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        UInt64.random(in: 0...60, using: &random)
      }
      _ = mapOnThreads(parts.count, share: 1, jobs: 3) { meter.add(parts[$0], "item") }
      meter.finish()
      let found = seen.withLock { $0 }
      #expect(found.last.map { $0.done == $0.total } == true)
      #expect(Set(found.map(\.total)).count == 1)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.done <= $1.done })
      let limit = min(found[0].total, parts.reduce(0, +))
      #expect(found.count == parts.count + (limit < found[0].total || parts.isEmpty ? 1 : 0))
    }
  }

  /// Threads that report how far they are, in any order, never count anything twice.
  @Test func progressReachesWhatWasReported() {
    for _ in 0..<50 {
      let seen = Mutex<[UInt64]>([])
      let meter = Work.Meter(
        Work(progress: { progress in seen.withLock { $0.append(progress.done) } }), total: 10_000)
      _ = mapOnThreads(2_000, share: 1, jobs: 4) { meter.reach(UInt64($0)) }
      let found = seen.withLock { $0 }
      #expect(found.last == 1_999 && zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
