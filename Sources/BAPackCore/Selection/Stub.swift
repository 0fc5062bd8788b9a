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
  }

  let kind: Kind
  let size: UInt64?
  var sha256: [UInt8]?

  /// The size and SHA-256 of the missing file, if both are known.
  var contents: (size: UInt64, sha256: [UInt8])? {
    if let size, let sha256 { (size, sha256) } else { nil }
  }

  /// The size of the smallest file that is no stub: Git LFS pointers are smaller by definition.
  static let sizeLimit: UInt64 = 1024

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
      guard let digest = digest(oid[1]) else { return nil }
      // With extensions, the digest is that of the object they made of the file.
      if !lines.contains(where: { $0.starts(with: "ext-".utf8) }) { sha256 = digest }
    }
  }

  /// `/annex/objects/KEY`, or a link target on file systems without links.
  private init?(annexPointer text: some Collection<UInt8>) {
    guard let line = Self.lines(text).first, let key = AnnexKey(path: line) else { return nil }
    self.init(kind: .annexPointer, size: key.size, sha256: key.sha256)
  }

  /// The stub for a dangling link through these targets, the last of which doesn't exist.
  init?(danglingLink targets: [BytePath]) {
    guard let key = targets.compactMap({ AnnexKey(path: $0.bytes[...]) }).first else { return nil }
    self.init(kind: .annexLink, size: key.size, sha256: key.sha256)
  }

  private static func lines(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    Array(text).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }
}

/// A git-annex object name, `BACKEND-sSIZE--NAME`; the size and other fields are optional.
private struct AnnexKey {
  let size: UInt64?
  /// That of the contents, if the backend is SHA256, or SHA256E, which adds an extension.
  let sha256: [UInt8]?

  /// The key at the end of `path`; nil if it isn't the path of an object.
  init?(path: ArraySlice<UInt8>) {
    let parts = path.split(separator: ASCII.slash)
    guard let objects = parts.lastIndex(where: { $0.elementsEqual("objects".utf8) }), objects > 0,
      parts[objects - 1].elementsEqual("annex".utf8), objects + 1 < parts.count,
      let key = parts.last, let dashes = key.firstRange(of: "--".utf8)
    else { return nil }
    let fields = key[..<dashes.lowerBound].split(separator: UInt8(ascii: "-"))
    guard let backend = fields.first, backend.allSatisfy(isBackendByte) else { return nil }
    size = fields.dropFirst().first { $0.first == UInt8(ascii: "s") }
      .flatMap { number($0.dropFirst()) }
    let name = key[dashes.upperBound...]
    // A key with the fields S and C is that of a chunk.
    let isChunk = fields.dropFirst().contains {
      $0.first == UInt8(ascii: "S") || $0.first == UInt8(ascii: "C")
    }
    let isPlain = backend.elementsEqual("SHA256".utf8) && name.count == 64
    let hasExtension =
      backend.elementsEqual("SHA256E".utf8)
      && (name.count == 64 || name.dropFirst(64).first == ASCII.dot)
    sha256 = (isPlain || hasExtension) && !isChunk ? digest(name.prefix(64)) : nil
  }
}

/// The bytes of a SHA-256 of 64 hexadecimal digits; nil if it is something else.
private func digest(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
  let values = digits.compactMap(ASCII.hexadecimalValue)
  guard values.count == 64, digits.count == 64 else { return nil }
  return stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

private func isBackendByte(_ byte: UInt8) -> Bool {
  ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
    || ASCII.isLetter(byte) && ASCII.lowercased(byte) != byte
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

  /// The stub for the placeholder `name`; nil if it is a DVC file whose contents aren't about the
  /// file that it is named after.
  init?(placeholder name: [UInt8], contents: [UInt8]) {
    guard let target = Self.target(of: name) else { return nil }
    if name.last == UInt8(ascii: "d") {
      self.init(kind: .iCloudPlaceholder, size: nil)
    } else {
      self.init(dvcFile: contents, about: target)
    }
  }

  /// Reads the list `outs` of a DVC file, each element of which has a `path` and usually a `size`:
  /// YAML as written by DVC.
  private init?(dvcFile text: [UInt8], about target: ArraySlice<UInt8>) {
    var isInside = false
    var outputs: [(path: ArraySlice<UInt8>?, size: UInt64?)] = []
    for line in Self.lines(text) {
      let item = line.drop { $0 == UInt8(ascii: " ") }
      let begins = item.starts(with: "- ".utf8)
      if !begins, item.startIndex == line.startIndex {
        isInside = line.starts(with: "outs:".utf8)
        continue
      }
      guard isInside else { continue }
      if begins { outputs.append((nil, nil)) }
      let pair = item.dropFirst(begins ? 2 : 0).split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let last = outputs.indices.last else { continue }
      let value = unquoted(pair[1])
      if pair[0].elementsEqual("path".utf8) { outputs[last].path = value }
      if pair[0].elementsEqual("size".utf8) { outputs[last].size = number(value) }
    }
    guard let output = outputs.first(where: { $0.path == target }) else { return nil }
    self.init(kind: .dvcFile, size: output.size)
  }
}

/// A YAML scalar without surrounding spaces and quotes.
private func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var value = text.drop { $0 == UInt8(ascii: " ") }
  while value.last == UInt8(ascii: " ") { value.removeLast() }
  if let first = value.first, first == UInt8(ascii: "'") || first == UInt8(ascii: "\""),
    value.count > 1, value.last == first
  {
    value = value.dropFirst().dropLast()
  }
  return value
}
