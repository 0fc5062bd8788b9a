extension Rule {
  package static let windowsName = Rule(
    "windows-name", .warning, .files, "A name that Windows can't have",
    reason: """
      Windows refuses names with `<`, `>`, `:`, `"`, `|`, `?`, `*`, a backslash or a control character, \
      those that end with a dot or a space, and names of devices such as `CON`, `AUX.txt` or `COM1`, \
      in any case. Devices read such a pack, but it can't be extracted on Windows, and a repository \
      with such names can't be checked out there.
      """,
    remedy: """
      Rename the file, or give it another destination. If nobody uses Windows, turn the rule off.
      """)
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
