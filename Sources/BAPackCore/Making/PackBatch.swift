/// Makes several packs with one pool of threads.
///
/// The blocks of all packs form one sequence (``PackingStages``), so many small packs keep as
/// many threads busy as a large one, in memory that doesn't depend on the number of packs. A
/// complete pack is synced and published by another thread while the next ones are compressed, as
/// syncing is slow. At most ``maximumWaiting`` packs wait for that; beyond that, the thread that
/// delivers blocks publishes packs itself.
package struct PackBatch: Sendable {
  var packager: Packager
  let keepsGoing: Bool
  private let keepsRecords: Bool
  /// When the run began, before files were selected, in nanoseconds since 1970.
  let started: Int64
  /// Counts the bytes of the packs' files.
  var meter = Work.Meter(Work())
  /// Whether the time of packs that are left alone is set to now.
  var renewsUnchanged = false

  /// The maximum number of complete packs that wait to be published, each an open file.
  private static let maximumWaiting = 8
  /// The maximum number of threads that only publish packs.
  private static let maximumPublishers = 4

  /// A batch whose packs are made by `packager`. If a pack fails, the others are made only if
  /// `keepsGoing`. With `keepsRecords`, each gets a record, which requires that files were selected
  /// after `started`.
  package init(
    _ packager: Packager, keepsGoing: Bool, keepsRecords: Bool = false,
    started: Int64 = systemTime()
  ) {
    self.packager = packager
    self.keepsGoing = keepsGoing
    self.keepsRecords = keepsRecords
    self.started = started
  }

  package struct Job: Sendable {
    let manifest: Manifest
    package let selection: Selection
    let modified: ArchiveTime
    let output: BytePath
    /// ``PackRecord/checks``.
    let checks: String
    /// Nil for that of the batch.
    let compression: Compression?

    var layout: ArchiveLayout { ArchiveLayout(selection, manifest: manifest, modified: modified) }

    /// A pack of the files in `selection` and `manifest`, at `output`; all entries have the time
    /// `modified`. Only ``PackBatch/makeChanged(_:)`` takes packs with different compressions.
    package init(
      _ manifest: Manifest, _ selection: Selection, modified: ArchiveTime, to output: BytePath,
      checks: String = "", compression: Compression? = nil
    ) {
      self.manifest = manifest
      self.selection = selection
      self.modified = modified
      self.output = output
      self.checks = checks
      self.compression = compression
    }
  }

  /// Makes the packs of `jobs` and returns the result of each. Each is written completely or not at
  /// all.
  package func make(_ jobs: [Job]) -> [PackResult.State] {
    let work = Run(jobs: jobs, batch: self, shared: Monitor(Shared(jobs.count)))
    // If the system refuses threads, the first one does everything.
    onThreads(1 + min(Self.maximumPublishers, jobs.count - 1)) {
      let isFirst = work.shared.withLock { shared in
        defer { shared.isCompressing = shared.isCompressing ?? true }
        return shared.isCompressing == nil
      }
      if isFirst { work.compress() }
      // The error has been recorded.
      while let pack = work.shared.wait(for: { $0.nextWaiting() }) { try? work.publish(pack) }
    }
    return work.shared.withLock(\.states)
  }

  private struct Shared {
    var states: [PackResult.State]
    var starts: [ContinuousClock.Instant]
    var current: PackInWork?
    /// Nil until a thread compresses, and false when it is done.
    var isCompressing: Bool?
    private var next = 0
    private var waiting: [PackInWork] = []
    private var isStopped = false

    init(_ count: Int) {
      states = Array(repeating: .skipped, count: count)
      starts = Array(repeating: .now, count: count)
    }

    mutating func nextJob() -> Int? {
      guard !isStopped, next < states.count else { return nil }
      defer { next += 1 }
      starts[next] = .now
      return next
    }

    mutating func began(_ pack: PackInWork) {
      current = pack
      if isStopped { pack.giveUp() }
    }

    mutating func enqueue(_ pack: PackInWork) -> Bool {
      guard waiting.count < PackBatch.maximumWaiting else { return false }
      waiting.append(pack)
      return true
    }

    /// The next pack to publish: nil if there is none yet, `.some(nil)` at the end.
    mutating func nextWaiting() -> PackInWork?? {
      if waiting.isEmpty { return isCompressing == false ? .some(nil) : nil }
      return waiting.removeFirst()
    }

    mutating func fail(_ index: Int, _ error: any Error, stops: Bool) {
      states[index] = PackResult.State(error)
      if stops { stop() }
    }

    mutating func stop() {
      isStopped = true
      current?.giveUp()
    }
  }

  private struct Run: Sendable {
    let jobs: [Job]
    let batch: PackBatch
    let shared: Monitor<Shared>

    private var packager: Packager { batch.packager }

    func compress() {
      var packager = packager
      packager.progress = { [batch, jobs] size, pack in
        guard let pack else { return }
        batch.meter.add(size, of: pack, jobs[pack.index].selection, jobs[pack.index].output)
      }
      do {
        try packager.run(
          next: { try open() },
          finished: { pack, error in
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
          // An error of no single pack, such as a signal, is reported for the first unfinished one.
          let index = shared.states.firstIndex(where: \.isSkipped)
          if let index, !shared.states.contains(where: \.isFailed) {
            shared.fail(index, error, stops: true)
          }
        }
      }
      shared.withLock { $0.isCompressing = false }
      shared.notifyAll()
    }

    private func open() throws -> PackInWork? {
      while let index = shared.withLock({ $0.nextJob() }) {
        do {
          let pack = try open(index)
          shared.withLock { $0.began(pack) }
          return pack
        } catch {
          try fail(index, error)
        }
      }
      return nil
    }

    private func open(_ index: Int) throws -> PackInWork {
      let job = jobs[index]
      let layout = job.layout
      try packager.checkManifest(layout)
      let source = try ArchiveSource(layout, root: job.selection.root)
      return try PackInWork(
        index, of: source, to: try packager.makeOutput(job.output),
        packager.compression.codec.algorithm)
    }

    func publish(_ pack: PackInWork) throws {
      do {
        guard let status = try packager.publish(pack) else { return }
        let digest = packager.findsDigests ? try record(pack, status) : nil
        let container = pack.container
        shared.withLock { shared in
          shared.states[pack.index] = .made(
            container, digest: digest, shared.starts[pack.index].duration(to: .now))
        }
      } catch {
        try fail(pack.index, error)
      }
    }

    /// Writes the record of a published pack, if records are kept; returns its digest.
    private func record(_ pack: PackInWork, _ status: FileStatus) throws -> String {
      let job = jobs[pack.index]
      let record = PackRecord(
        job, pack.source.layout, pack.blockDigests, packager.compression, status,
        startedAt: batch.started)
      if batch.keepsRecords {
        do {
          try record.write(beside: job.output)
        } catch {
          throw PackagingError.recordFailed(job.output, error)
        }
      }
      return record.digest
    }

    /// Records the error of a pack; throws it if the other packs are not to be made.
    private func fail(_ index: Int, _ error: any Error) throws {
      let stops = !batch.keepsGoing || error is Interrupted
      shared.withLock { $0.fail(index, error, stops: stops) }
      if stops { throw error }
    }
  }
}

extension Work.Meter {
  /// A block of `size` bytes of the archive stream is done: so many of the bytes of the files.
  func add(_ size: Int, of pack: PackInWork, _ selection: Selection, _ output: BytePath?) {
    let share = Double(selection.size) / Double(pack.source.layout.size)
    add(UInt64(Double(size) * share), output)
  }
}
