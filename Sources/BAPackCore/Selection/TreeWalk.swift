/// Finds the files below a root that one selector matches.
///
/// Links to targets inside the root are followed. A file that can't be packaged becomes a finding
/// for the selector, and the walk continues.
struct TreeWalk {
  private let location: SourceLocation
  private let index: Int
  /// The folder to walk and where it is in the pack, and the pattern for files in it.
  private let (source, destination, glob): (RelativePath, RelativePath, Glob?)
  private let exclusions: Exclusions
  /// The folders from the first to the current one.
  private var ancestors: [FileStatus.Identity] = []
  private var ahead: ReadAhead?
  /// The number of visits to each folder: only links cause more than one.
  private var visits: [FileStatus.Identity: Int] = [:]
  /// Whether a folder was visited too often, which ends the walk.
  private var isGivenUp = false
  private(set) var findings: [Finding] = []
  /// The folders whose listings were used.
  private(set) var folders: [RelativePath] = []
  /// The exclusions that excluded something.
  private(set) var usedExclusions: Set<Int> = []

  /// The maximum number of visits to one folder. With folders of links to folders of links, the
  /// number doubles at each level: forty levels would never finish.
  static let maximumVisits = 1000

  /// The problem with more visits to `folder`.
  static func tooManyVisits(to folder: RelativePath) -> String {
    "links lead to the folder '\(folder)' by more than \(grouped(maximumVisits)) paths"
  }

  /// A walk for what a selector, the one with this index, selects.
  init(
    _ selector: FileSelector, _ index: Int, except exclusions: Exclusions
  ) {
    location = selector.source.location
    self.index = index
    glob = selector.glob
    (source, destination) = glob == nil ? (selector.path, selector.packPath) : (.root, .root)
    self.exclusions = exclusions
  }

  /// Whether the walk skips the root's own `.git` although the selector matches it or files in it.
  var skipsRepository: Bool {
    guard source == .root else { return false }
    let match = match(repositoryName, glob?.start)
    return match.matchesFile || match.entersFolder
  }

  /// The path in the pack of the file at `path`.
  func destination(of path: RelativePath) -> RelativePath {
    source == destination ? path : path.moved(from: source, to: destination)
  }

  /// Appends everything below the source to `files`, in archive order.
  ///
  /// The source must be the folder with this `identity`, which is known to be inside the root.
  mutating func run(
    from identity: FileStatus.Identity? = nil, in tree: borrowing SourceTree,
    into files: inout [SelectedFile]
  ) {
    // A pattern may need the status of only a few names, and may not match what would be read
    // ahead.
    if glob == nil { ahead = tree.readAhead() }
    defer { ahead?.end() }
    visit(source, identity, glob?.start, tree, &files)
  }

  /// Whether a path matches, and whether something below it can.
  private struct Match {
    let progress: Glob.Progress?
    let matchesFile: Bool
    let entersFolder: Bool
  }

  private func match(_ name: [UInt8], _ progress: Glob.Progress?) -> Match {
    guard let glob, let progress else {
      return Match(progress: nil, matchesFile: true, entersFolder: true)
    }
    let next = glob.advance(progress, by: name[...])
    return Match(
      progress: next, matchesFile: glob.isComplete(next), entersFolder: glob.mayMatchBelow(next))
  }

