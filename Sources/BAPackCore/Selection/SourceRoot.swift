/// The folder that a manifest's paths are relative to, and what set it.
package struct SourceRoot: Sendable {
  /// What set the folder.
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
  /// What set it.
  package let origin: Origin

  private let optionName: String?

  /// The root of `manifest`, which was read from `file` (nil for the standard input): `option`,
  /// `sourceRoot`, `standard` or the working directory, in this order. Messages mention the option
  /// if its `name` is given.
  package init(
    of manifest: Manifest, readFrom file: BytePath?, option: BytePath?, name: String? = nil,
    default standard: (path: BytePath, name: String)? = nil
  ) {
    optionName = name
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

  /// An explanation for messages of what paths are relative to.
  var explanation: Note {
    switch origin {
    case .option:
      Note("paths are relative to '\(path)'" + (optionName.map { ", given with \($0)" } ?? ""))
    case .manifest(let location): Note("paths are relative to this folder, '\(path)'", at: location)
    case .project(let name):
      Note("paths are relative to '\(path)', which '\(name)' says; 'sourceRoot' changes that")
    case .workingDirectory:
      Note(
        "paths are relative to the working directory; use 'sourceRoot'"
          + (optionName.map { " or \($0)" } ?? "") + " for another folder")
    }
  }

  /// The location in the manifest that sets it, if any.
  var location: SourceLocation? {
    if case .manifest(let location) = origin { return location }
    return nil
  }
}
