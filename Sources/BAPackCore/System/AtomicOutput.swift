#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears at its destination whole or not at all.
///
/// What is written goes to a temporary file in the destination's folder. ``publish(replacing:)``
/// puts it in place in one step; without that, the temporary file goes with its owner, and what
/// stood at the destination stays as it was.
public struct AtomicOutput: ~Copyable, Sendable {
  /// Where the file will appear.
  public let destination: FilePath
  private let temporary: TemporaryFile
  private let descriptor: FileDescriptor

  /// Makes the temporary file `.NAME.RANDOM.tmp`, hidden, beside `destination`.
  public init(_ destination: FilePath) throws(SystemError) {
    while true {
      let path = destination.folder.appending(temporaryName(for: destination.name))
      do {
        descriptor = try FileDescriptor.creating(path)
        temporary = TemporaryFile(path: path)
        self.destination = destination
        return
      } catch {
        if error.code == .fileExists { continue }
        throw SystemError(error.operation, destination, code: error.code)
      }
    }
  }

  /// Says before the work what making a file at `destination` would fail for after it: its folder is
  /// missing. The error is that of ``init(_:)``.
  public static func checkFolder(of destination: FilePath) throws(SystemError) {
    do throws(SystemError) {
      _ = try FileStatus.following(destination.folder)
    } catch {
      throw SystemError("create", destination, code: error.code)
    }
  }

  /// Appends all of `buffer`.
  package func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) {
    try unsafe descriptor.write(buffer, to: destination)
  }

  /// Appends all of `bytes`.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    // SAFETY: bytes have no padding that could be read, and are read within the closure.
    try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try unsafe descriptor.write(buffer, to: destination)
    }
  }

  /// Closes the file and gives it its name. Where the destination exists it is replaced, or the
  /// call fails with ``Errno/fileExists``.
  public consuming func publish(replacing: Bool) throws(SystemError) {
    let destination = destination
    let temporary = temporary
    try descriptor.close(destination)
    if replacing {
      try temporary.rename(to: destination)
    } else {
      try temporary.link(to: destination)
    }
  }
}

/// A name that nobody has, hidden, for a file that is to be called `name`.
func temporaryName(for name: ArraySlice<UInt8>) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  let random = String(generator.next(), radix: 36)
  // Room is left in 255 bytes, the longest name that common file systems take.
  return Array(".".utf8) + name.utf8Prefix(200) + ".\(random).tmp".utf8
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

/// The name of a temporary file, removed with its owner unless it was renamed.
///
/// It is not private: whoever owns an ``AtomicOutput`` in another module calls this type's `deinit`.
struct TemporaryFile: ~Copyable, Sendable {
  let path: FilePath

  deinit { _ = unsafe path.withCString { unsafe unlink($0) } }

  func rename(to destination: FilePath) throws(SystemError) {
    let result = unsafe path.withCString { old in
      unsafe destination.withCString { new in unsafe systemRename(old, new) }
    }
    guard result == 0 else { throw SystemError("replace", destination) }
  }

  /// `link` refuses an existing destination, whoever made it and however recently.
  func link(to destination: FilePath) throws(SystemError) {
    let result = unsafe path.withCString { old in
      unsafe destination.withCString { new in unsafe systemLink(old, new) }
    }
    if result == 0 { return }
    switch Errno.current {
    case .notPermitted, .notSupported, Errno(rawValue: EMLINK), Errno(rawValue: ENOSYS):
      // No hard links here (FAT, some network volumes): an empty file claims the name, exclusively.
      let claim = try FileDescriptor.creating(destination)
      do throws(SystemError) {
        try claim.close(destination)
        try rename(to: destination)
      } catch {
        _ = unsafe destination.withCString { unsafe unlink($0) }
        throw error
      }
    default:
      throw SystemError("create", destination)
    }
  }
}

private func systemRename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
  unsafe rename(old, new)
}

private func systemLink(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
  unsafe link(old, new)
}
