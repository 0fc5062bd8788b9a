/// The folder that a manifest's paths are relative to.
package struct SourceRoot: Sendable {
  /// The folder, as given or relative to the working directory.
  package let path: BytePath
  /// An explanation for messages of what paths are relative to, and what set it.
  let explanation: Note
  /// The manifest's `sourceRoot`, if that sets the root, and the manifest's folder.
  private let written: (path: Located<String>, folder: BytePath)?

  /// The root of `manifest`, which was read from `file` (nil for the standard input): `option`,
  /// `sourceRoot`, `standard` or the working directory, in this order. Messages mention the option
  /// if its `name` is given.
  package init(
    of manifest: Manifest, readFrom file: BytePath?, option: BytePath?, name: String? = nil,
    default standard: (path: BytePath, name: String)? = nil
  ) {
    let folder = file?.folder ?? "."
    written = option == nil ? manifest.writtenRoot.map { ($0, folder) } : nil
    if let option {
      path = option
      explanation = Note(
        "paths are relative to '\(path)'" + (name.map { ", given with \($0)" } ?? ""))
    } else if let written {
      path = folder.appending(written.path.value.utf8)
      explanation = Note("paths are relative to this folder, '\(path)'", at: written.path.location)
    } else if let standard {
      path = standard.path
      explanation = Note(
        "paths are relative to '\(path)', set in '\(standard.name)'; 'sourceRoot' overrides it")
    } else {
      path = "."
      explanation = Note(
        "paths are relative to the working directory; use 'sourceRoot'"
          + (name.map { " or \($0)" } ?? "") + " for another folder")
    }
  }

  /// A finding for a root that can't be used; `sourceRoot` may be meant relative to another folder.
  func finding(_ error: SystemError) -> Finding {
    let location = written?.path.location
    guard let written, let location, [.noSuchFile, .notDirectory].contains(error.code) else {
      return Finding(
        .missingRoot, "the source root can't be used: \(error)", at: location,
        notes: [explanation])
    }
    // Relative to the working directory.
    let other = BytePath(written.path.value.utf8)
    let meant =
      ((try? other.isFolder()) ?? false) ? try? other.relative(to: written.folder) : nil
    return Finding(
      .missingRoot,
      "there is no folder '\(path)'"
        + (written.folder == "." ? "" : "; 'sourceRoot' is relative to the folder of the manifest")
        + (meant.map { "; did you mean '\(printable($0.utf8))'?" } ?? ""),
      at: location, fix: meant.map { Fix(location, $0, isCertain: false) })
  }
}
