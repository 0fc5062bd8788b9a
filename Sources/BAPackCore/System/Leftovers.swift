/// Names of files and folders under construction: `.NAME.ba-package-RANDOM.tmp`.
///
/// Whoever makes one holds a lock on it, which ends with the process. One that nobody holds a lock on
/// is a leftover of a run that was killed, and the next run for the same destination removes it.

/// A name that nobody has, hidden, for a file that is to be called `name`.
package func temporaryName(for name: ArraySlice<UInt8>) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  let random = String(generator.next(), radix: 36)
  let padding = String(repeating: "0", count: randomCount - random.utf8.count)
  return temporaryPrefix(for: name) + (padding + random).utf8 + suffix
}

private func temporaryPrefix(for name: ArraySlice<UInt8>) -> [UInt8] {
  // Room is left in 255 bytes, the longest name that common file systems take.
  [UInt8(ascii: ".")] + name.utf8Prefix(200) + mark
}

private let mark = Array(".ba-package-".utf8)
private let suffix = Array(".tmp".utf8)
/// Digits of base 36 that 64 bits need.
private let randomCount = 13

/// Whether `name` is one that ``temporaryName(for:)`` makes, for whatever destination.
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

/// Removes what killed runs have left of files or folders for `destination`, and returns the paths.
/// What can't be removed, or told from what a living process holds, stays.
func removeLeftovers(of destination: BytePath) -> [BytePath] {
  let prefix = temporaryPrefix(for: destination.name)
  guard let folder = try? FileDescriptor.directory(destination.folder),
    let names = try? folder.names(
      where: { $0.starts(with: prefix) && isTemporaryName($0) })
  else { return [] }
  return names.filter { folder.removeLeftover(named: $0) }
    .map { destination.folder.appending($0) }
}

extension FileDescriptor {
  /// Removes a file or folder whose owner is gone; false where it stays.
  fileprivate func removeLeftover(named name: [UInt8]) -> Bool {
    guard let leftover = openedNotFollowing(named: name), leftover.lock() == .taken,
      let status = try? leftover.status()
    else { return false }
    let isFolder = status.kind == .directory
    if isFolder { leftover.removeAll() }
    return (try? remove(named: name, isFolder: isFolder)) != nil
  }

  /// Removes all in this folder, folders with what is in them. No link is followed, and what can't be
  /// removed stays.
  private func removeAll() {
    for name in (try? names()) ?? [] {
      guard let status = try? status(named: name) else { continue }
      let isFolder = status.kind == .directory
      if isFolder {
        // It may have been exchanged for another since.
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
  /// At most `count` bytes from the front, without a part of a character at their end: some file
  /// systems refuse names that are not UTF-8.
  fileprivate func utf8Prefix(_ count: Int) -> ArraySlice {
    var end = prefix(count).endIndex
    while end > startIndex, end < endIndex, self[end] & 0xC0 == 0x80 { end -= 1 }
    return self[..<end]
  }
}
