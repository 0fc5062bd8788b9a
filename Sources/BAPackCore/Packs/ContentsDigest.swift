/// A digest of what apps read from a pack: the paths and bytes of its files. It doesn't depend on
/// times, modes, the embedded manifest or compression, so that a pack made again from the same
/// files, by this tool or another, has the same digest.
package struct ContentsDigest: Sendable {
  private var files: [(path: RelativePath, digest: [UInt8])] = []

  /// A SHA-256 digest.
  package struct Value: Hashable, Sendable {
    /// The 32 bytes of the digest.
    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count == 32 else { return nil }
      self.bytes = bytes
    }

    fileprivate init(of bytes: [UInt8]) { self.bytes = SHA256.digest(of: bytes) }

    /// 64 hexadecimal digits.
    package var text: String { hexadecimal(bytes) }
  }

  /// The digest of a pack without files.
  package init() {}

  /// Adds a file, in any order: its path below `Contents` and the SHA-256 of its bytes.
  package mutating func add(_ path: RelativePath, sha256: [UInt8]) {
    files.append((path, sha256))
  }

  /// The SHA-256 of all files, sorted by path: the path, a NUL and the file's digest.
  package func finalize() -> Value {
    var text: [UInt8] = []
    for file in files.sorted(by: { $0.path < $1.path }) {
      text += file.path.bytes + [0] + file.digest
    }
    return Value(of: text)
  }
}
