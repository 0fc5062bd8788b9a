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
    let output = try AtomicOutput(path)
    try output.write(bytes)
    try output.publish(replacing: replacing)
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
