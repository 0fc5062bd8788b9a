/// Whether two names are the same only when their bytes are. Macs' volumes mostly find a name in
/// another case too, and all of Apple's one in another normalization.
package var namesAreBytes: Bool {
  #if canImport(Darwin)
    return false
  #else
    return true
  #endif
}

extension FileDescriptor {
  /// The names in this folder that may be `only`: that name itself, whether it is there or not,
  /// where names are their bytes; else all of them.
  package func names(only: [UInt8]?) throws(Errno) -> [[UInt8]] {
    if let only, namesAreBytes { return [only] }
    return try names()
  }

  /// The names in this folder but `.` and `..` that `takes` wants, sorted by their bytes, whatever
  /// order the file system keeps. Corresponds to `readdir(3)`.
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
  /// The names in the folder at this path, see ``FileDescriptor/names(where:)``.
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
