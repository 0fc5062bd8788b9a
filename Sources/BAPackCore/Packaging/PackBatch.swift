/// Makes several packs with one pool of threads.
///
/// The blocks of all packs form one row (``PackingStages``), so that many small packs keep as many
/// threads busy as a large one, in memory that does not depend on the number of packs. A pack that is
/// written whole is synced and put in its place by another thread, while the next ones are compressed:
/// the disk takes its time. At most ``mostWaiting`` packs wait for that; then the thread that
/// delivers blocks does it itself.
package struct PackBatch: Sendable {
  /// How packs are made.
  let packager: Packager
  /// Whether the other packs are made when one fails.
  let keepsGoing: Bool
  /// Whether records are written beside packs.
  private let keepsRecords: Bool
  /// When the run began, before files were selected, in nanoseconds since 1970.
  let started: Int64

  /// Whole packs that wait to be put in place, each an open file.
  private static let mostWaiting = 8
  /// Threads that do nothing else than put packs in place.
  private static let mostPublishers = 4

  /// A batch whose packs are made by `packager`. When a pack fails, the others are made only if
  /// `keepsGoing`. With `keepsRecords`, each gets a record; then files must have been selected after
  /// `started`.
  package init(
    _ packager: Packager, keepsGoing: Bool, keepsRecords: Bool = false,
    started: Int64 = systemTime()
  ) {
    self.packager = packager
    self.keepsGoing = keepsGoing
    self.keepsRecords = keepsRecords
    self.started = started
  }

  /// A pack to make.
  package struct Job: Sendable {
    let manifest: Manifest
    package let selection: Selection
    let modified: ArchiveTime
    let output: BytePath
    /// ``PackRecord/checks``.
    let checks: String

    /// The files of `selection`, with `manifest`, at `output`; all entries bear the time `modified`.
    package init(
      _ manifest: Manifest, _ selection: Selection, modified: ArchiveTime, to output: BytePath,
      checks: String = ""
    ) {
      self.manifest = manifest
      self.selection = selection
      self.modified = modified
      self.output = output
      self.checks = checks
    }
  }

  /// What became of a pack.
  package enum Outcome: Sendable {
    /// It is in its place. The time is that from its first block to its name. There is a digest if
    /// the packager finds digests.
    case made(PackedCounts, PackDigest?, Duration)
    /// It is in its place already, with this size.
    case unchanged(PackDigest?, packedSize: UInt64)
    /// It failed.
    case failed(PackagingError)
    /// Another one failed first.
    case skipped
  }

  /// Makes the packs of `jobs` and returns what became of each. Each is written whole or not at all.
  package func make(_ jobs: [Job]) -> [Outcome] {
    let work = Work(jobs, self)
    // Where the system refuses threads the first one does it all.
    onThreads(1 + min(Self.mostPublishers, jobs.count - 1)) {
      if work.shared.withLock({ $0.takePipeline() }) { work.compress() }
      work.publishAll()
    }
    return work.shared.withLock(\.outcomes)
  }

  private struct Shared {
    var outcomes: [Outcome]
    var starts: [ContinuousClock.Instant]
    private var next = 0
    private var current: PackInWork<AtomicOutput>?
    private var waiting: [PackInWork<AtomicOutput>] = []
    private var isCompressing: Bool?
    private var isStopped = false

    init(_ count: Int) {
      outcomes = Array(repeating: .skipped, count: count)
      starts = Array(repeating: .now, count: count)
    }

    /// True for the first thread that asks.
    mutating func takePipeline() -> Bool {
      guard isCompressing == nil else { return false }
      isCompressing = true
      return true
    }

    mutating func endPipeline() { isCompressing = false }

    /// The number of the next pack to begin with; nil after the last.
    mutating func nextJob() -> Int? {
      guard !isStopped, next < outcomes.count else { return nil }
      defer { next += 1 }
      starts[next] = .now
      return next
    }

    mutating func began(_ pack: PackInWork<AtomicOutput>) {
      current = pack
      if isStopped { pack.giveUp() }
    }

    /// Makes a pack wait to be put in place; false if too many do.
    mutating func enqueue(_ pack: PackInWork<AtomicOutput>) -> Bool {
      guard waiting.count < PackBatch.mostWaiting else { return false }
      waiting.append(pack)
      return true
    }

    /// The next pack to put in place: nil while there is none yet, `.some(nil)` at the end.
    mutating func nextWaiting() -> PackInWork<AtomicOutput>?? {
      if waiting.isEmpty { return isCompressing == false ? .some(nil) : nil }
      return waiting.removeFirst()
    }

    mutating func fail(_ index: Int, _ error: PackagingError, stops: Bool) {
      outcomes[index] = .failed(error)
      if stops {
        isStopped = true
        current?.giveUp()
      }
    }

    mutating func published(_ index: Int, _ pack: PublishedPack, _ digest: PackDigest?) {
      outcomes[index] =
        pack.isUnchanged
        ? .unchanged(digest, packedSize: pack.counts.packed)
        : .made(pack.counts, digest, starts[index].duration(to: .now))
    }
  }

  private struct Work: Sendable {
    private let jobs: [Job]
    private let batch: PackBatch
    let shared: Monitor<Shared>

    private var packager: Packager { batch.packager }

    init(_ jobs: [Job], _ batch: PackBatch) {
      self.jobs = jobs
      self.batch = batch
      shared = Monitor(Shared(jobs.count))
    }

    /// Takes all packs through the pipeline.
    func compress() {
      do throws(PackagingError) {
        try packager.run(
          next: { () throws(PackagingError) in try open() },
          finished: { (pack, error) throws(PackagingError) in
            if let error {
              try fail(pack.index, error)
            } else if shared.withLock({ $0.enqueue(pack) }) {
              shared.notifyAll()
            } else {
              try publish(pack)
            }
          })
      } catch {
        shared.withLock { shared in
          // An error that is no single pack's, such as a signal, is told of the first that lacks.
          let isTold = shared.outcomes.contains { if case .failed = $0 { true } else { false } }
          let index = shared.outcomes.firstIndex { if case .skipped = $0 { true } else { false } }
          if !isTold, let index { shared.fail(index, error, stops: true) }
        }
      }
      shared.withLock { $0.endPipeline() }
      shared.notifyAll()
    }

    /// Puts packs in place until there will be no more.
    func publishAll() {
      while let pack = shared.wait(for: { $0.nextWaiting() }) {
        // The error is noted.
        do throws(PackagingError) { try publish(pack) } catch {}
      }
    }

    /// Begins the next pack that can be begun.
    private func open() throws(PackagingError) -> PackInWork<AtomicOutput>? {
      while let index = shared.withLock({ $0.nextJob() }) {
        do throws(PackagingError) {
          let pack = try open(index)
          shared.withLock { $0.began(pack) }
          return pack
        } catch {
          try fail(index, error)
        }
      }
      return nil
    }

    private func open(_ index: Int) throws(PackagingError) -> PackInWork<AtomicOutput> {
      let job = jobs[index]
      let layout = ArchiveLayout(job.selection, manifest: job.manifest, modified: job.modified)
      try packager.checkManifest(layout)
      let source = try ArchiveSource(layout, root: job.selection.root)
      return try PackInWork(
        index, of: source, to: try packager.makeOutput(job.output),
        packager.compression.algorithm)
    }

    private func publish(_ pack: PackInWork<AtomicOutput>) throws(PackagingError) {
      do throws(PackagingError) {
        guard let written = pack.takeContainer() else { return }
        let published = try packager.publish(written)
        var digest: PackDigest?
        if packager.findsDigests {
          digest = try finish(pack, published)
        }
        shared.withLock { $0.published(pack.index, published, digest) }
      } catch {
        try fail(pack.index, error)
      }
    }

    /// Writes the record of a pack that is in its place, if records are kept; returns its digest.
    private func finish(
      _ pack: PackInWork<AtomicOutput>, _ published: PublishedPack
    ) throws(PackagingError) -> PackDigest {
      let job = jobs[pack.index]
      let record = PackRecord(
        job, pack.source.layout, pack.blockDigests, packager.compression, published,
        startedAt: batch.started)
      if batch.keepsRecords {
        try mapping(PackagingError.system, record.write(beside: job.output))
      }
      return record.digest
    }

    /// Notes the error of a pack; throws it if the others are not to be made.
    private func fail(_ index: Int, _ error: PackagingError) throws(PackagingError) {
      var stops = !batch.keepsGoing
      if case .interrupted = error { stops = true }
      shared.withLock { $0.fail(index, error, stops: stops) }
      if stops { throw error }
    }
  }
}
