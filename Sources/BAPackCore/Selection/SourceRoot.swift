/// The folder that a manifest's paths are relative to, and what set it.
package struct SourceRoot: Sendable {
  package enum Origin: Sendable {
    /// The caller, which overrides the others.
    case option
    /// The manifest's `sourceRoot`, relative to the manifest's folder.
    case manifest(SourceLocation)
    /// The project file of this name, which the manifest overrides.
    case project(String)
    /// Nothing: it is the working directory.
    case workingDirectory
  }

  /// The folder, as given or relative to the working directory.
  package let path: BytePath
  package let origin: Origin

  private let optionName: String?
  /// The `sourceRoot` as written, and the manifest's folder.
  private let written: (path: BytePath, folder: BytePath)?

  /// The root of `manifest`, which was read from `file` (nil for the standard input): `option`,
  /// `sourceRoot`, `standard` or the working directory, in this order. Messages mention the option
  /// if its `name` is given.
  package init(
    of manifest: Manifest, readFrom file: BytePath?, option: BytePath?, name: String? = nil,
    default standard: (path: BytePath, name: String)? = nil
  ) {
    optionName = name
    written =
      option == nil
      ? manifest.sourceRoot.map { (BytePath($0.value.utf8), file?.folder ?? ".") } : nil
    if let option {
      path = option
      origin = .option
    } else if let written = manifest.sourceRoot {
      path = (file?.folder ?? ".").appending(written.value.utf8)
      origin = .manifest(written.location)
    } else if let standard {
      path = standard.path
      origin = .project(standard.name)
    } else {
      path = "."
      origin = .workingDirectory
    }
  }

  /// A finding for a root that can't be used; `sourceRoot` may be meant relative to another folder.
  func finding(_ error: SystemError) -> Finding {
    guard let written, let location, [.noSuchFile, .notDirectory].contains(error.code) else {
      return Finding(
        .missingRoot, "the source root can't be used: \(error)", at: location,
        notes: [explanation])
    }
    // Relative to the working directory.
    let meant =
      ((try? written.path.isFolder()) ?? false)
      ? try? written.path.relative(to: written.folder) : nil
    return Finding(
      .missingRoot,
      "there is no folder '\(path)'"
        + (written.folder == "."
          ? "" : "; 'sourceRoot' is relative to the folder of the manifest")
        + (meant.map { "; did you mean '\(printable($0.utf8))'?" } ?? ""),
      at: location, fix: meant.map { Fix(location, $0, isCertain: false) })
  }

  /// An explanation for messages of what paths are relative to.
  var explanation: Note {
    switch origin {
    case .option:
      Note("paths are relative to '\(path)'" + (optionName.map { ", given with \($0)" } ?? ""))
    case .manifest(let location): Note("paths are relative to this folder, '\(path)'", at: location)
    case .project(let name):
      Note("paths are relative to '\(path)', set in '\(name)'; 'sourceRoot' overrides it")
    case .workingDirectory:
      Note(
        "paths are relative to the working directory; use 'sourceRoot'"
          + (optionName.map { " or \($0)" } ?? "") + " for another folder")
    }
  }

  var location: SourceLocation? {
    if case .manifest(let location) = origin { return location }
    return nil
  }
}
