/// The files that exist at the paths of outputs, found once for all packs.
package struct PresentOutputs: Sendable {
  fileprivate typealias Name = (folder: FileStatus.Identity, name: [UInt8])

  fileprivate private(set) var files: Set<FileStatus.Identity> = []
  /// By the file's identity, or that of the link if the output is one.
  fileprivate private(set) var names: [FileStatus.Identity: [Name]] = [:]
  /// The error that ended the search.
  let problem: SystemError?

  package init(_ paths: [BytePath] = []) {
    do throws(SystemError) {
      for path in paths {
        guard
          let file = try optional(
            .noSuchFile, .notDirectory, .tooManyLinks, call: FileStatus.following(path).identity)
        else { continue }
        files.insert(file)
        let folder = try FileStatus.following(path.folder).identity
        names[try FileStatus.notFollowing(path).identity, default: []]
          .append((folder, Array(path.name)))
      }
      problem = nil
    } catch {
      problem = error
    }
  }
}

/// The files below a source root. Links are followed if their targets are inside, or always if the
/// policy allows it.
package struct SourceTree: ~Copyable {
  let root: BytePath
  let folder: RootFolder
  let resolvedRoot: BytePath
  private let outputs: PresentOutputs
  private let links: LinkPolicy
  private let kept: ListingCache?
  private let threads: Int?

  /// Opens `root`. ``isOutput(_:)`` recognizes `outputs`. With a cache for `root`, ``children(of:)``
  /// reads each folder only once. Large trees are read by `threads` additional threads, by default
  /// one for each other processor.
  package init(
    _ root: BytePath, outputs: PresentOutputs = PresentOutputs(), links: LinkPolicy = .inside,
    cache: ListingCache? = nil, threads: Int? = nil
  ) throws(SystemError) {
    // Everything that can fail comes first.
    let resolvedRoot = try root.resolved()
    let folder = try root.attempt(.openFolder, FileDescriptor.directory(root))
    if let problem = outputs.problem { throw problem }
    self.root = root
    self.threads = threads
    self.folder = RootFolder(folder, root)
    kept = cache
    self.resolvedRoot = resolvedRoot
    self.links = links
    self.outputs = outputs
  }

  /// Whether this is a file that the run may overwrite.
  func isOutput(_ status: FileStatus) -> Bool { outputs.files.contains(status.identity) }

  /// Whether the file at `path` is an output, or a link to one; `status` is that of the file behind
  /// the link. Another file that an output leads to, by a symbolic or hard link, is not.
  func isOutput(_ path: RelativePath, _ own: FileStatus, _ status: FileStatus) -> Bool {
    if outputs.names.isEmpty { return false }
    if own.kind == .symbolicLink, outputs.names[status.identity] != nil { return true }
    return (outputs.names[own.identity] ?? []).contains { output in
      path.name.elementsEqual(output.name)
        && (try? FileStatus.following(full(path).folder))?.identity == output.folder
    }
  }

  /// A name in a folder and its status, which may be that of a link.
  package struct Child {
    package let name: [UInt8]
    package let status: FileStatus
  }

  /// The identity of a folder and its children whose names match, sorted by name. Files that are
  /// deleted meanwhile are skipped. With `only`, the one name that can match, the folder isn't
  /// listed. Names that don't begin with `prefix` needn't match.
  package func children(
    of path: RelativePath, only: [UInt8]? = nil, from prefix: [UInt8] = [],
    ahead: ReadAhead? = nil,
    where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> (folder: FileStatus.Identity, [Child]) {
    let shown = full(path)
    let isListed = only == nil || !namesAreBytes
    if isListed, let listing = kept?[path] {
      return (listing.folder, try listing.children(from: prefix, where: isWanted))
    }
    if let listing = try ahead?.take(path)?.get() {
      return (listing.folder, try listing.children(where: isWanted))
    }
    let opened = try folder.open(path)
    let names = try shown.attempt(.readFolder, opened.names(only: only))
    // The folder itself counts as one name, since empty folders need memory too.
    guard isListed, let kept, kept.reserve(names.count + 1) else {
      let listing = try FolderListing(of: names.filter(isWanted), in: opened, shown)
      return (listing.folder, try listing.children())
    }
    let listing = try FolderListing(of: names, in: opened, shown)
    kept.keep(listing, of: path)
    return (listing.folder, try listing.children(where: isWanted))
  }

  /// Reads folders ahead of a walk; nil if listings are cached anyway.
  func readAhead() -> ReadAhead? {
    guard kept == nil else { return nil }
    return ReadAhead(threads: threads) { [folder] path in folder.listing(of: path) }
  }

  /// What a path leads to.
  enum Target {
    case there(FileStatus)
    case blocked(Obstacle)
  }

  /// Why a path leads to nothing that can be read.
  enum Obstacle {
    case missing
    /// The link, at or above the path, leads nowhere: its targets, one link after another.
    case dangling(RelativePath, [BytePath])
    /// The link leads back to itself, or to a folder that it is in.
    case loop(RelativePath)
    /// The target is outside the root.
    case outside(BytePath)
    /// It was replaced while it was read.
    case replaced
    case unreadable(SystemError)
  }

  /// What `path` leads to, which must be inside the root after all links are resolved.
  func target(of path: RelativePath) -> Target {
    let shown = full(path)
    do throws(SystemError) {
      let (status, resolved) = (try FileStatus.following(shown), try shown.resolved())
      guard links == .follow || resolved.path(inside: resolvedRoot) != nil else {
        return .blocked(.outside(resolved))
      }
      // Both calls see the same file, unless a link was replaced in between.
      let now = try FileStatus.ifPresent(resolved)
      return now?.identity == status.identity ? .there(status) : .blocked(.replaced)
    } catch {
      let isLoop = error.code == .tooManyLinks
      guard isLoop || error.code == .noSuchFile || error.code == .notDirectory else {
        return .blocked(.unreadable(error))
      }
      // Errors in here only make the reason less precise.
      guard let (link, target) = brokenLink(in: path) else {
        return .blocked(isLoop ? .unreadable(error) : .missing)
      }
      return .blocked(isLoop ? .loop(link) : .dangling(link, chain(from: link, target)))
    }
  }

  /// The finding about a path that leads to nothing.
  func finding(
    _ obstacle: Obstacle, _ path: RelativePath, at location: SourceLocation?
  ) -> Finding {
    func found(_ rule: Rule, _ problem: String, _ note: String? = nil) -> Finding {
      Finding(rule, problem, at: location, notes: [note.map { Note($0) }])
    }
    switch obstacle {
    case .missing: return found(.missingFile, "there is no '\(path)'")
    case .dangling(let link, let targets):
      return found(
        .danglingLink,
        "'\(link)' links to "
          + targets.map { "'\($0)'" }.joined(separator: ", which links to ")
          + ", which does not exist",
        fetching(path, targets) ?? "fix the link, or exclude it with 'fileExclusion'")
    case .loop(let link):
      // Even if the link can't be read.
      let target = (try? full(link).linkTarget()) ?? "."
      return found(
        .linkLoop, "'\(link)' links to '\(target)', which leads back to it",
        "fix the link, or exclude it with 'fileExclusion'")
    case .outside(let resolved):
      return found(
        .linkOutsideRoot,
        "'\(path)' links to '\(resolved)', outside the source root '\(resolvedRoot)'",
        "copy the target into the repository, or set the source root to a folder above both")
    case .replaced:
      return found(
        .unreadableFile, "'\(full(path))' was replaced while the repository was read",
        "run again when nothing writes to the repository")
    case .unreadable(let error): return found(.unreadableFile, "\(error)")
    }
  }

  /// Fails if the file at `path` can't be read. Only files that aren't world-readable require a
  /// system call.
  func checkReadable(_ path: RelativePath, _ status: FileStatus) throws(SystemError) {
    if status.isReadableByAll { return }
    try full(path).checkReadable()
  }

  /// The first link in `path` that leads nowhere, the one to fix, and its target.
  private func brokenLink(in path: RelativePath) -> (RelativePath, BytePath)? {
    var link = RelativePath.root
    for component in path.components {
      link = link.appending(component)
      guard let target = try? full(link).linkTarget(),
        (try? FileStatus.following(full(link))) == nil
      else { continue }
      return (link, target)
    }
    return nil
  }

  /// The targets of a dangling link, one link after another.
  private func chain(from link: RelativePath, _ target: BytePath) -> [BytePath] {
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

  private func full(_ path: RelativePath) -> BytePath { root.appending(path.bytes) }
}

/// The exact names in folders. macOS finds `Credits.txt` as `credits.txt`; iOS devices and Linux
/// don't.
package struct ExactNameCache {
  /// The names by folder; nil for folders that can't be listed.
  private var names: [RelativePath: Set<[UInt8]>?] = [:]

  package init() {}

  /// Whether each component of `path` is in its folder with exactly these bytes. In folders that
  /// can't be listed, every name counts as exact.
  package mutating func isExact(
    _ path: RelativePath, in tree: borrowing SourceTree
  ) throws(SystemError) -> Bool {
    var folder = RelativePath.root
    for component in path.components {
      let name = Array(component)
      guard try list(folder, tree)?.contains(name) ?? true else { return false }
      folder = folder.appending(name)
    }
    return true
  }

  /// The names in a folder; nil if it can't be listed.
  mutating func list(
    _ folder: RelativePath, _ tree: borrowing SourceTree
  ) throws(SystemError) -> Set<[UInt8]>? {
    if let known = names[folder] { return known }
    var listed: Set<[UInt8]>?
    do {
      listed = Set(try tree.folder.names(in: folder))
    } catch {
      guard [.permissionDenied, .notDirectory].contains(error.code) else { throw error }
    }
    names[folder] = .some(listed)
    return listed
  }
}
