extension RelativePath {
  /// A path as a selector writes it: relative, without `..`. A slash at the end, doubled slashes
  /// and `.` parts are taken for what they mean, so `./Textures/` is `Textures` and `.` the root.
  static func selector(_ written: Located<String>) throws(Finding) -> RelativePath {
    let bytes = Array(written.value.utf8)
    guard !bytes.isEmpty else {
      throw Finding(
        .emptyPath, "the path is empty", at: written.location,
        notes: [Note("write '.' for the whole source root")])
    }
    guard bytes.count <= longestPath else {
      throw Finding(
        .pathTooLong, "the path is too long", at: written.location,
        notes: [
          Note(
            "it has \(grouped(bytes.count)) bytes; no system opens one of more than "
              + grouped(longestPath))
        ])
    }
    guard bytes.first != ASCII.slash else {
      throw Finding(
        .absolutePath, "'\(printable(bytes))' is an absolute path", at: written.location,
        notes: [
          Note("write it relative to the source root, so that every clone packs the same files")
        ])
    }
    guard !bytes.contains(0) else {
      throw Finding(
        .invalidPath, "'\(printable(bytes))' holds a NUL character", at: written.location,
        notes: [Note("no file system has such a name")])
    }
    let parts = bytes.split(separator: ASCII.slash).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw Finding(
        .parentPath, "'\(printable(bytes))' leads out of its folder with '..'",
        at: written.location,
        notes: [
          Note(
            "only files inside the source root are packed; move the root with 'sourceRoot' or "
              + "--root")
        ])
    }
    return RelativePath(unchecked: Array(parts.joined(separator: [ASCII.slash])))
  }
}

extension RelativePath {
  /// The destination of one file, which must name the file itself and no folder.
  static func destination(
    ofFile written: Located<String>
  ) throws(Finding) -> RelativePath {
    let path = try selector(written)
    guard path != .root, written.value.utf8.last != ASCII.slash else {
      throw Finding(
        .invalidPath, "'\(printable(written.value.utf8))' names a folder", at: written.location,
        notes: [Note("'fileDestination' is the path of the file itself, with its name")])
    }
    return path
  }

  /// The path that lies below `destination` as this one lies below `source`.
  package func moved(from source: RelativePath, to destination: RelativePath) -> RelativePath {
    let rest = source == .root ? bytes[...] : bytes[(source.bytes.count + 1)...]
    return RelativePath(unchecked: Array(rest)).prefixed(by: destination)
  }
}

/// `PATH_MAX` of Linux, the largest. Longer paths lead nowhere, and are not worth the work.
private let longestPath = 4096

/// Work on one selector ends with the finding that keeps it from going on.
extension Finding: Error {}
