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
    // An error is reported when the selector is resolved.
    guard selector.kind != .fileExclusion, let (source, _, glob) = try? selector.target() else {
      return []
    }
    return files.filter { path in
      (glob.map { $0.matches(path) } ?? path.isInside(source))
        && exclusions.selectors(excludingAnyOf: path, isFolder: false).isEmpty
    }
  }
}
