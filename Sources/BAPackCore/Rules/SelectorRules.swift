extension Rule {
  /// A selector without a selector key.
  public static let unknownSelector = Rule(
    "unknown-selector", .error, .selectors, "A selector without a selector key")
  /// A selector with keys of two kinds.
  public static let conflictingSelector = Rule(
    "conflicting-selector", .error, .selectors, "A selector with keys of two kinds")
  /// A source without a destination, or the reverse.
  public static let incompleteSelector = Rule(
    "incomplete-selector", .error, .selectors, "A source without a destination, or the reverse")
  /// A path is empty.
  public static let emptyPath = Rule("empty-path", .error, .selectors, "A path is empty")
  /// An absolute path.
  public static let absolutePath = Rule(
    "absolute-path", .error, .selectors, "An absolute path", adjustment: .warnings)
  /// A path with '..'.
  public static let parentPath = Rule("parent-path", .error, .selectors, "A path with '..'")
  /// A path that can't name a file in a pack.
  public static let invalidPath = Rule(
    "invalid-path", .error, .selectors, "A path that can't name a file in a pack",
    adjustment: .warnings)
  /// An invalid pattern.
  public static let invalidPattern = Rule(
    "invalid-pattern", .error, .selectors, "An invalid pattern", adjustment: .warnings)
  /// A whole folder becomes the top of the pack.
  public static let folderAsTop = Rule(
    "folder-as-top", .warning, .selectors, "A whole folder becomes the top of the pack")
}

extension Manifest {
  /// The selectors that map a whole folder to the top of the pack, which Apple's tool can't do.
  var foldersAsTop: [Finding] {
    selectors.compactMap { selector in
      guard selector.kind == .directory, selector.packPath == .root,
        let (key, path) = selector.fields.last
      else { return nil }
      return Finding(
        .folderAsTop,
        "Apple's tool \(key == "directory" ? "fails" : "may fail") on '\(key)' "
          + "'\(printable(path.value.utf8))'", at: path.location,
        notes: [Note("name the files and folders at the top one by one")])
    }
  }
}
