extension PackBatch {
  /// Makes those packs of `jobs` whose bytes would differ from the existing ones.
  package func makeChanged(_ jobs: [Job]) -> [Outcome] {
    var outcomes = standings(jobs).map { standing -> Outcome in
      switch standing {
      case .unchanged(let digest, let size): .unchanged(digest, packedSize: size)
      case .changed: .skipped
      case .failed(let error): .failed(error)
      }
    }
    let hasFailed = outcomes.contains { if case .failed = $0 { true } else { false } }
    if Interruption.pending != nil || hasFailed && !keepsGoing { return outcomes }
    let changed = outcomes.indices.filter {
      if case .skipped = outcomes[$0] { true } else { false }
    }
    for (index, outcome) in zip(changed, make(changed.map { jobs[$0] })) {
      outcomes[index] = outcome
    }
    return outcomes
  }

  /// How an existing pack compares with the one that would be made now.
  enum Standing: Sendable {
    /// Its bytes would be the same.
    case unchanged(PackDigest, packedSize: UInt64)
    /// They would differ, or there is no pack.
    case changed
    /// The comparison failed.
    case failed(PackagingError)
  }

  /// Compares the packs of `jobs` with their records, and reads only files that the records don't
  /// prove unchanged. Afterwards, such records are updated.
  func standings(_ jobs: [Job]) -> [Standing] {
    var candidates = jobs.enumerated().compactMap { Candidate($0.offset, $0.element, packager) }
    var standings = [Standing](repeating: .changed, count: jobs.count)

    // Files that may have changed without a change in size.
    var blocks: [(source: ArchiveSource, number: Int)] = []
    var owners: [Int] = []
    for index in candidates.indices where !candidates[index].blocks.isEmpty {
      let candidate = candidates[index]
      do throws(PackagingError) {
        let source = try ArchiveSource(candidate.layout, root: candidate.job.selection.root)
        blocks += candidate.blocks.map { (source, $0) }
        owners += candidate.blocks.map { _ in index }
      } catch {
        candidates[index].state = .failed(error)
      }
    }
    for (number, result) in packager.digests(of: blocks).enumerated() {
      let owner = owners[number]
      if case .failed = candidates[owner].state { continue }
      switch result {
      case .success(let digest):
        if digest != candidates[owner].record.blocks[blocks[number].number] {
          candidates[owner].state = .changed
        }
      case .failure(let error): candidates[owner].state = .failed(error)
      }
    }

    // Packs that may have been replaced.
    let doubtful = candidates.indices.filter {
      !candidates[$0].isOutputKnown && candidates[$0].isCandidate
    }
    let digests = packager.packedDigests(
      of: doubtful.map { (candidates[$0].job.output, candidates[$0].record.packedSize) })
    for (index, digest) in zip(doubtful, digests) where digest != candidates[index].record.packed {
      candidates[index].state = .changed
    }
    if let signal = Interruption.pending {
      return standings.map { _ in .failed(.interrupted(signal: signal)) }
    }
    for candidate in candidates {
      standings[candidate.index] = candidate.renewingRecord(startedAt: started)
    }
    return standings
  }

  /// A pack that may be unchanged according to its record.
  private struct Candidate {
    let index: Int
    let job: Job
    let layout: ArchiveLayout
    let record: PackRecord
    /// The blocks that must be read to find out.
    let blocks: [Int]
    /// The status of the pack.
    let output: FileStatus
    /// The result so far: `unchanged` until there is a difference.
    var state: Standing

    var isCandidate: Bool {
      if case .unchanged = state { true } else { false }
    }

    var isOutputKnown: Bool { record.output == output.version }

    /// Nil if the pack must be made, as far as is known without reading files, or if the comparison
    /// fails.
    init?(_ index: Int, _ job: Job, _ packager: Packager) {
      guard let output = try? FileStatus.following(job.output), output.kind == .file,
        let record = PackRecord(beside: job.output), output.size == record.packedSize
      else { return nil }
      let layout = ArchiveLayout(job.selection, manifest: job.manifest, modified: job.modified)
      let digest = PackDigest(
        packager.compression, streamSize: layout.size, blocks: record.blocks)
      let files = job.selection.files
      guard record.streamSize == layout.size, record.digest == digest,
        record.blocks.count == layout.blockCount, record.files.count == files.count,
        record.headers == layout.headerDigest
      else { return nil }
      self.index = index
      self.job = job
      self.layout = layout
      self.record = record
      self.output = output
      let doubtful = files.indices.filter { record.files[$0] != files[$0].version }
      blocks = layout.blocks(ofFiles: Set(doubtful))
      state = .unchanged(digest, packedSize: output.size)
    }

    /// The state, after updating a record that is older than the result.
    func renewingRecord(startedAt time: Int64) -> Standing {
      guard isCandidate else { return state }
      let renewed = PackRecord(
        digest: record.digest, checks: job.checks, headers: record.headers,
        streamSize: record.streamSize,
        blocks: record.blocks, packed: record.packed, packedSize: record.packedSize,
        output: isOutputKnown
          ? record.output
          : FileStatus.settled(output.version, touched: output.touched, before: time),
        files: job.selection.settledVersions(before: time))
      do throws(SystemError) {
        try renewed.write(beside: job.output)
      } catch {
        return .failed(.recordFailed(job.output, error))
      }
      return state
    }
  }
}

extension Selection {
  /// The versions of files that were last changed well before `time`; nil for others.
  func settledVersions(before time: Int64) -> [UInt64?] {
    files.map { FileStatus.settled($0.version, touched: $0.touched, before: time) }
  }
}

extension PackRecord {
  /// The record of a published pack, made from the files in `job`, which were read after `time`.
  init(
    _ job: PackBatch.Job, _ layout: ArchiveLayout, _ digests: StreamDigests,
    _ compression: Compression, _ pack: PublishedPack, startedAt time: Int64
  ) {
    let status = pack.status
    self.init(
      digest: PackDigest(compression, streamSize: layout.size, blocks: digests.blocks),
      checks: job.checks, headers: layout.headerDigest, streamSize: layout.size,
      blocks: digests.blocks,
      packed: digests.packed, packedSize: status.size,
      output: pack.isUnchanged
        ? FileStatus.settled(status.version, touched: status.touched, before: time)
        : status.versionOfOutput,
      files: job.selection.settledVersions(before: time))
  }
}
