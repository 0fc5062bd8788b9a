/// The files that a run writes, compared with each other and with the files that it reads before
/// anything is written. Links are followed; pipes and devices are not compared.
package struct OutputFiles: Sendable {
  /// Identifies a file, or the target of one that doesn't exist yet.
  private enum Key: Hashable {
    case file(FileStatus.Identity)
    /// Some volumes ignore case.
    case missing(FileStatus.Identity, name: String)
    case missingWithFolder(BytePath)
  }

  private var outputs: [Key: BytePath] = [:]
  /// ``FileStatus/version`` of those that exist.
  private var versions: [UInt64: BytePath] = [:]

  /// Outputs at `paths`, and those at `own` paths, which the program chose and which must not be
  /// links. Fails if one can't be written, or if two are the same file.
  package init(_ paths: [BytePath], own: [BytePath] = []) throws {
    for (path, isOwn) in paths.map({ ($0, false) }) + own.map({ ($0, true) }) {
      let target = try path.outputTarget(isOwn: isOwn)
      guard let key = try Self.key(of: path, target) else { continue }
      if let other = outputs.updateValue(path, forKey: key) {
        throw PackError(
          .outputIsInput,
          other == path
            ? "'\(path)' is the path of two outputs; write them to different files"
            : "'\(other)' and '\(path)' are the same file; write the outputs to different files")
      }
      if case .file(_, let status?) = target { versions[status.version] = path }
    }
  }

  private static func key(of path: BytePath, _ target: OutputTarget) throws(SystemError) -> Key? {
    switch target {
    case .stream: return nil
    case .descriptor:
      let status = try FileStatus.following(path)
      return status.kind == .file ? .file(status.identity) : nil
    case .file(_, let status?): return .file(status.identity)
    case .file(let target, nil):
      let folder = try optional(
        .noSuchFile, .notDirectory, call: FileStatus.following(target.folder).identity)
      return folder.map { .missing($0, name: caseFolded(target.name)) }
        ?? .missingWithFolder(target)
    }
  }

  /// Fails if an output is one of the files at `paths`, which the run reads; `-` is the standard
  /// input.
  package func compare(withInputs paths: [BytePath]) throws {
    if outputs.isEmpty { return }
    for path in paths {
      // A missing input is reported where it is read.
      let status =
        path.isStandardStream
        ? try? FileDescriptor.standardInput.status() : try? FileStatus.following(path)
      guard let status, let output = outputs[.file(status.identity)] else { continue }
      throw Self.clash(output, path)
    }
  }

  /// Fails if an output is one of the files of a pack.
  package func compare(withFilesOf selection: Selection) throws {
    if versions.isEmpty { return }
    for file in selection.files {
      if let output = versions[file.version] {
        throw Self.clash(output, selection.root.appending(file.source.bytes))
      }
    }
  }

  private static func clash(_ output: BytePath, _ input: BytePath) -> PackError {
    PackError(
      .outputIsInput,
      output == input
        ? "'\(output)' is also an input; write to another file"
        : "'\(output)' is the same file as the input '\(input.shown)'; write to another file",
      path: output)
  }
}
