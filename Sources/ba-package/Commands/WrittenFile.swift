import BAPackCore
import CommandLine

extension BytePath {
  /// Throws if the folder of this file to be written does not exist.
  func checkFolder() throws(CommandError) {
    try CommandError.wrapping(
      SystemError.self, AtomicOutput.checkFolder(of: self))
  }
}

/// Writes `bytes` to a file at `path`, atomically; replaces an existing file only if `replacing`.
func write(
  _ bytes: [UInt8], to path: BytePath, replacing: Bool
) throws(CommandError) {
  try write(to: path, replacing: replacing) { file throws(SystemError) in try file.write(bytes) }
}

/// Writes a file at `path` with what `body` writes to it, atomically; replaces an existing file only
/// if `replacing`.
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
  /// The file to be written exists, and `--force` was not given.
  static func exists(_ path: BytePath) -> CommandError {
    .failure("'\(path)' already exists; use --force to replace it")
  }
}

/// Reports a file or folder that was removed because the run that made it was killed.
@Sendable func noteLeftover(_ path: BytePath) {
  FileDescriptor.writeToStandardError(
    "note: removed '\(path)', which a run that was killed had left\n")
}

/// Runs `body` while no other run changes download manifests beside `manifest`.
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
