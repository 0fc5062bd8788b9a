extension RelativePath {
  /// Why Windows can't have a file or folder at this path; nil if it can.
  package var windowsProblem: String? {
    // Not `components`: that would allocate an array for each of very many files.
    var start = 0
    while start < bytes.endIndex {
      let rest = bytes[start...]
      let name = rest[..<(rest.firstIndex(of: ASCII.slash) ?? rest.endIndex)]
      start = name.endIndex + 1
      if let problem = BAFiles.windowsProblem(of: name) { return problem }
    }
    return nil
  }
}

/// Why Windows can't have a file or folder called `name`; nil if it can.
func windowsProblem(of name: ArraySlice<UInt8>) -> String? {
  if let byte = name.first(where: { $0 < 0x20 || #"<>:"|?*\"#.utf8.contains($0) }) {
    return "a name has '\(printable([byte]))'"
  }
  if name.last == ASCII.dot { return "a name ends with a dot" }
  if name.last == UInt8(ascii: " ") { return "a name ends with a space" }
  return isDevice(name) ? "a name is that of a device, '\(printable(name))'" : nil
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
