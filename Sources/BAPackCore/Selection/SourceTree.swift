/// The repository below a root. Links are followed while they stay inside; nothing else gets in.
struct SourceTree: ~Copyable {
  /// The folder that paths are relative to.
  let root: FilePath
  private let folder: FileDescriptor
  private let resolvedRoot: FilePath
  private let output: FileStatus.Identity?

  /// Opens `root`. The file at `output`, if there is one, is known by ``isOutput(_:)``.
  init(_ root: FilePath, output: FilePath?) throws(SystemError) {
    // All that may fail comes first: a value is whole or not there.
    let resolvedRoot = try root.resolved()
    let folder = try FileDescriptor.directory(root)
    self.root = root
    self.folder = folder
    self.resolvedRoot = resolvedRoot
    self.output = output.flatMap { try? FileStatus.following($0).identity }
  }

  /// Whether this is the file that the run is going to replace.
  func isOutput(_ status: FileStatus) -> Bool { status.identity == output }

  /// A name in a folder, and what it names, be it a link.
  struct Child {
    let name: [UInt8]
    let status: FileStatus
  }

  /// The identity of a folder and all that it holds, sorted by name.
  func children(
    of path: RelativePath
  ) throws(SourceError) -> (folder: FileStatus.Identity, [Child]) {
    do throws(SystemError) {
      let shown = full(path)
      let opened = try folder.directory(path)
      let identity = try opened.status(shown).identity
      var children: [Child] = []
      for name in try opened.names(of: shown) {
        let status = try opened.statusNotFollowing(name, shown: shown.appending(name))
        children.append(Child(name: name, status: status))
      }
      return (identity, children)
    } catch {
      throw .unreadable(error)
    }
  }

  /// What stands at `path`, which must lie inside the root behind all links on the way.
  func status(_ path: RelativePath) throws(SourceError) -> FileStatus {
    let shown = full(path)
    let (status, resolved): (FileStatus, FilePath)
    do throws(SystemError) {
      (status, resolved) = (try .following(shown), try shown.resolved())
    } catch {
      throw whyUnreachable(shown, error)
    }
    guard isInside(resolved) else { throw .linkOutsideRoot(resolved, root: resolvedRoot) }
    return status
  }

  private func whyUnreachable(_ shown: FilePath, _ error: SystemError) -> SourceError {
    let target = try? shown.linkTarget()
    switch error.code {
    case .noSuchFile, .notDirectory: return target.map { .danglingLink($0) } ?? .missing
    case .tooManyLinks: return .linkLoop(target ?? shown)
    default: return .unreadable(error)
    }
  }

  private func full(_ path: RelativePath) -> FilePath { root.appending(path.bytes) }

  private func isInside(_ resolved: FilePath) -> Bool {
    resolvedRoot.bytes == Array("/".utf8) || resolved == resolvedRoot
      || resolved.bytes.starts(with: resolvedRoot.bytes + "/".utf8)
  }
}

/// Why a path of the repository leads to nothing that can be packed.
enum SourceError: Error {
  case missing
  case danglingLink(FilePath)
  case linkLoop(FilePath)
  case linkOutsideRoot(FilePath, root: FilePath)
  case unreadable(SystemError)

  /// The finding for `path`, met by the selector at `location`.
  func finding(_ path: RelativePath, at location: SourceLocation) -> Finding {
    switch self {
    case .missing:
      Finding(.missingFile, "there is no '\(path)'", at: location)
    case .danglingLink(let target):
      Finding(
        .danglingLink, "'\(path)' links to '\(target)', which does not exist", at: location,
        notes: [Note("mend the link or take it out with 'fileExclusion'")])
    case .linkLoop(let target):
      Finding(
        .linkLoop, "'\(path)' links to '\(target)', which leads back to it", at: location,
        notes: [Note("mend the link or take it out with 'fileExclusion'")])
    case .linkOutsideRoot(let target, let root):
      Finding(
        .linkOutsideRoot, "'\(path)' leads to '\(target)', outside the source root '\(root)'",
        at: location,
        notes: [Note("copy the file into the repository, or move the root with --root")])
    case .unreadable(let error):
      Finding(.unreadableFile, "\(error)", at: location)
    }
  }
}
