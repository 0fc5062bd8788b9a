/// The folder that a manifest's paths start from, and who chose it.
public struct SourceRoot: Sendable {
  /// Who chose the folder.
  public enum Origin: Sendable {
    /// An option, which beats the others: `--root`, or what it is called.
    case option(String)
    /// `sourceRoot` in the manifest, relative to the manifest's own folder.
    case manifest(SourceLocation)
    /// Nobody: the working directory.
    case workingDirectory
  }

  /// The folder, as given or as seen from the working directory.
  public let path: FilePath
  /// Who chose it.
  public let origin: Origin

  /// The root of `manifest`, which was read from `file` (nil for the standard input): `option`,
  /// else its `sourceRoot`, else the working directory. The option is called `name`.
  public init(
    of manifest: Manifest, readFrom file: FilePath?, option: FilePath?, name: String = "--root"
  ) {
    if let option {
      path = option
      origin = .option(name)
    } else if let written = manifest.sourceRoot {
      path = (file?.folder ?? ".").appending(written.value.utf8)
      origin = .manifest(written.location)
    } else {
      path = "."
      origin = .workingDirectory
    }
  }

  /// What paths are relative to, for messages.
  var explanation: Note {
    switch origin {
    case .option(let name): Note("paths are relative to '\(path)', given with \(name)")
    case .manifest(let location): Note("paths are relative to this folder, '\(path)'", at: location)
    case .workingDirectory:
      Note(
        "paths are relative to the working directory; 'sourceRoot' or --root changes that")
    }
  }

  /// Where in the manifest the root is written, if there.
  var location: SourceLocation? {
    if case .manifest(let location) = origin { return location }
    return nil
  }
}
