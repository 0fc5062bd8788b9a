import BAPackCore

extension DepotScript {
  /// Why the content root is unknown.
  public struct Refusal: Error {
    /// The problem.
    public let finding: Finding
  }

  /// The content root relative to the working directory: `option`, else the script's `ContentRoot`,
  /// which is relative to the folder of `file`, from which the script was read. A Windows path is
  /// refused.
  public func contentRoot(
    beside file: BytePath, option: BytePath?
  ) -> Result<BytePath, Refusal> {
    if let option { return .success(option) }
    guard let written = contentRoot else { return .success(file.folder) }
    if let path = DepotPath(written.value).filePath {
      return .success(file.folder.appending(path.bytes))
    }
    return .failure(
      Refusal(
        finding: Finding(
          .depotPath, "'\(printable(written.value))' is a Windows path", at: written.location)))
  }
}
