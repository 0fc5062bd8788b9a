extension DownloadManifestPlan {
  /// Writes the files, each whole or not at all; nothing where there is an error among the findings.
  /// `removedLeftover` is called with each file that a killed run had left, and that was removed.
  ///
  /// Whoever plans and saves while others do must hold a ``DownloadLock`` for both.
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

  /// The old records are among the new.
  private var replacesRecords: Bool { replacesManifest || old.records != nil }

  private func write(
    _ bytes: [UInt8], to path: BytePath, replacing: Bool,
    _ removedLeftover: @escaping @Sendable (BytePath) -> Void
  ) throws(DownloadManifestError) {
    do throws(SystemError) {
      let file = try AtomicOutput(path, replacing: replacing, removed: removedLeftover)
      try file.write(bytes)
      try file.publish()
    } catch {
      throw error.code == .fileExists ? .exists(path) : .system(error)
    }
  }

  /// The records come first: they may know a version that is not listed yet, but never the reverse.
  /// Should the list fail they are put back.
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
      // The manifest is in place then.
      if isManifestNew, error.operation == .syncFolder { throw .system(error) }
      let isUndone = !areRecordsNew || restoreRecords()
      throw .unfinished(error, manifest: output, records: recordsPath, isUndone: isUndone)
    }
  }

  /// Puts the old records, or nothing, back in place; false where that fails.
  private func restoreRecords() -> Bool {
    do throws(SystemError) {
      guard let bytes = old.records else {
        if try FileStatus.ifPresent(recordsPath) != nil {
          try recordsPath.attempt(.remove, unlink(recordsPath))
        }
        return true
      }
      let output = try AtomicOutput(recordsPath, replacing: true)
      try output.write(bytes)
      try output.publish()
      return true
    } catch {
      return false
    }
  }
}
