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
        let more = files.count - 1
        let problem = files[0].destination.windowsProblem ?? ""
        return "'\(files[0].destination)'"
          + (more > 0 ? " and \(counted(more, "more file"))" : "")
          + " can't be extracted on Windows"
          + (more > 0 ? "; in the first, " : ": ") + problem
      })
  }
}

extension RelativePath {
  /// Why Windows can't have a file or folder at this path; nil if it can.
  package var windowsProblem: String? {
    // Not `components`: that would allocate an array for each of very many files.
    var start = 0
    while start < bytes.endIndex {
      let rest = bytes[start...]
      let name = rest[..<(rest.firstIndex(of: ASCII.slash) ?? rest.endIndex)]
      start = name.endIndex + 1
      if let byte = name.first(where: { $0 < 0x20 || #"<>:"|?*\"#.utf8.contains($0) }) {
        return "a name has '\(printable([byte]))'"
      }
      if name.last == ASCII.dot { return "a name ends with a dot" }
      if name.last == UInt8(ascii: " ") { return "a name ends with a space" }
      if isDevice(name) { return "a name is that of a device, '\(printable(name))'" }
    }
    return nil
  }
}

/// Whether `name` is a device in every folder: `CON`, `aux.txt`, `COM1 .log`.
private func isDevice(_ name: ArraySlice<UInt8>) -> Bool {
  let base = name.prefix { $0 != ASCII.dot }
  guard (3...8).contains(base.count), let end = base.lastIndex(where: { $0 != UInt8(ascii: " ") })
  else { return false }
  return devices.contains(base[...end].map(ASCII.lowercased))
}

private let devices: Set<[UInt8]> = Set(
  (["con", "prn", "aux", "nul", "conin$", "conout$"]
    + ["com", "lpt"].flatMap { port in "123456789¹²³".map { "\(port)\($0)" } })
    .map { Array($0.utf8) })
