import BACommandLine
import BAPackCore

/// Throws if one of `outputs` can't be written, is written twice, or is one of `inputs` or a file of
/// `selections`, which the command reads.
func compare(
  _ outputs: [BytePath], withInputs inputs: [BytePath?], filesOf selections: [Selection] = []
) throws {
  let outputs = try OutputFiles(outputs)
  try outputs.compare(withInputs: inputs.compactMap(\.self))
  for selection in selections { try outputs.compare(withFilesOf: selection) }
}

/// Writes `bytes` to a file at `path`, atomically; replaces an existing file only if `replacing`.
func write(_ bytes: [UInt8], to path: BytePath, replacing: Bool) throws {
  Interruption.postpone()
  try makingFolder(of: path) {
    try AtomicOutput.write(bytes, to: path, replacing: replacing, removed: tellLeftover)
  }
}

/// Runs `body`, which writes the file at `path`, in a folder that is created if it is missing, and
/// removed if nothing is written.
func makingFolder<Result>(of path: BytePath, _ body: () throws -> Result) throws -> Result {
  let made = try path.folder.makeFolderPath()
  defer { BytePath.removeEmptyFolders(made) }
  return try body()
}

extension BytePath {
  func manifest(of identifier: String) -> BytePath { appending("\(identifier).json".utf8) }
}

/// Writes files in `folder`, which is created if it doesn't exist. If one of them exists and
/// `replacing` is false, none is written.
func write(
  _ files: [(path: BytePath, bytes: [UInt8])], into folder: BytePath, replacing: Bool
) throws {
  for (path, _) in files where try !replacing && FileStatus.ifPresent(path) != nil {
    throw SystemError(.create, path, code: .fileExists)
  }
  Interruption.postpone()
  try makingFolder(of: folder.appending("_".utf8)) {
    try FileGroup(files.map { (path: $0, bytes: $1, replaces: replacing) })
      .write(removed: tellLeftover)
  }
}

extension ManifestCheck {
  /// Checks a manifest that isn't written yet: to `path`, or else to the standard output.
  init(ofNew manifest: [UInt8], at path: BytePath?, _ options: ManifestCheck.Options) {
    let name = path?.bytes ?? Array("<stdout>".utf8)
    self.init(of: SourceText(name: name, bytes: manifest), readFrom: path, options)
  }
}

/// Writes manifests in `folder`, unless one is an input, and notes what is said `about` each.
func writeManifests(
  _ manifests: [(identifier: String, bytes: [UInt8], about: String)], into folder: BytePath,
  replacing: Bool, withInputs inputs: [BytePath?], filesOf selections: [Selection] = [],
  _ console: Console?
) throws {
  let paths = manifests.map { folder.manifest(of: $0.identifier) }
  try compare(paths, withInputs: inputs, filesOf: selections)
  try write(zip(paths, manifests).map { ($0, $1.bytes) }, into: folder, replacing: replacing)
  for (path, manifest) in zip(paths, manifests) { console?.tell("\(path): \(manifest.about)") }
}

extension BytePath {
  /// The same as ``relative(to:)`` for a folder that may be missing.
  func relative(toFolderToBeMade folder: BytePath) throws(SystemError) -> String? {
    if try FileStatus.ifPresent(folder) != nil { return try relative(to: folder) }
    guard let path = try relative(toFolderToBeMade: folder.folder) else { return nil }
    return path == "." ? ".." : "../" + path
  }
}

/// Reports the removal of a file or folder that a killed run left.
@Sendable func tellLeftover(_ path: BytePath) {
  FileDescriptor.writeToStandardError(
    "note: removed '\(path)', left by an interrupted run\n")
}

/// Runs `body` while no other run changes download manifests next to `manifest`.
func holdingLock<Result>(
  of manifest: BytePath, _ console: Console, _ body: () throws -> Result
) throws -> Result {
  let lock: FolderLock
  do {
    lock = try FolderLock(listAt: manifest) {
      console.tell("waiting for another ba-package that is updating a list in '\(manifest.folder)'")
    }
  } catch {
    try Interrupted.check("nothing was written")
    guard error.code == .wouldBlock else { throw error }
    throw PackagingError(
      "another ba-package has been updating a list in '\(manifest.folder)' for ten minutes; "
        + "'\(manifest)' was not written")
  }
  let result = try body()
  lock.release()
  return result
}
