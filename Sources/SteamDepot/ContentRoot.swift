import BAPackCore

extension DepotScript {
  /// The content root relative to the working directory: `option`, or the script's `ContentRoot`,
  /// which is relative to the folder of `file`, the script. Fails for a Windows path.
  public func contentRoot(beside file: BytePath, option: BytePath?) throws(Finding) -> BytePath {
    if let option { return option }
    guard let written = contentRoot else { return file.folder }
    guard let path = DepotPath(written.value).filePath else {
      throw Finding(
        .depotPath, "'\(printable(written.value))' is a Windows path", at: written.location)
    }
    return file.folder.appending(path.bytes)
  }
}
