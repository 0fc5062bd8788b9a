extension DownloadManifestPlan {
  /// Writes each file atomically, or nothing if there is an error among the findings.
  /// `removedLeftover` is called with each leftover file of a killed run that was removed.
  ///
  /// If others may plan and save at the same time, hold a ``DownloadLock`` for both.
  public func save(
    removedLeftover: @escaping @Sendable (BytePath) -> Void = { _ in }
  ) throws(DownloadManifestError) {
    guard let edit, !findings.hasErrors else { return }
    if let signal = Interruption.pending { throw .interrupted(signal) }
    let records = edit.records.bytes == old.records ? nil : edit.records.bytes
    let manifest = isUnchanged ? nil : edit.manifest.bytes
    switch (records, manifest) {
    case (nil, nil):
      return
    case (let records?, nil):
      try write(records, to: recordsPath, replacing: replacesRecords, removedLeftover)
    case (nil, let manifest?):
      try write(manifest, to: output, replacing: replacesManifest, removedLeftover)
    case (let records?, let manifest?):
      try write(records, manifest, removedLeftover)
    }
  }

  private var recordsPath: BytePath { ContentsRecords.path(nextTo: output) }

  /// The old records are part of the new ones.
  private var replacesRecords: Bool { replacesManifest || old.records != nil }

  private func write(
    _ bytes: [UInt8], to path: BytePath, replacing: Bool,
    _ removedLeftover: @escaping @Sendable (BytePath) -> Void
  ) throws(DownloadManifestError) {
    do throws(SystemError) {
      try AtomicOutput.write(bytes, to: path, replacing: replacing, removed: removedLeftover)
    } catch {
      throw error.code == .fileExists ? .exists(path) : .system(error)
    }
  }

  /// Writes the records first: they may have a version that isn't listed yet, but not the reverse.
  /// If writing the list fails, they are restored.
  private func write(
    _ records: [UInt8], _ manifest: [UInt8],
    _ removedLeftover: @escaping @Sendable (BytePath) -> Void
  ) throws(DownloadManifestError) {
    var areRecordsNew = false
    var isManifestNew = false
    do throws(SystemError) {
      let first = try AtomicOutput(
        recordsPath, replacing: replacesRecords, removed: removedLeftover)
      let second = try AtomicOutput(output, replacing: replacesManifest, removed: removedLeftover)
      try first.write(records)
      try second.write(manifest)
      try first.sync()
      try second.sync()
      areRecordsNew = true
      try first.publish()
      isManifestNew = true
      try second.publish()
    } catch {
      // The manifest has been published.
      if isManifestNew, error.operation == .syncFolder { throw .system(error) }
      let isUndone = !areRecordsNew || restoreRecords()
      throw .unfinished(error, manifest: output, records: recordsPath, isUndone: isUndone)
    }
  }

  /// Restores or removes the records; false if that fails.
  private func restoreRecords() -> Bool {
    do throws(SystemError) {
      guard let bytes = old.records else {
        if try FileStatus.ifPresent(recordsPath) != nil {
          try recordsPath.attempt(.remove, unlink(recordsPath))
        }
        return true
      }
      try AtomicOutput.write(bytes, to: recordsPath, replacing: true)
      return true
    } catch {
      return false
    }
  }
}
