import BAPackCore
import CommandLine

extension FilePath {
  /// Throws if the folder of this file to be written does not exist.
  func checkFolder() throws(CommandError) {
    do throws(SystemError) {
      try AtomicOutput.checkFolder(of: self)
    } catch {
      throw .failure(error.description)
    }
  }
}

/// Writes `bytes` to a file at `path`, atomically; replaces an existing file only if `replacing`.
func write(
  _ bytes: [UInt8], to path: FilePath, replacing: Bool
) throws(CommandError) {
  Interruption.postpone()
  do throws(SystemError) {
    let output = try AtomicOutput(path, replacing: replacing, removed: noteLeftover)
    try output.write(bytes)
    try output.publish()
  } catch {
    throw error.code == .fileExists
      ? .exists(path) : .failure(error.description)
  }
}

extension CommandError {
  /// The file to be written exists, and `--force` was not given.
  static func exists(_ path: FilePath) -> CommandError {
    .failure("'\(path)' already exists; use --force to replace it")
  }
}

/// Reports a file or folder that was removed because the run that made it was killed.
@Sendable func noteLeftover(_ path: FilePath) {
  let text = "note: removed '\(path)', which a run that was killed had left\n"
  // As with any note, an error has nowhere to go.
  FileDescriptor.withStandardError { error in
    _ = try? error.write(Array(text.utf8), to: "standard error")
  }
}
