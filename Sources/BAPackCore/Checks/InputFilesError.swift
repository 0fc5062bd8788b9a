/// Why the packs or manifests that paths stand for can't be listed.
public enum InputFilesError: Error, Hashable, Sendable {
  /// The system can't list a folder.
  case system(SystemError)
  /// There is no manifest in the folder and those below it.
  case noManifest(in: BytePath)
  /// The folder contains no packs.
  case noPacks(in: BytePath)
  /// The folder contains neither packs nor manifests.
  case nothing(in: BytePath)
}

extension InputFilesError: CustomStringConvertible {
  /// What is wrong, in one sentence without a final period.
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
