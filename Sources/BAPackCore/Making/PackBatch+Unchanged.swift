extension PackBatch {
  /// Makes those packs of `jobs` whose bytes would differ from the existing ones.
  package func makeChanged(_ jobs: [Job]) -> [PackResult.State] {
    var states = compared(jobs)
    let changed = states.indices.filter { states[$0].isSkipped }
    let groups = Dictionary(grouping: changed) { compression(of: jobs[$0]) }
    for (compression, indices) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      if Interruption.isPending || !keepsGoing && states.contains(where: \.isFailed) { break }
      var batch = self
      batch.packager.compression = compression
      let made = batch.make(indices.map { jobs[$0] })
      for (index, state) in zip(indices, made) { states[index] = state }
    }
    return states
  }

  private func compression(of job: Job) -> Compression {
    job.compression ?? packager.compression
  }

  /// Compares the packs of `jobs` with their records, and reads only files that the records don't
  /// prove unchanged. If `writesRecords`, updates the records of unchanged packs. The others are
  /// skipped, or failed if the comparison did.
  func compared(_ jobs: [Job], writesRecords: Bool = true) -> [PackResult.State] {
    var states = [PackResult.State](repeating: .skipped, count: jobs.count)
    var known: [Int: (record: PackRecord, output: FileStatus)] = [:]

    // Files that may have changed without a change in size.
    var blocks: [(source: ArchiveSource, number: Int)] = []
    var owners: [Int] = []
    for (index, job) in jobs.enumerated() {
      let files = job.selection.files
      let layout = job.layout
      guard let output = try? FileStatus.following(job.output), output.kind == .file,
        let record = PackRecord(beside: job.output), output.size == record.packedSize,
        record.blocks.count == layout.blockCount, record.files.count == files.count,
        record.headers == layout.headerDigest,
        record.digest
          == compression(of: job).packDigest(streamSize: layout.size, blocks: record.blocks)
      else { continue }
      known[index] = (record, output)
      states[index] = .unchanged(digest: record.digest, packedSize: output.size)
      let doubtful = files.indices.filter { record.files[$0] != files[$0].version }
      let numbers = layout.blocks(ofFiles: Set(doubtful))
      if numbers.isEmpty { continue }
      do {
        let source = try ArchiveSource(layout, root: job.selection.root)
        blocks += numbers.map { (source, $0) }
        owners += numbers.map { _ in index }
      } catch {
        states[index] = PackResult.State(error)
      }
    }
    // They are read again if the pack is made.
    meter.expect(blocks.reduce(0) { $0 + UInt64($1.source.layout.block($1.number).count) })
    var packager = packager
    packager.progress = { [meter] size, _ in meter.add(UInt64(size)) }
    for (number, result) in packager.digests(of: blocks).enumerated() {
      let owner = owners[number]
      switch result {
      case _ where states[owner].isFailed: break
      case .success(let digest):
        if digest != known[owner]?.record.blocks[blocks[number].number] { states[owner] = .skipped }
      case .failure(let error): states[owner] = PackResult.State(error)
      }
    }

    // Packs that may have been replaced.
    let doubtful = known.filter {
      states[$0.key].isUnchanged && $0.value.record.output != $0.value.output.version
    }
    .sorted { $0.key < $1.key }
    let digests = packager.packedDigests(
      of: doubtful.map {
        (jobs[$0.key].output, $0.value.record.packedSize, $0.value.record.compression)
      })
    for (pack, digest) in zip(doubtful, digests) where digest != pack.value.record.packed {
      states[pack.key] = .skipped
    }
    for (job, state) in zip(jobs, states) where state.isUnchanged {
      meter.add(job.selection.size, job.output)
    }
    if Interruption.isPending {
      return jobs.map { _ in PackResult.State(Interrupted("nothing was written")) }
    }
    guard writesRecords else { return states }
    for (index, (record, output)) in known where states[index].isUnchanged {
      var (record, output) = (record, output)
      if renewsUnchanged {
        do { output = try jobs[index].output.touched() } catch {
          states[index] = PackResult.State(error)
          continue
        }
      }
      record.checks = jobs[index].checks
      record.files = jobs[index].selection.settledVersions(before: started)
      if record.output != output.version {
        record.output = FileStatus.settled(
          output.version, touched: output.touched, before: started)
      }
      do {
        try record.write(beside: jobs[index].output)
      } catch {
        states[index] = PackResult.State(PackagingError.recordFailed(jobs[index].output, error))
      }
    }
    return states
  }
}

extension BytePath {
  /// The status of the file after its times were set to now.
  fileprivate func touched() throws(SystemError) -> FileStatus {
    let file = try attempt(.open, FileDescriptor.reading(self))
    try attempt(.write, file.touch())
    return try attempt(.lookUp, file.status())
  }
}
