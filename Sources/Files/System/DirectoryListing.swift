/// Whether two names are equal only if their bytes are. Volumes on macOS usually ignore case, and
/// all of Apple's ignore normalization.
package var namesAreBytes: Bool {
  #if canImport(Darwin)
    return false
  #else
    return true
  #endif
}

extension FileDescriptor {
  /// The names in this folder that may match `only`: just `only` itself, whether it exists or not,
  /// if names are compared as bytes; otherwise all of them.
  package func names(only: [UInt8]?) throws(Errno) -> [[UInt8]] {
    if let only, namesAreBytes { return [only] }
    return try names()
  }

  /// The names in this folder, without `.` and `..`, that satisfy `takes`, sorted by their bytes.
  /// Corresponds to `readdir(3)`.
  package func names(
    where takes: ([UInt8]) -> Bool = { _ in true }
  ) throws(Errno) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try systemList(rawValue) { name in if takes(name) { names.append(name) } }
    names.sort(by: precedes)
    return names
  }
}

extension BytePath {
  /// The names in the folder at this path; see ``FileDescriptor/names(where:)``.
  package func names(
    where takes: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [[UInt8]] {
    let folder = try attempt(.openFolder, FileDescriptor.directory(self))
    return try attempt(.readFolder, folder.names(where: takes))
  }
}

/// Whether `a` sorts before `b` by its bytes.
private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  let common = min(a.count, b.count)
  let order = unsafe systemCompare(a, b, common)
  return order == 0 ? a.count < b.count : order < 0
}
