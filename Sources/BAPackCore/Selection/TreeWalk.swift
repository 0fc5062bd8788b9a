/// Finds the files below a root that one selector takes.
///
/// Links are followed while they lead to something inside the root. What can't be packed becomes a
/// finding at the selector; the walk goes on with the rest.
struct TreeWalk {
  private let glob: Glob?
  private let exclusions: Exclusions
  private let location: SourceLocation
  private let index: Int
  private let source: RelativePath
  private let destination: RelativePath
  /// The folders from the walk's first to the present one.
  private var ancestors: [FileStatus.Identity] = []
  /// How often each folder was walked: only links lead to one more than once.
  private var walks: [FileStatus.Identity: Int] = [:]
  /// Whether a folder was walked too often, which ends the walk.
  private var isGivenUp = false
  private(set) var findings: [Finding] = []
  /// The exclusions that took something out.
  private(set) var usedExclusions: Set<Int> = []

  /// How often one folder may be walked. Folders of links that lead to folders of links are walked
  /// twice as often at each step: forty steps would not end.
  static let mostWalks = 1000

  /// A walk for selector number `index`, whose path is written at `location`: for all files below
  /// `source`, or those that `glob` takes. They go below `destination`.
  init(
    from source: RelativePath = .root, to destination: RelativePath = .root,
    matching glob: Glob? = nil, except exclusions: Exclusions, for index: Int,
    at location: SourceLocation
  ) {
    self.source = source
    self.destination = destination
    self.glob = glob
    self.exclusions = exclusions
    self.index = index
    self.location = location
  }

  /// Whether the walk would take the root's own `.git` or something in it, were it not left out.
  var leavesRepositoryOut: Bool {
    guard source == .root else { return false }
    let match = match(repositoryName, glob?.start)
    return match.takesFile || match.takesFolder
  }

  /// Appends everything below the source to `files`, in the order of an archive.
  ///
  /// The source must be the folder of this `identity`, which is known to lie inside the root.
  mutating func run(
    from identity: FileStatus.Identity? = nil, in tree: borrowing SourceTree,
    into files: inout [SelectedFile]
  ) {
    visit(source, identity, glob?.start, tree, &files)
  }

  /// What the rest of a path may be for a glob to take it.
  private struct Match {
    let progress: Glob.Progress?
    let takesFile: Bool
    let takesFolder: Bool
  }

  private func match(_ name: [UInt8], _ progress: Glob.Progress?) -> Match {
    guard let glob, let progress else {
      return Match(progress: nil, takesFile: true, takesFolder: true)
    }
    let next = glob.advance(progress, by: name[...])
    return Match(
      progress: next, takesFile: glob.isComplete(next), takesFolder: glob.mayMatchBelow(next))
  }

  private mutating func visit(
    _ folder: RelativePath, _ expected: FileStatus.Identity?, _ progress: Glob.Progress?,
    _ tree: borrowing SourceTree, _ files: inout [SelectedFile]
  ) {
    let (identity, children): (FileStatus.Identity, [SourceTree.Child])
    do throws(SourceError) {
      let only = progress.flatMap { glob?.onlyName($0) }
      (identity, children) = try tree.children(
        of: folder, expecting: expected, only: only
      ) { name in
        if folder == .root, name == repositoryName { return false }
        // What is being written, or what a killed run has left.
        if isTemporaryName(name) { return false }
        let match = match(name, progress)
        return match.takesFile || match.takesFolder
      }
      if ancestors.contains(identity) { throw tree.loop(at: folder) }
    } catch {
      findings.append(error.finding(folder, at: location))
      return
    }
    guard countWalk(identity, folder) else { return }
    ancestors.append(identity)
    defer { ancestors.removeLast() }
    for child in children where !isGivenUp {
      let match = match(child.name, progress)
      // Most files that a `**` passes by need no path.
      if child.status.kind == .file, !match.takesFile { continue }
      visit(child, folder.appending(child.name), match, tree, &files)
    }
  }

  /// Counts a walk of `folder`; false for the one that is too many.
  private mutating func countWalk(
    _ identity: FileStatus.Identity, _ folder: RelativePath
  ) -> Bool {
    walks[identity, default: 0] += 1
    guard walks[identity, default: 0] > Self.mostWalks else { return true }
    isGivenUp = true
    // In front of what was found in the folder a thousand times.
    findings.insert(
      Finding(
        .repeatedFolder,
        "links lead to the folder '\(folder)' by more than \(grouped(Self.mostWalks)) paths",
        at: location,
        notes: [Note("take links out with 'fileExclusion', or replace them by what they lead to")]),
      at: 0)
    return false
  }

  private mutating func visit(
    _ child: SourceTree.Child, _ path: RelativePath, _ match: Match,
    _ tree: borrowing SourceTree, _ files: inout [SelectedFile]
  ) {
    var status = child.status
    if status.kind == .symbolicLink {
      do throws(SourceError) {
        status = try tree.status(path)
      } catch {
        // A pattern that only passes by has nothing to say of a broken link.
        if match.takesFile, !recordExclusion(of: path, isFolder: false) {
          findings.append(error.finding(path, at: location))
        }
        return
      }
    }
    let isFolder = status.kind == .directory
    guard isFolder ? match.takesFolder : match.takesFile,
      !recordExclusion(of: path, isFolder: isFolder),
      !tree.isOutput(status)
    else { return }
    switch status.kind {
    case _ where !isUTF8(child.name):
      findings.append(
        Finding(
          .nameNotUTF8, "the name of '\(path)' is not UTF-8", at: location,
          notes: [Note("rename it: an archive holds UTF-8 paths only")]))
    case .directory:
      visit(path, status.identity, match.progress, tree, &files)
    case .file:
      do throws(SourceError) {
        try tree.checkReadable(path, status)
      } catch {
        findings.append(error.finding(path, at: location))
      }
      files.append(
        SelectedFile(
          destination: source == destination ? path : path.moved(from: source, to: destination),
          source: path, status, selector: index))
    default:
      findings.append(
        Finding(
          .specialFile, "'\(path)' is \(status.kind), which can't be packed", at: location,
          notes: [Note("move it away or take it out with 'fileExclusion'")]))
    }
  }

  /// Notes the exclusions that take this path out; whether there are any.
  private mutating func recordExclusion(of path: RelativePath, isFolder: Bool) -> Bool {
    let excluding = exclusions.selectors(excluding: path, isFolder: isFolder)
    usedExclusions.formUnion(excluding)
    return !excluding.isEmpty
  }
}

private let repositoryName = Array(".git".utf8)

private func isUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
}
