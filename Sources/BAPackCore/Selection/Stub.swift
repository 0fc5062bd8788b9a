/// A placeholder for a file whose contents are missing.
struct Stub: Hashable {
  enum Kind: Int {
    case lfsPointer
    /// A git-annex pointer, for an unlocked file.
    case annexPointer
    /// A git-annex link to a missing object.
    case annexLink
    /// A DVC file whose file or folder is missing.
    case dvcFile
    /// A placeholder of older macOS versions for a file that is only in iCloud.
    case iCloudPlaceholder
    /// A file whose contents macOS downloads from iCloud or another service when they are read.
    case dataless
    /// No stub: the file or folder is in Git, but not in a sparse checkout.
    case sparseCheckout
    /// The target of a link, as text, where Git could make no link.
    case textOfLink
  }

  let kind: Kind
  /// Known of pointers of Git LFS and of dataless files.
  let size: UInt64?
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
    guard let first = contents.first else { return nil }
    switch first {
    case UInt8(ascii: "v"): self.init(lfsPointer: contents)
    case ASCII.slash, ASCII.dot: self.init(annexPointer: contents)
    default: return nil
    }
  }

  /// `version`, `oid` and `size`, one per line (git-lfs, `docs/spec.md`).
  private init?(lfsPointer text: some Collection<UInt8>) {
    let lines = Self.lines(text)
    guard let version = lines.first, lfsVersions.contains(where: { version.elementsEqual($0.utf8) })
    else { return nil }
    func value(_ key: String) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
    }
    guard let size = value("size ").flatMap({ number($0) }),
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

  /// `/annex/objects/KEY`, or a link target on file systems without links.
  private init?(annexPointer text: some Collection<UInt8>) {
    guard let line = Self.lines(text).first, isAnnexObject(line) else { return nil }
    self.init(kind: .annexPointer, size: nil)
  }

  /// The stub for a dangling link through these targets, the last of which doesn't exist.
  init?(danglingLink targets: [BytePath]) {
    guard targets.contains(where: { isAnnexObject($0.bytes[...]) }) else { return nil }
    self.init(kind: .annexLink, size: nil)
  }

  private static func lines(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    Array(text).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }
}

/// Whether a path is that of an object of git-annex, `annex/objects/…/BACKEND-FIELDS--NAME`.
private func isAnnexObject(_ path: ArraySlice<UInt8>) -> Bool {
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

/// A decimal number that fits in 64 bits.
private func number(_ digits: some Collection<UInt8>) -> UInt64? {
  guard digits.allSatisfy(ASCII.isDigit) else { return nil }
  return UInt64(String(decoding: digits, as: UTF8.self))
}

// MARK: Placeholder files next to the missing file

extension Stub {
  /// The name of the file that a placeholder `name` represents: `a.png` for `a.png.dvc` and for
  /// `.a.png.icloud`. Nil for other names.
  static func target(of name: [UInt8]) -> ArraySlice<UInt8>? {
    switch name.last {
    case UInt8(ascii: "c") where name.count > 4 && name.suffix(4).elementsEqual(".dvc".utf8):
      name.dropLast(4)
    case UInt8(ascii: "d")
    where name.count > 8 && name[0] == ASCII.dot && name.suffix(7).elementsEqual(".icloud".utf8):
      name.dropFirst().dropLast(7)
    default: nil
    }
  }

  /// The stub for the placeholder `name`; nil for other names.
  init?(placeholder name: [UInt8]) {
    guard Self.target(of: name) != nil else { return nil }
    self.init(kind: name.last == UInt8(ascii: "d") ? .iCloudPlaceholder : .dvcFile, size: nil)
  }
}
