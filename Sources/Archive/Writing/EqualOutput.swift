extension AtomicOutput {
  /// The status of the file at the destination if it has the same `size` bytes as this one; nil if
  /// not, or if it can't be read.
  package func equalFile(ofSize size: UInt64) -> FileStatus? {
    if isStream { return nil }
    do {
      let old = try FileDescriptor.reading(place)
      let status = try old.status()
      guard status.kind == .file, status.size == size else { return nil }
      let oldBytes = try Buffer(size: comparedAtOnce)
      let newBytes = try Buffer(size: comparedAtOnce)
      var offset: UInt64 = 0
      while offset < size {
        let count = try unsafe old.read(
          into: oldBytes.bytes, atLeast: comparedAtOnce, at: offset)
        guard count > 0, try unsafe read(into: newBytes.bytes, at: offset) == count,
          unsafe oldBytes[..<count].bytes.isEqual(to: newBytes[..<count].bytes)
        else { return nil }
        offset += UInt64(count)
      }
      return status
    } catch {
      // Then it is replaced.
      return nil
    }
  }
}

/// The number of bytes of each file to compare at once.
private let comparedAtOnce = 1 << 18
