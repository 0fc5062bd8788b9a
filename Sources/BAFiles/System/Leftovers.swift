/// Names of files and folders under construction: `.NAME.ba-package-RANDOM.tmp`.
///
/// Their creator holds a lock, which ends with the process. An unlocked one is a leftover of a
/// killed run, and the next run for the same destination removes it.

/// A unique hidden name for a file that is to be called `name`.
package func temporaryName(for name: ArraySlice<UInt8>) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  let random = String(generator.next(), radix: 36)
  let padding = String(repeating: "0", count: randomCount - random.utf8.count)
  return temporaryPrefix(for: name) + (padding + random).utf8 + suffix
}

private func temporaryPrefix(for name: ArraySlice<UInt8>) -> [UInt8] {
  // Leaves room within 255 bytes, the longest name that common file systems allow.
  [UInt8(ascii: ".")] + name.utf8Prefix(200) + mark
}

private let mark = Array(".ba-package-".utf8)
private let suffix = Array(".tmp".utf8)
/// The number of base-36 digits for 64 bits.
private let randomCount = 13

/// Whether `name` was made by ``temporaryName(for:)``, for any destination.
package func isTemporaryName(_ name: [UInt8]) -> Bool {
  let end = mark.count + randomCount + suffix.count
  guard name.first == UInt8(ascii: "."), name.count > end, name.suffix(suffix.count) == suffix[...]
  else { return false }
  let rest = name.suffix(end)
  return rest.starts(with: mark)
    && rest.dropFirst(mark.count).prefix(randomCount).allSatisfy { digit in
      (0x30...0x39).contains(digit) || (0x61...0x7A).contains(digit)
    }
}

/// Removes leftovers of killed runs for `destination`, and returns their paths. Those that can't be
/// removed, or can't be locked, stay.
package func removeLeftovers(of destination: BytePath) -> [BytePath] {
  let prefix = temporaryPrefix(for: destination.name)
  guard let folder = try? FileDescriptor.directory(destination.folder),
    let names = try? folder.names(
      where: { $0.starts(with: prefix) && isTemporaryName($0) })
  else { return [] }
  return names.filter { folder.removeLeftover(named: $0) }
    .map { destination.folder.appending($0) }
}

extension FileDescriptor {
  /// Removes a file or folder whose owner is gone; false if it stays.
  fileprivate func removeLeftover(named name: [UInt8]) -> Bool {
    guard let leftover = openedNotFollowing(named: name), let status = try? leftover.status()
    else { return false }
    let isFolder = status.kind == .directory
    var file: FileDescriptor?
    let lock = isFolder ? leftover.lockFolder(named: name, in: rawValue, &file) : leftover.lock()
    if lock != .taken { return false }
    if isFolder { leftover.removeAll() }
    return (try? remove(named: name, isFolder: isFolder)) != nil
  }

  /// Removes everything in this folder, recursively. Links are not followed, and what can't be
  /// removed stays.
  private func removeAll() {
    for name in (try? names()) ?? [] {
      guard let status = try? status(named: name) else { continue }
      let isFolder = status.kind == .directory
      if isFolder {
        // It may have been replaced since.
        guard let folder = try? folder(named: name),
          let opened = try? folder.status(), opened.identity == status.identity
        else { continue }
        folder.removeAll()
      }
      try? remove(named: name, isFolder: isFolder)
    }
  }
}

extension ArraySlice<UInt8> {
  /// At most the first `count` bytes, without a truncated character at the end: some file systems
  /// reject names that aren't UTF-8.
  fileprivate func utf8Prefix(_ count: Int) -> ArraySlice {
    var end = prefix(count).endIndex
    while end > startIndex, end < endIndex, self[end] & 0xC0 == 0x80 { end -= 1 }
    return self[..<end]
  }
}
