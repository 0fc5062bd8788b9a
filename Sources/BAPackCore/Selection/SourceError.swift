/// Why a path can't be packaged.
package enum SourceError: Error {
  case missing
  /// A dangling link, with the targets on the way.
  case danglingLink(RelativePath, [BytePath])
  case linkLoop(RelativePath, BytePath)
  case linkOutsideRoot(BytePath, root: BytePath)
  case unreadable(SystemError)
  /// The path was replaced while the repository was read.
  case changed(BytePath)

  /// The stub that a dangling link represents.
  var stub: Stub? {
    if case .danglingLink(_, let targets) = self { Stub(danglingLink: targets) } else { nil }
  }

  /// The finding for `path`, matched by the selector at `location`.
  func finding(_ path: RelativePath, at location: SourceLocation?) -> Finding {
    switch self {
    case .missing:
      Finding(.missingFile, "there is no '\(path)'", at: location)
    case .danglingLink(let link, let targets):
      Finding(
        .danglingLink,
        "'\(link)' links to "
          + targets.map { "'\($0)'" }.joined(separator: ", which links to ")
          + ", which does not exist", at: location,
        notes: [Note("fix the link, or exclude it with 'fileExclusion'")])
    case .linkLoop(let link, let target):
      Finding(
        .linkLoop, "'\(link)' links to '\(target)', which leads back to it", at: location,
        notes: [Note("fix the link, or exclude it with 'fileExclusion'")])
    case .linkOutsideRoot(let target, let root):
      Finding(
        .linkOutsideRoot, "'\(path)' links to '\(target)', outside the source root '\(root)'",
        at: location,
        notes: [
          Note("copy the target into the repository, or set the source root to a folder above both")
        ])
    case .unreadable(let error):
      Finding(.unreadableFile, "\(error)", at: location)
    case .changed(let path):
      Finding(
        .unreadableFile, "'\(path)' was replaced while the repository was read", at: location,
        notes: [Note("run again when nothing writes to the repository")])
    }
  }
}
