import AssetPackServer
import BAPackCore
import CommandLine

extension CommandError {
  /// A failure with the description of a library error.
  init(_ error: some CustomStringConvertible) { self = .failure(error.description) }

  /// A failure with the description of a certificate error, and the command that helps.
  init(_ error: CertificateError) {
    self = .failure(
      error.isOfAuthority
        ? "\(error). Run 'ba-serve authority --renew' for a new authority, and install it on your "
          + "devices." : error.description)
  }
}

/// The folders of the user; throws without a home folder.
func userFolders() throws(CommandError) -> UserFolders {
  guard let folders = UserFolders.ofUser() else {
    throw .failure("there is no home folder: set HOME, or XDG_DATA_HOME and XDG_CACHE_HOME")
  }
  return folders
}
