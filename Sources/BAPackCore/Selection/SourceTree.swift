/// The repository below a root. Links are followed while they stay inside; nothing else gets in.
package struct SourceTree: ~Copyable {
  /// The folder that paths are relative to.
  let root: FilePath
  private let folder: FileDescriptor
  private let resolvedRoot: FilePath
  private let output: FileStatus.Identity?
  private let kept: KeptListings?

  /// Opens `root`. The file at `output`, if there is one, is known by ``isOutput(_:)``. Where
  /// `keepsListings` is true, a folder is read once, however often ``children(of:only:where:)`` asks
  /// for it.
  package init(
    _ root: FilePath, output: FilePath?, keepsListings: Bool = false
  ) throws(SystemError) {
    // All that may fail comes first: a value is whole or not there.
    let resolvedRoot = try root.resolved()
    let folder = try FileDescriptor.directory(root)
    self.root = root
    self.folder = folder
    kept = keepsListings ? KeptListings() : nil
    self.resolvedRoot = resolvedRoot
    self.output = output.flatMap { try? FileStatus.following($0).identity }
  }

  /// Whether this is the file that the run is going to replace.
  func isOutput(_ status: FileStatus) -> Bool { status.identity == output }

  /// A name in a folder, and what it names, be it a link.
  package struct Child {
    package let name: [UInt8]
    package let status: FileStatus
  }

  /// The identity of a folder, and those of the things in it whose names `takes` wants, sorted by
  /// name. What vanishes while the folder is listed is left out. When nothing but `only` can be
  /// wanted, the folder is not listed. Fails where the folder is not the one that is `expected`.
  package func children(
    of path: RelativePath, expecting expected: FileStatus.Identity? = nil, only: [UInt8]? = nil,
    where takes: ([UInt8]) -> Bool = { _ in true }
  ) throws(SourceError) -> (folder: FileStatus.Identity, [Child]) {
    let found = try listed(path, only: only, where: takes)
    if let expected, found.folder != expected { throw .changed(full(path)) }
    return found
  }

  private func listed(
    _ path: RelativePath, only: [UInt8]?, where takes: ([UInt8]) -> Bool
  ) throws(SourceError) -> (folder: FileStatus.Identity, [Child]) {
    let shown = full(path)
    let isListed = only == nil || !namesAreBytes
    do throws(SystemError) {
      if isListed, let listing = kept?[path] {
        return (listing.folder, try listing.children(where: takes))
      }
      let opened = try open(path)
      let names = try opened.names(of: shown, only: only)
      // The folder's own path counts for one: there may be ever so many without a name in them.
      guard isListed, let kept, kept.claim(names.count + 1) else {
        let listing = try FolderListing(of: names.filter(takes), in: opened, shown)
        return (listing.folder, try listing.children())
      }
      let listing = try FolderListing(of: names, in: opened, shown)
      kept.keep(listing, of: path)
      return (listing.folder, try listing.children(where: takes))
    } catch {
      throw .unreadable(error)
    }
  }

  /// The names in a folder, sorted.
  func names(in path: RelativePath) throws(SourceError) -> [[UInt8]] {
    do throws(SystemError) {
      return try open(path).names(of: full(path))
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
      throw whyUnreachable(path, error)
    }
    guard isInside(resolved) else { throw .linkOutsideRoot(resolved, root: resolvedRoot) }
    // Both looked at the same thing, unless a link was exchanged in between.
    guard (try? FileStatus.notFollowing(resolved))?.identity == status.identity else {
      throw .changed(shown)
    }
    return status
  }

  /// Fails where the file at `path` can't be read. The system is only asked about files that not all
  /// may read: others take no further call.
  func checkReadable(_ path: RelativePath, _ status: FileStatus) throws(SourceError) {
    if status.isReadableByAll { return }
    do throws(SystemError) {
      try full(path).checkReadable()
    } catch {
      throw .unreadable(error)
    }
  }

  /// The error for a folder that a link above or at `path` leads back to.
  func loop(at path: RelativePath) -> SourceError {
    .linkLoop(path, (try? full(path).linkTarget()) ?? ".")
  }

  private func whyUnreachable(_ path: RelativePath, _ error: SystemError) -> SourceError {
    let isLoop = error.code == .tooManyLinks
    guard isLoop || error.code == .noSuchFile || error.code == .notDirectory else {
      return .unreadable(error)
    }
    // The first link on the way that leads nowhere is the one to mend.
    var link = RelativePath.root
    for component in path.components {
      link = link.appending(component)
      guard let target = try? full(link).linkTarget(),
        (try? FileStatus.following(full(link))) == nil
      else { continue }
      return isLoop ? .linkLoop(link, target) : .danglingLink(link, chain(from: link, target))
    }
    return isLoop ? .unreadable(error) : .missing
  }

  /// The targets that a dangling link leads to, one link after another.
  private func chain(from link: RelativePath, _ target: FilePath) -> [FilePath] {
    var targets = [target]
    var folder = full(link).folder
    while let last = targets.last, targets.count < 40 {
      let next = folder.appending(last.bytes)
      guard let target = try? next.linkTarget() else { break }
      targets.append(target)
      folder = next.folder
    }
    return targets
  }

  /// Opens a folder; an error shows the whole path, as others do.
  private func open(_ path: RelativePath) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try folder.directory(path)
    } catch {
      throw SystemError(error.operation, full(path), code: error.code)
    }
  }

  private func full(_ path: RelativePath) -> FilePath { root.appending(path.bytes) }

  private func isInside(_ resolved: FilePath) -> Bool {
    resolvedRoot.bytes == Array("/".utf8) || resolved == resolvedRoot
      || resolved.bytes.starts(with: resolvedRoot.bytes + "/".utf8)
  }
}

/// Why a path of the repository leads to nothing that can be packed.
package enum SourceError: Error {
  case missing
  /// A link to something that does not exist, through these targets.
  case danglingLink(RelativePath, [FilePath])
  case linkLoop(RelativePath, FilePath)
  case linkOutsideRoot(FilePath, root: FilePath)
  case unreadable(SystemError)
  /// Something else was put there while the repository was read.
  case changed(FilePath)

  /// The finding for `path`, met by the selector at `location`.
  func finding(_ path: RelativePath, at location: SourceLocation) -> Finding {
    switch self {
    case .missing:
      Finding(.missingFile, "there is no '\(path)'", at: location)
    case .danglingLink(let link, let targets):
      Finding(
        .danglingLink,
        "'\(link)' links to "
          + targets.map { "'\($0)'" }.joined(separator: ", which links to ")
          + ", which does not exist", at: location,
        notes: [Note("mend the link or take it out with 'fileExclusion'")])
    case .linkLoop(let link, let target):
      Finding(
        .linkLoop, "'\(link)' links to '\(target)', which leads back to it", at: location,
        notes: [Note("mend the link or take it out with 'fileExclusion'")])
    case .linkOutsideRoot(let target, let root):
      Finding(
        .linkOutsideRoot, "'\(path)' leads to '\(target)', outside the source root '\(root)'",
        at: location,
        notes: [Note("copy the file into the repository, or move the root with --root")])
    case .unreadable(let error):
      Finding(.unreadableFile, "\(error)", at: location)
    case .changed(let path):
      Finding(
        .unreadableFile, "'\(path)' was replaced while the repository was read", at: location,
        notes: [Note("run again when nothing writes to the repository")])
    }
  }
}
