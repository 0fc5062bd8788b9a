import BAPackCore
import CommandLine

/// Writes files with these names into `folder`, which is created if it doesn't exist. If one of
/// them exists and `replacing` is false, none is written.
func write(
  _ files: [(name: String, bytes: [UInt8])], into folder: BytePath, replacing: Bool
) throws(CommandError) {
  let paths = files.map { folder.appending($0.name.utf8) }
  if !replacing {
    for path in paths where try isPresent(path) { throw .exists(path) }
  }
  Interruption.postpone()
  let made = try mapping(
    { (error: SystemError) in CommandError.failure("\(error); nothing was written") },
    folder.makeFolderPath())
  let group = FileGroup(
    zip(paths, files).map { (path: $0, bytes: $1.bytes) }, replacing: replacing)
  do throws(FileGroupError) {
    try group.write(removed: noteLeftover)
  } catch {
    BytePath.removeEmptyFolders(made)
    switch error {
    case .system(let cause, _) where cause.code == .fileExists: throw .exists(cause.path)
    case .system: throw .failure(error.description)
    case .interrupted(let signal): throw .interrupted(signal, error.description)
    }
  }
}

private func isPresent(_ path: BytePath) throws(CommandError) -> Bool {
  try CommandError.wrapping(SystemError.self, FileStatus.ifPresent(path)) != nil
}

extension BytePath {
  /// The same as ``relative(to:)`` for a folder that may be missing, in a folder that exists.
  func relative(toFolderToBeMade folder: BytePath) throws(SystemError) -> String? {
    if try FileStatus.ifPresent(folder) != nil { return try relative(to: folder) }
    guard let path = try relative(to: folder.folder) else { return nil }
    return path == "." ? ".." : "../" + path
  }
}
