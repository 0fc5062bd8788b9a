/// A pointer: a small file that stands for one whose contents are elsewhere.
struct Stub: Hashable {
  enum Kind: String {
    case lfsPointer = "Git LFS pointer"
    /// Of an unlocked file.
    case annexPointer = "git-annex pointer"
  }

  let kind: Kind
  /// Known of pointers of Git LFS.
  var size: UInt64?
  var sha256: [UInt8]?

  /// The size and SHA-256 of the missing file, if both are known.
  var contents: (size: UInt64, sha256: [UInt8])? {
    if let size, let sha256 { (size, sha256) } else { nil }
  }

  /// The size of the smallest file that is no stub: Git LFS pointers are smaller by definition.
  static let sizeLimit: UInt64 = 1024

  /// Whether `file` may be the text of a link. Git's index decides.
  static func isPossibleLink(_ file: SelectedFile) -> Bool { (1..<sizeLimit).contains(file.size) }

  /// Whether `file` is worth opening: it is large enough for a git-annex pointer with the shortest
  /// key, and not too large for a stub.
  static func isPossible(_ file: SelectedFile) -> Bool { (20..<sizeLimit).contains(file.size) }
}

extension Stub {
  /// The stub with these contents; nil if they aren't a stub.
  init?(contents: some Collection<UInt8>) {
    // The first byte rules out most files.
    guard let first = contents.first, "v/.".utf8.contains(first) else { return nil }
    let lines = Array(contents).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.first else { return nil }
    if lfsVersions.contains(where: { line.elementsEqual($0.utf8) }) {
      self.init(lfsPointer: lines)
    } else if isAnnexObject(line) {
      // `/annex/objects/KEY`, or a link target on file systems without links.
      self.init(kind: .annexPointer)
    } else {
      return nil
    }
  }

  /// `version`, `oid` and `size`, one per line (git-lfs, `docs/spec.md`).
  private init?(lfsPointer lines: [ArraySlice<UInt8>]) {
    func value(_ key: String) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
    }
    guard let digits = value("size "), digits.allSatisfy(ASCII.isDigit),
      let size = UInt64(String(decoding: digits, as: UTF8.self)),
      let oid = value("oid ")?.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false),
      oid.count == 2, oid[0].allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) }),
      !oid[1].isEmpty, oid[1].allSatisfy({ ASCII.hexadecimalValue($0) != nil })
    else { return nil }
    self.init(kind: .lfsPointer, size: size)
    if oid[0].elementsEqual("sha256".utf8) {
      guard let digest = decodedHexadecimal(String(decoding: oid[1], as: UTF8.self)),
        digest.count == 32
      else { return nil }
      // With extensions, the digest is that of the object they made of the file.
      if !lines.contains(where: { $0.starts(with: "ext-".utf8) }) { sha256 = digest }
    }
  }
}

/// Whether a path is that of an object of git-annex, `annex/objects/…/BACKEND-FIELDS--NAME`.
func isAnnexObject(_ path: ArraySlice<UInt8>) -> Bool {
  let parts = path.split(separator: ASCII.slash)
  guard let objects = parts.lastIndex(where: { $0.elementsEqual("objects".utf8) }), objects > 0,
    parts[objects - 1].elementsEqual("annex".utf8), objects + 1 < parts.count, let key = parts.last
  else { return false }
  return key.firstRange(of: "--".utf8) != nil
}

/// The first lines of pointers, newest version first.
private let lfsVersions = [
  "version https://git-lfs.github.com/spec/v1", "version https://hawser.github.com/spec/v1",
  "version http://git-media.io/v/2",
]
