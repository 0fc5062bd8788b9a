extension Rule {
  /// A name that Windows can't have.
  public static let windowsName = Rule(
    "windows-name", .warning, .files, "A name that Windows can't have")
}

extension FileRule {
  /// Files in the pack whose paths Windows refuses.
  static var windowsNames: FileRule {
    FileRule(
      rule: .windowsName, reason: { $0.destination.windowsProblem.map { _ in "" } },
      message: { _, files in
        named(files[0].destination, of: files.count) + " can't be extracted on Windows"
          + (files.count > 1 ? "; in the first, " : ": ")
          + (files[0].destination.windowsProblem ?? "")
      })
  }
}
