/// The files that Git's sparse checkout leaves out.
struct SparseCheckout {
  private let files: [RelativePath]

  /// The files missing below `folder`, an absolute path; nil unless the checkout of its repository
  /// is sparse. Fails if Git isn't installed.
  init?(below folder: BytePath) throws(SystemError) {
    guard let top = try folder.repositoryTop(),
      try FileStatus.ifPresent(top.gitFolder().appending("info/sparse-checkout".utf8)) != nil
    else { return nil }
    guard let lines = try folder.gitFiles(["-t"]) else {
      throw SystemError(.runGit, folder, code: .noSuchFile)
    }
    files = lines.compactMap { $0.starts(with: "S ".utf8) ? RelativePath($0.dropFirst(2)) : nil }
  }

  /// The files that `selector` would match.
  func paths(for selector: FileSelector, except exclusions: Exclusions) -> [RelativePath] {
    let source: RelativePath
    var glob: Glob?
    do {
      switch selector.kind {
      case .file(let path), .fileMapping(let path, _), .directory(let path),
        .directoryMapping(let path, _):
        source = try .selector(path)
      case .filePattern(let pattern):
        source = .root
        glob = try Glob(try .selector(pattern), at: pattern.location)
      case .fileExclusion: return []
      }
    } catch {
      // Reported when the selector is resolved.
      return []
    }
    return files.filter { path in
      (glob.map { $0.matches(path) } ?? path.isInside(source))
        && exclusions.selectors(excludingAnyOf: path, isFolder: false).isEmpty
    }
  }
}
