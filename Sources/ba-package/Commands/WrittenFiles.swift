import BAPackCore
import CommandLine

/// Writes files of these names into `folder`, which is made if it does not exist. If one of them
/// exists and `replacing` is false, none is written.
func write(
  _ files: [(name: String, bytes: [UInt8])], into folder: BytePath, replacing: Bool
) throws(CommandError) {
  let paths = files.map { folder.appending($0.name.utf8) }
  if !replacing {
    for path in paths where try isPresent(path) { throw .exists(path) }
  }
  _ = try CommandError.wrapping(
    SystemError.self,
    FileDescriptor.directory(folder.folder).makeFolder(named: folder.name, shown: folder))
  for (file, path) in zip(files, paths) { try write(file.bytes, to: path, replacing: replacing) }
}

private func isPresent(_ path: BytePath) throws(CommandError) -> Bool {
  try CommandError.wrapping(SystemError.self, FileStatus.ifPresent(path)) != nil
}

extension BytePath {
  /// The same as ``relative(to:)`` for a folder that may be missing in a folder that exists.
  func relative(toFolderToBeMade folder: BytePath) throws(SystemError) -> String? {
    if try FileStatus.ifPresent(folder) != nil { return try relative(to: folder) }
    guard let path = try relative(to: folder.folder) else { return nil }
    return path == "." ? ".." : "../" + path
  }
}
