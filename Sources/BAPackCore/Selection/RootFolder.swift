/// The open folder that paths are relative to, for several threads.
final class RootFolder: Sendable {
  private let descriptor: FileDescriptor
  private let path: BytePath

  init(_ descriptor: consuming FileDescriptor, _ path: BytePath) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens a folder; an error has the whole path.
  func open(_ path: RelativePath) throws(SystemError) -> FileDescriptor {
    try full(path).attempt(.openFolder, descriptor.directory(path))
  }

  func names(in path: RelativePath) throws(SystemError) -> [[UInt8]] {
    let opened = try open(path)
    return try full(path).attempt(.readFolder, opened.names())
  }

  /// Everything in a folder.
  func listing(of path: RelativePath) -> Result<FolderListing, SystemError> {
    Result { () throws(SystemError) in
      let opened = try open(path)
      let shown = full(path)
      let names = try shown.attempt(.readFolder, opened.names())
      return try FolderListing(of: names, in: opened, shown)
    }
  }

  private func full(_ path: RelativePath) -> BytePath { self.path.appending(path.bytes) }

  /// The first bytes of a file, up to ``Stub/sizeLimit``.
  func start(of file: RelativePath) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(Stub.sizeLimit)) { buffer, count in
      do throws(SystemError) {
        let opened = try full(file).attempt(.open, descriptor.reading(file))
        count = try unsafe full(file).attempt(
          .read, opened.read(into: UnsafeMutableRawBufferPointer(buffer), atLeast: 1, at: 0))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
