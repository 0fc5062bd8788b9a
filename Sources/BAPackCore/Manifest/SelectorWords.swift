extension FileSelector.Kind {
  /// The kind as manifests name it, and its paths, safe to show; a mapping's as `to <- from`.
  package var words: (key: String, paths: String) {
    switch self {
    case .file(let path): ("file", shown(path))
    case .directory(let path): ("directory", shown(path))
    case .filePattern(let path): ("filePattern", shown(path))
    case .fileMapping(let source, let destination):
      ("file", "\(shown(destination)) <- \(shown(source))")
    case .directoryMapping(let source, let destination):
      ("directory", "\(shown(destination)) <- \(shown(source))")
    case .fileExclusion(let path): ("fileExclusion", shown(path))
    }
  }

  private func shown(_ path: Located<String>) -> String { printable(path.value.utf8) }
}
