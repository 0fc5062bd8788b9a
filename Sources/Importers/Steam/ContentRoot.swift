import BAPackCore

extension DepotScript {
  /// The content root relative to the working directory: `option`, or the script's `ContentRoot`,
  /// which is relative to the folder of the script. Fails for a Windows path, and if there is none.
  package func contentRoot(option: BytePath?) throws(Finding) -> BytePath {
    if let option { return option }
    guard let written = contentRoot else {
      throw Finding(.depotValue, "the depot has no 'ContentRoot'", at: location)
    }
    guard let path = DepotPath(written.value).filePath else {
      throw Finding(
        .depotPath, "'\(printable(written.value))' is a Windows path", at: written.location)
    }
    return BytePath(written.location.source.name).folder.appending(path.bytes)
  }
}
