import BAPackCore
import CommandLine

extension FilePath {
  /// Says before the work that the folder of a file to be made here is missing.
  func checkFolder() throws(CommandError) {
    do throws(SystemError) {
      try AtomicOutput.checkFolder(of: self)
    } catch {
      throw .failure(error.description)
    }
  }
}

/// Puts `bytes` into a file at `path`, whole or not at all; one that exists is replaced or refused.
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
      ? .failure("'\(path)' exists and is left as it was; --force replaces it")
      : .failure(error.description)
  }
}
