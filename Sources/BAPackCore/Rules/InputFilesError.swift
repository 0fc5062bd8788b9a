/// Why the packs or manifests at given paths can't be listed.
public enum InputFilesError: Error, Hashable, Sendable {
  /// The system can't list a folder.
  case system(SystemError)
  /// The folder and its subfolders contain no manifest.
  case noManifest(in: BytePath)
  /// The folder contains no packs.
  case noPacks(in: BytePath)
  /// The folder contains neither packs nor manifests.
  case nothing(in: BytePath)
}

extension InputFilesError: CustomStringConvertible {
  /// The description, in one sentence without a final period.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .noManifest(let folder):
      "no manifests in '\(folder)': no file name there ends in .json"
    case .noPacks(let folder): "no asset packs in '\(folder)': no file name there ends in .aar"
    case .nothing(let folder):
      "no asset packs or manifests in '\(folder)': no file name there ends in .aar or .json"
    }
  }
}
