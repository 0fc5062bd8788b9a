/// A file that stands for another, whose contents are not here.
struct Stub: Hashable {
  /// What left it.
  enum Kind: Int {
    /// A pointer of Git LFS.
    case lfsPointer
    /// A pointer of git-annex, for a file that is unlocked.
    case annexPointer
    /// A link of git-annex to an object that is not here.
    case annexLink
    /// A file of DVC without the file or folder that it is about.
    case dvcFile
    /// What older versions of macOS leave of a file that is in iCloud only.
    case iCloudPlaceholder
    /// A file with its size and without its contents, which macOS fetches from iCloud or another
    /// service when they are read.
    case dataless
    /// Nothing: the file or folder is in Git, but not in a sparse checkout.
    case sparseCheckout
  }

  /// What left it.
  let kind: Kind
  /// Bytes of the file that it stands for; nil if it does not say.
  let size: UInt64?

  /// Only files of fewer bytes are opened: pointers of Git LFS have fewer by definition.
  static let sizeLimit: UInt64 = 1024
  /// A pointer of git-annex with the shortest key. Files of fewer bytes are not opened.
  static let leastSize: UInt64 = 20
}

extension Stub {
  /// The stub that a file with these contents is; nil for any other file.
  init?(contents: some Collection<UInt8>) {
    guard let first = contents.first else { return nil }
    switch first {
    case UInt8(ascii: "v"): self.init(lfsPointer: contents)
    case ASCII.slash, ASCII.dot: self.init(annexPointer: contents)
    default: return nil
    }
  }

  /// `version`, `oid` and `size`, each on a line (git-lfs, `docs/spec.md`).
  private init?(lfsPointer text: some Collection<UInt8>) {
    let lines = Self.lines(text)
    guard let version = lines.first, lfsVersions.contains(where: { version.elementsEqual($0.utf8) })
    else { return nil }
    func value(_ key: String) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
    }
    guard let digest = value("oid sha256:"), digest.count == 64,
      digest.allSatisfy({ ASCII.hexadecimalValue($0) != nil }),
      let size = value("size ").flatMap({ number($0) })
    else { return nil }
    self.init(kind: .lfsPointer, size: size)
  }

  /// `/annex/objects/KEY`, or the target of a link where the file system has none.
  private init?(annexPointer text: some Collection<UInt8>) {
    guard let line = Self.lines(text).first, let key = AnnexKey(path: line) else { return nil }
    self.init(kind: .annexPointer, size: key.size)
  }

  /// The stub that a link through these targets is, the last of which does not exist.
  init?(danglingLink targets: [BytePath]) {
    guard let key = targets.compactMap({ AnnexKey(path: $0.bytes[...]) }).first else { return nil }
    self.init(kind: .annexLink, size: key.size)
  }

  private static func lines(_ text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    Array(text).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }
}

/// The name of an object of git-annex, `BACKEND-sSIZE--NAME`; the size and other fields may be missing.
private struct AnnexKey {
  let size: UInt64?

  /// The key at the end of `path`; nil if that is not the path of an object.
  init?(path: ArraySlice<UInt8>) {
    let parts = path.split(separator: ASCII.slash)
    guard let objects = parts.lastIndex(where: { $0.elementsEqual("objects".utf8) }), objects > 0,
      parts[objects - 1].elementsEqual("annex".utf8), objects + 1 < parts.count,
      let key = parts.last, let end = key.firstRange(of: "--".utf8)?.lowerBound
    else { return nil }
    let fields = key[..<end].split(separator: UInt8(ascii: "-"))
    guard let backend = fields.first, backend.allSatisfy(isBackendByte) else { return nil }
    size = fields.dropFirst().first { $0.first == UInt8(ascii: "s") }
      .flatMap { number($0.dropFirst()) }
  }
}

private func isBackendByte(_ byte: UInt8) -> Bool {
  ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
    || ASCII.isLetter(byte) && ASCII.lowercased(byte) != byte
}

/// The first lines of pointers, the newest version first.
private let lfsVersions = [
  "version https://git-lfs.github.com/spec/v1", "version https://hawser.github.com/spec/v1",
  "version http://git-media.io/v/2",
]

/// A number in decimal digits that 64 bits hold.
private func number(_ digits: some Collection<UInt8>) -> UInt64? {
  guard digits.allSatisfy(ASCII.isDigit) else { return nil }
  return UInt64(String(decoding: digits, as: UTF8.self))
}

// MARK: Files beside the one that is missing

extension Stub {
  /// The name of the file that a file called `name` stands for: `a.png` for `a.png.dvc` and for
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

  /// The stub that the file called `name` with these contents is; nil if it is about anything but the
  /// file that it is named for.
  init?(placeholder name: [UInt8], contents: [UInt8]) {
    guard let target = Self.target(of: name) else { return nil }
    if name.last == UInt8(ascii: "d") {
      guard let list = BinaryPropertyList(contents) else { return nil }
      self.init(kind: .iCloudPlaceholder, size: list.number("NSURLFileSizeKey"))
    } else {
      self.init(dvcFile: contents, about: target)
    }
  }

  /// Reads the list `outs` of a DVC file, each element of which has a `path` and mostly a `size`:
  /// YAML as DVC writes it.
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

/// A scalar of YAML without spaces and quotes around it.
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
