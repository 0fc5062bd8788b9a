/// Finds the files below a folder for proposing packs, and what to exclude.
struct ScaffoldWalk {
  /// A file and its innermost language folder.
  struct File {
    let path: RelativePath
    let size: UInt64
    let language: LanguageFolder?
  }

  /// A folder with the contents of one language.
  struct LanguageFolder: Hashable {
    let path: RelativePath
    let language: String
  }

  /// An exclusion in a manifest.
  struct Exclusion: Hashable {
    /// The path or pattern of the selector.
    let path: RelativePath
    /// The reason, for a comment.
    let reason: String
    /// The path of the first match.
    let place: RelativePath
    /// Whether it is a folder, or a link to one, which patterns for files don't match.
    let isFolder: Bool
  }

  private(set) var files: [File] = []
  private(set) var exclusions: [Exclusion] = []
  /// Why some files can't be packaged at all: they can't be read, or have names that aren't UTF-8.
  private(set) var problems: [String] = []
  /// Hidden files and folders at the top, which belong to tools.
  private(set) var hidden: [RelativePath] = []
  private let skipped: Set<FileStatus.Identity>
  private var ancestors: [FileStatus.Identity] = []
  /// The number of visits to each folder: only links cause more than one.
  private var visits: [FileStatus.Identity: Int] = [:]
  /// Whether a folder was visited too often, which ends the walk.
  private var isGivenUp = false

  /// A walk that ignores the folders with these identities.
  init(skipping skipped: Set<FileStatus.Identity>) { self.skipped = skipped }

  mutating func run(_ tree: borrowing SourceTree) { visit(.root, nil, tree) }

  private mutating func visit(
    _ folder: RelativePath, _ language: LanguageFolder?, _ tree: borrowing SourceTree
  ) {
    let (identity, children): (FileStatus.Identity, [SourceTree.Child])
    do {
      (identity, children) = try tree.children(of: folder)
    } catch {
      return report(error)
    }
    if ancestors.contains(identity) {
      return exclude(folder, "leads back to a folder above it", isFolder: true)
    }
    visits[identity, default: 0] += 1
    if visits[identity, default: 0] > TreeWalk.maximumVisits {
      isGivenUp = true
      problems.append(TreeWalk.tooManyVisits(to: folder))
      return
    }
    ancestors.append(identity)
    defer { ancestors.removeLast() }
    let folders = children.filter { $0.status.kind == .directory }.map(\.name)
    let names = Set(children.map { Array($0.name) })
    for child in children where !isGivenUp {
      let path = folder.appending(child.name)
      if folder == .root, child.name.first == ASCII.dot {
        hidden.append(path)
        continue
      }
      var status = child.status
      if status.kind == .symbolicLink {
        do {
          status = try tree.status(path)
        } catch {
          if (error as? Finding)?.rule ?? .unreadableFile == .unreadableFile {
            report(error)
          } else {
            exclude(path, "leads to nothing inside the source root")
          }
          continue
        }
      }
      if String(validating: child.name, as: UTF8.self) == nil {
        problems.append("the name of '\(path)' is not UTF-8")
        continue
      }
      if let stray = StrayFiles.exclusion(
        of: path, isFolder: status.kind == .directory)
      {
        exclusions.append(
          Exclusion(
            path: stray, reason: "made by a tool", place: path,
            isFolder: status.kind == .directory))
        continue
      }
      switch status.kind {
      // Files that can't be read are reported when the proposals are checked.
      case .file
      where (try? OwnOutput.isOne(tree.root.appending(path.bytes), size: status.size)) == true:
        exclude(path, "written by ba-package")
      case .file where FileRule.sourceArt(path, among: names) != nil:
        let art = FileRule.sourceArt(path, among: names)
        exclusions.append(
          Exclusion(
            path: RelativePath(unchecked: Array("**/*.\(art?.type ?? "")".utf8)),
            reason: art?.program ?? "", place: path, isFolder: false))
      case .file:
        files.append(File(path: path, size: status.size, language: language))
      case .directory where skipped.contains(status.identity):
        exclude(path, "the manifests", isFolder: true)
      case .directory:
        let inner = LanguageFolders.language(child.name, among: folders)
          .map { LanguageFolder(path: path, language: $0) }
        visit(path, language ?? inner, tree)
      default:
        exclude(path, "\(status.kind)")
      }
    }
  }

  private mutating func report(_ error: any Error) {
    problems.append(error.finding(at: nil).message)
  }

  private mutating func exclude(
    _ path: RelativePath, _ reason: String, isFolder: Bool = false
  ) {
    exclusions.append(Exclusion(path: path, reason: reason, place: path, isFolder: isFolder))
  }
}
