extension Manifest {
  /// The selectors that map a whole folder to the top of the pack, which Apple's tool can't do.
  var foldersAsTop: [Finding] {
    selectors.compactMap { selector in
      let (path, key): (Located<String>, String)
      switch selector.kind {
      case .directory(let written): (path, key) = (written, "directory")
      case .directoryMapping(_, let written): (path, key) = (written, "directoryDestination")
      default: return nil
      }
      guard (try? RelativePath.selector(path)) == .root else { return nil }
      return Finding(
        .folderAsTop,
        "Apple's tool \(key == "directory" ? "fails" : "may fail") on '\(key)' "
          + "'\(printable(path.value.utf8))'", at: path.location,
        notes: [Note("name the files and folders at the top one by one")])
    }
  }
}
