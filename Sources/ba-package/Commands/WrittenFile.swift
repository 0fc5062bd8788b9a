import BAPackCore
import CommandLine

extension BytePath {
  /// Throws if the parent folder of this output file doesn't exist.
  func checkFolder() throws(CommandError) {
    try CommandError.wrapping(
      SystemError.self, AtomicOutput.checkFolder(of: self))
  }
}

/// Throws if one of `outputs` can't be written, is written twice, or is one of `inputs` or a file of
/// `selections`, which the command reads.
func compare(
  _ outputs: [BytePath], withInputs inputs: [BytePath?], filesOf selections: [Selection] = []
) throws(CommandError) {
  do throws(InvalidValue) {
    let outputs = try OutputFiles(outputs)
    try outputs.compare(withInputs: inputs.compactMap(\.self))
    for selection in selections { try outputs.compare(withFilesOf: selection) }
  } catch {
    throw .failure(error.reason)
  }
}

/// Writes `bytes` to a file at `path`, atomically; replaces an existing file only if `replacing`.
func write(
  _ bytes: [UInt8], to path: BytePath, replacing: Bool
) throws(CommandError) {
  try write(to: path, replacing: replacing) { file throws(SystemError) in try file.write(bytes) }
}

/// Writes a file at `path` with the output of `body`, atomically; replaces an existing file only if
/// `replacing`.
func write(
  to path: BytePath, replacing: Bool,
  _ body: (borrowing AtomicOutput) throws(SystemError) -> Void
) throws(CommandError) {
  Interruption.postpone()
  do throws(SystemError) {
    let output = try AtomicOutput(path, replacing: replacing, removed: noteLeftover)
    try body(output)
    try output.publish()
  } catch {
    throw error.code == .fileExists
      ? .exists(path) : .failure(error.description)
  }
}

extension CommandError {
  /// The output file exists, and `--force` was not given.
  static func exists(_ path: BytePath) -> CommandError {
    .failure("'\(path)' already exists; use --force to replace it")
  }
}

/// Reports the removal of a file or folder that a killed run left.
@Sendable func noteLeftover(_ path: BytePath) {
  FileDescriptor.writeToStandardError(
    "note: removed '\(path)', which a run that was killed had left\n")
}

/// Runs `body` while no other run changes download manifests next to `manifest`.
func holdingLock<Result>(
  of manifest: BytePath, _ console: Console, _ body: () throws(CommandError) -> Result
) throws(CommandError) -> Result {
  let lock: DownloadLock
  do throws(SystemError) {
    lock = try DownloadLock(manifest) {
      console.note("waiting for another ba-package that is updating a list in '\(manifest.folder)'")
    }
  } catch {
    switch (error.code, Interruption.pending) {
    case (_, let signal?):
      throw .interrupted(
        signal, "stopped by \(Interruption.name(of: signal)); nothing was written")
    case (.wouldBlock, _):
      throw .failure(
        "another ba-package has been updating a list in '\(manifest.folder)' for ten minutes; "
          + "'\(manifest)' was not written")
    default: throw .failure(error.description)
    }
  }
  let result = try body()
  lock.release()
  return result
}