  private mutating func visit(
    _ folder: RelativePath, _ expected: FileStatus.Identity?, _ progress: Glob.Progress?,
    _ tree: borrowing SourceTree, _ files: inout [SelectedFile]
  ) {
    if Work.isStopping { return }
    let (identity, children): (FileStatus.Identity, [SourceTree.Child])
    let only = progress.flatMap { glob?.onlyName($0) }
    do {
      (identity, children) = try tree.children(
        of: folder, only: only, from: progress.flatMap { glob?.prefix($0) } ?? [], ahead: ahead
      ) { name in
        if folder == .root, name == repositoryName { return false }
        // An unfinished file, or a leftover of a killed run.
        if isTemporaryName(name) { return false }
        let match = match(name, progress)
        return match.matchesFile || match.entersFolder
      }
    } catch {
      return report(.unreadable(error), folder, tree)
    }
    if let expected, identity != expected { return report(.replaced, folder, tree) }
    if ancestors.contains(identity) { return report(.loop(folder), folder, tree) }
    // A folder counts unless a single name was looked up in it and found.
    if only == nil || children.isEmpty { folders.append(folder) }
    guard countVisit(identity, folder) else { return }
    if let ahead { ahead.add(folders(in: folder, children)) }
    ancestors.append(identity)
    defer { ancestors.removeLast() }
    for child in children where !isGivenUp {
      let match = match(child.name, progress)
      // Most files that don't match need no path.
      if child.status.kind == .file, !match.matchesFile { continue }
      visit(child, folder.appending(child.name), match, tree, &files)
    }
  }

  /// The folders among `children` that will be visited, except for the first, which is next.
  private func folders(
    in folder: RelativePath, _ children: [SourceTree.Child]
  ) -> [RelativePath] {
    children.filter { $0.status.kind == .directory }.dropFirst()
      .map { folder.appending($0.name) }
      .filter { exclusions.selectors(excluding: $0, isFolder: true).isEmpty }
  }

  /// Counts a visit to `folder`; false if there were too many, which is reported.
  private mutating func countVisit(
    _ identity: FileStatus.Identity, _ folder: RelativePath
  ) -> Bool {
    visits[identity, default: 0] += 1
    guard visits[identity, default: 0] > Self.maximumVisits else { return true }
    isGivenUp = true
    // Inserted before the findings that the many visits caused.
    findings.insert(
      Finding(
        .repeatedFolder, Self.tooManyVisits(to: folder), at: location,
        notes: [Note("exclude links with 'fileExclusion', or replace them with their targets")]),
      at: 0)
    return false
  }

  private mutating func visit(
    _ child: SourceTree.Child, _ path: RelativePath, _ match: Match,
    _ tree: borrowing SourceTree, _ files: inout [SelectedFile]
  ) {
    var status = child.status
    if status.kind == .symbolicLink {
      switch tree.target(of: path) {
      case .there(let target): status = target
      case .blocked(let obstacle):
        // If the pattern doesn't match the link itself, the link isn't reported.
        guard match.matchesFile, !applyExclusions(path, isFolder: false) else { return }
        return report(obstacle, path, tree)
      }
    }
    let isFolder = status.kind == .directory
    guard isFolder ? match.entersFolder : match.matchesFile,
      !applyExclusions(path, isFolder: isFolder),
      !tree.isOutput(path, child.status, status)
    else { return }
    switch status.kind {
    case _ where !isUTF8(child.name):
      findings.report(
        .nameNotUTF8, "the name of '\(path)' is not UTF-8", at: location,
        notes: [Note("rename it: paths in a pack must be UTF-8")])
    case .directory:
      visit(path, status.identity, match.progress, tree, &files)
    case .file:
      do {
        try tree.checkReadable(path, status)
      } catch {
        report(.unreadable(error), path, tree)
      }
      files.append(
        SelectedFile(destination: self.destination(of: path), source: path, status, selector: index)
      )
    default:
      findings.report(
        .specialFile, "'\(path)' is \(status.kind), which can't be packaged", at: location,
        notes: [Note("remove it, or exclude it with 'fileExclusion'")])
    }
  }

  private mutating func report(
    _ obstacle: SourceTree.Obstacle, _ path: RelativePath, _ tree: borrowing SourceTree
  ) {
    findings.append(tree.finding(obstacle, path, at: location))
  }

  private mutating func applyExclusions(_ path: RelativePath, isFolder: Bool) -> Bool {
    let excluding = exclusions.selectors(excluding: path, isFolder: isFolder)
    usedExclusions.formUnion(excluding)
    return !excluding.isEmpty
  }
}

private let repositoryName = Array(".git".utf8)

private func isUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
}
