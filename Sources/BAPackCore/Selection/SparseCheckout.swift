/// The files that Git's sparse checkout leaves out, from the index of the repository (git,
/// `Documentation/gitformat-index.txt`).
struct SparseCheckout {
  /// The files and whole folders that are left out.
  let files: [RelativePath]
  let folders: [RelativePath]

  private static let sizeLimit = 1 << 28

  /// The files missing below `folder`, which is at `place` in the repository at `top`; nil unless
  /// the checkout is sparse and its index has a known format.
  init?(of top: BytePath, below place: RelativePath) throws(SystemError) {
    guard let gitFolder = try Self.gitFolder(of: top),
      try Self.isPresent(gitFolder.appending("info/sparse-checkout".utf8)),
      try Self.isPresent(gitFolder.appending("index".utf8)),
      let index = GitIndex(
        try gitFolder.appending("index".utf8).contents(limit: Self.sizeLimit))
    else { return nil }
    func below(_ path: [UInt8]) -> RelativePath? {
      guard let path = RelativePath(path), path.isInside(place), path != place else { return nil }
      return place == .root
        ? path : RelativePath(unchecked: Array(path.bytes.dropFirst(place.bytes.count + 1)))
    }
    files = index.skippedFiles.compactMap(below)
    folders = index.skippedFolders.compactMap(below)
  }

  /// The files and folders that `selector` would match.
  func paths(for selector: FileSelector, except exclusions: Exclusions) -> [RelativePath] {
    let source: RelativePath
    var glob: Glob?
    do throws(Finding) {
      switch selector.kind {
      case .file(let path), .fileMapping(let path, _), .directory(let path),
        .directoryMapping(let path, _):
        source = try .selector(path)
      case .filePattern(let pattern):
        source = .root
        glob = try Glob.selector(try .selector(pattern), pattern)
      case .fileExclusion: return []
      }
    } catch {
      // Reported when the selector is resolved.
      return []
    }
    func isTaken(_ path: RelativePath, isFolder: Bool) -> Bool {
      guard exclusions.selectors(excludingAnyOf: path, isFolder: isFolder).isEmpty else {
        return false
      }
      guard let glob else {
        return path.isInside(source) || isFolder && source.isInside(path)
      }
      if !isFolder { return glob.matches(path) }
      let progress = path.components.reduce(glob.start) { glob.advance($0, by: $1) }
      return glob.mayMatchBelow(progress)
    }
    return files.filter { isTaken($0, isFolder: false) }
      + folders.filter { isTaken($0, isFolder: true) }
  }

  /// `.git`, or the folder that it names in worktrees and submodules.
  private static func gitFolder(of top: BytePath) throws(SystemError) -> BytePath? {
    let path = top.appending(".git".utf8)
    guard try FileStatus.following(path).kind == .file else { return path }
    let text = try path.contents(limit: 1 << 16)
    guard text.starts(with: "gitdir: ".utf8) else { return nil }
    let name = text.dropFirst(8).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return top.appending(name)
  }

  private static func isPresent(_ path: BytePath) throws(SystemError) -> Bool {
    try FileStatus.ifPresent(path) != nil
  }
}

/// The entries of an index that are not checked out.
private struct GitIndex {
  private(set) var skippedFiles: [[UInt8]] = []
  private(set) var skippedFolders: [[UInt8]] = []

  /// Nil unless `bytes` are an index of version 2, 3 or 4 with SHA-1.
  init?(_ bytes: [UInt8]) {
    func number(_ offset: Int, _ size: Int) -> UInt64 {
      integer(bigEndian: bytes[offset..<(offset + size)])
    }
    guard bytes.count >= 12, bytes.starts(with: "DIRC".utf8) else { return nil }
    let version = number(4, 4)
    guard (2...4).contains(version) else { return nil }
    // The size of the fixed fields, which end with the object name and flags.
    let fixed = 62
    var offset = 12
    var path: [UInt8] = []
    for _ in 0..<number(8, 4) {
      guard offset <= bytes.count - fixed else { return nil }
      let isFolder = number(offset + 24, 4) & 0o170000 == 0o040000
      let isExtended = number(offset + 60, 2) & 0x4000 != 0
      var start = offset + fixed
      var isSkipped = false
      if isExtended {
        guard start <= bytes.count - 2 else { return nil }
        isSkipped = number(start, 2) & 0x4000 != 0
        start += 2
      }
      if version == 4 {
        // The path is that of the previous entry with `removed` bytes replaced by the text.
        guard let (removed, end) = Self.variableNumber(bytes, start), removed <= path.count else {
          return nil
        }
        path.removeLast(removed)
        start = end
      } else {
        path = []
      }
      guard let end = bytes[start...].firstIndex(of: 0) else { return nil }
      path += bytes[start..<end]
      let size = end - offset
      offset = version == 4 ? end + 1 : offset + size + 8 - size % 8
      guard isSkipped else { continue }
      if isFolder {
        skippedFolders.append(path.last == ASCII.slash ? path.dropLast() : path)
      } else {
        skippedFiles.append(path)
      }
    }
  }

  /// A number in the encoding of offsets in packfiles: seven bits per byte, plus one for each
  /// continuation.
  private static func variableNumber(_ bytes: [UInt8], _ offset: Int) -> (Int, end: Int)? {
    var value = 0
    for index in offset..<min(offset + 5, bytes.count) {
      let byte = bytes[index]
      value = index == offset ? Int(byte & 0x7F) : (value + 1) << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}
