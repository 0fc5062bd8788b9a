/// The folder that a manifest's paths are relative to, and where it was set.
package struct SourceRoot: Sendable {
  /// Where the folder was set.
  package enum Origin: Sendable {
    /// By the caller, which overrides the others.
    case option
    /// In the manifest's `sourceRoot`, which is relative to the manifest's folder.
    case manifest(SourceLocation)
    /// By the project file, which the manifest overrides; with the file's name.
    case project(String)
    /// Nowhere: it is the working directory.
    case workingDirectory
  }

  /// The folder, as given or relative to the working directory.
  package let path: BytePath
  /// Where it was set.
  package let origin: Origin

  private let optionName: String?

  /// The root of `manifest`, which was read from `file` (nil for the standard input): `option`,
  /// else its `sourceRoot`, else `standard`, else the working directory. Messages mention the option
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

  /// What paths are relative to, for messages.
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

  /// The place in the manifest that sets it, if any.
  var location: SourceLocation? {
    if case .manifest(let location) = origin { return location }
    return nil
  }
}
