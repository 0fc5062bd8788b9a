extension RelativePath {
  /// A path as a selector writes it: relative, without `..`. A slash at the end, doubled slashes
  /// and `.` parts are taken for what they mean, so `./Textures/` is `Textures` and `.` the root.
  static func selector(_ written: Located<String>) throws(FindingError) -> RelativePath {
    let bytes = Array(written.value.utf8)
    guard !bytes.isEmpty else {
      throw FindingError(
        .emptyPath, "the path is empty", at: written.location,
        note: "write '.' for the whole source root")
    }
    guard bytes.count <= longestPath else {
      throw FindingError(
        .pathTooLong, "the path is too long", at: written.location,
        note: "it has \(grouped(bytes.count)) bytes; no system opens one of more than "
          + grouped(longestPath))
    }
    guard bytes.first != ASCII.slash else {
      throw FindingError(
        .absolutePath, "'\(printable(bytes))' is an absolute path", at: written.location,
        note: "write it relative to the source root, so that every clone packs the same files")
    }
    guard !bytes.contains(0) else {
      throw FindingError(
        .invalidPath, "'\(printable(bytes))' holds a NUL character", at: written.location,
        note: "no file system has such a name")
    }
    let parts = bytes.split(separator: ASCII.slash).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw FindingError(
        .parentPath, "'\(printable(bytes))' leads out of its folder with '..'",
        at: written.location,
        note: "only files inside the source root are packed; move the root with 'sourceRoot' or "
          + "--root")
    }
    return RelativePath(unchecked: Array(parts.joined(separator: [ASCII.slash])))
  }
}

extension RelativePath {
  /// The destination of one file, which must name the file itself and no folder.
  static func destination(
    ofFile written: Located<String>
  ) throws(FindingError) -> RelativePath {
    let path = try selector(written)
    guard path != .root, written.value.utf8.last != ASCII.slash else {
      throw FindingError(
        .invalidPath, "'\(printable(written.value.utf8))' names a folder", at: written.location,
        note: "'fileDestination' is the path of the file itself, with its name")
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

/// A finding that ends the work on one selector.
struct FindingError: Error {
  let finding: Finding

  init(_ finding: Finding) { self.finding = finding }

  init(_ rule: Rule, _ message: String, at location: SourceLocation, note: String...) {
    finding = Finding(rule, message, at: location, notes: note.map { Note($0) })
  }
}
