/// A path relative to some root: bytes, with `/` between parts, compared byte by byte. The empty
/// path is the root itself. No part is empty, `.` or `..`, and none contains a NUL.
public struct RelativePath: Hashable, Sendable {
  /// The bytes of the path.
  public let bytes: [UInt8]

  package static let root = RelativePath(unchecked: [])

  /// Nil unless `text` is a valid relative path.
  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// The exact text of the path, unlike `description`; nil if it isn't UTF-8.
  public var string: String? { String(validating: bytes, as: UTF8.self) }

  /// Nil unless `bytes` are a valid relative path.
  package init?(_ bytes: some Collection<UInt8>) { self.init(Array(bytes)) }

  // Not generic: other modules would call it unspecialized, for every entry of an archive.

  /// Nil unless `bytes` are a valid relative path.
  public init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    guard
      bytes.isEmpty
        || parts.allSatisfy({
          !$0.isEmpty && !$0.contains(0) && !$0.elementsEqual([ASCII.dot])
            && !$0.elementsEqual([ASCII.dot, ASCII.dot])
        })
    else { return nil }
    self.init(unchecked: bytes)
  }

  package init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// The parts between slashes; none for the root.
  package var components: [ArraySlice<UInt8>] { bytes.split(separator: ASCII.slash) }

  /// The last part; empty for the root.
  package var name: ArraySlice<UInt8> {
    guard let cut = bytes.lastIndex(of: ASCII.slash) else { return bytes[...] }
    return bytes[(cut + 1)...]
  }

  /// The directory that contains this path; nil for the root.
  package var parent: RelativePath? {
    guard !bytes.isEmpty else { return nil }
    return RelativePath(unchecked: Array(bytes[..<(bytes.lastIndex(of: ASCII.slash) ?? 0)]))
  }

  package func isInside(_ directory: RelativePath) -> Bool {
    if directory.bytes.isEmpty || self == directory { return true }
    return bytes.count > directory.bytes.count && bytes[directory.bytes.count] == ASCII.slash
      && bytes.starts(with: directory.bytes)
  }

  /// This path with one more part, which must not be empty, `.` or `..`, nor contain `/` or NUL.
  package func appending(_ name: some Collection<UInt8>) -> RelativePath {
    bytes.isEmpty ? RelativePath(unchecked: Array(name)) : joined(bytes, name)
  }

  /// This path below `directory`.
  package func prefixed(by directory: RelativePath) -> RelativePath {
    if bytes.isEmpty { return directory }
    if directory.bytes.isEmpty { return self }
    return joined(directory.bytes, bytes)
  }

  /// This path without the hash that a build tool added to its name: `ui.bundle` for `ui_` and 32
  /// hexadecimal digits, `.bundle`. Itself if it has none.
  package var withoutHash: RelativePath {
    let name = self.name
    let end = name.lastIndex(of: ASCII.dot) ?? name.endIndex
    let start = end - 33
    guard start > name.startIndex, "_-".utf8.contains(name[start]),
      name[(start + 1)..<end].allSatisfy({ ASCII.hexadecimalValue($0) != nil })
    else { return self }
    return RelativePath(unchecked: Array(bytes[..<start] + bytes[end...]))
  }

  /// Joins two paths without spare capacity, which `+` would reserve: paths live as long as the
  /// selection.
  private func joined(_ folder: [UInt8], _ rest: some Collection<UInt8>) -> RelativePath {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(folder.count + 1 + rest.count)
    bytes += folder
    bytes.append(ASCII.slash)
    bytes += rest
    return RelativePath(unchecked: bytes)
  }
}

extension RelativePath {
  /// Hashes all bytes at once, which takes a fraction of the time of one after another.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}

extension RelativePath: Comparable {
  /// The order of an archive: part by part, each by its bytes, so that a directory's contents stay
  /// together (`a/b` before `a-b`). A slash therefore sorts before every other byte.
  public static func < (left: RelativePath, right: RelativePath) -> Bool {
    let (left, right) = (left.bytes, right.bytes)
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] == ASCII.slash
        || (right[index] != ASCII.slash && left[index] < right[index])
    }
    return left.count < right.count
  }
}

extension RelativePath: CustomStringConvertible {
  /// The path, escaped for display; `.` for the root.
  public var description: String { bytes.isEmpty ? "." : printable(bytes) }
}
