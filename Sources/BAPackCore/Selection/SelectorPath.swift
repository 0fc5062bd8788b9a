/// The rules of the paths and patterns of selectors.
let selectorPathRules: Set<Rule> = [
  .emptyPath, .absolutePath, .parentPath, .invalidPath, .invalidPattern, .pathTooLong,
]

extension RelativePath {
  /// A path in a selector: relative, without `..`. Trailing and double slashes and `.` components
  /// are removed, so `./Textures/` is `Textures` and `.` is the root.
  static func selector(_ written: Located<String>) throws(Finding) -> RelativePath {
    let bytes = Array(written.value.utf8)
    let shown = "'\(printable(bytes))'"
    func invalid(_ rule: Rule, _ problem: String, _ note: String) -> Finding {
      Finding(rule, problem, at: written.location, notes: [Note(note)])
    }
    if bytes.isEmpty {
      throw invalid(.emptyPath, "the path is empty", "write '.' for the whole source root")
    }
    if bytes.count > maximumSelectorLength {
      throw invalid(
        .pathTooLong, "the path is too long",
        "it has \(grouped(bytes.count)) bytes; the maximum is \(grouped(maximumSelectorLength))")
    }
    if bytes.first == ASCII.slash {
      throw invalid(
        .absolutePath, "\(shown) is an absolute path",
        "write it relative to the source root, so that it is valid on every machine")
    }
    if bytes.contains(0) {
      throw invalid(
        .invalidPath, "\(shown) contains a NUL character", "file names can't contain it")
    }
    let parts = bytes.split(separator: ASCII.slash).filter { !$0.elementsEqual(".".utf8) }
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) {
      throw invalid(
        .parentPath, "\(shown) contains '..'",
        "files outside the source root can't be packaged; set 'sourceRoot' to a folder above")
    }
    return RelativePath(unchecked: Array(parts.joined(separator: [ASCII.slash])))
  }

  /// The destination of a file, which must be the path of the file itself, not of a folder.
  static func destination(
    ofFile written: Located<String>
  ) throws(Finding) -> RelativePath {
    let path = try selector(written)
    guard path != .root, written.value.utf8.last != ASCII.slash else {
      throw Finding(
        .invalidPath, "'\(printable(written.value.utf8))' is the path of a folder",
        at: written.location,
        notes: [Note("'fileDestination' is the path of the file itself, with its name")])
    }
    return path
  }

  /// The folders that contain this path, the innermost first, and at last the root.
  package var ancestors: some Sequence<RelativePath> {
    sequence(first: self, next: \.parent).dropFirst()
  }

  /// This path, moved from `source` to `destination`.
  package func moved(from source: RelativePath, to destination: RelativePath) -> RelativePath {
    let rest = source == .root ? bytes[...] : bytes[(source.bytes.count + 1)...]
    return RelativePath(unchecked: Array(rest)).prefixed(by: destination)
  }
}

extension BytePath {
  /// This absolute path relative to the absolute path `base`; nil if it is outside.
  func path(inside base: BytePath) -> RelativePath? {
    if bytes == base.bytes { return .root }
    let start = base.bytes.last == ASCII.slash ? base.bytes : base.bytes + [ASCII.slash]
    guard bytes.starts(with: start) else { return nil }
    return RelativePath(bytes.dropFirst(start.count))
  }
}

/// Linux's `PATH_MAX`, the largest of all systems.
private let maximumSelectorLength = 4096

/// Thrown to end the resolution of a selector.
extension Finding: Error {}
