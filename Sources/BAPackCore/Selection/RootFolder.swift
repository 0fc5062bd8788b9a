/// The open folder that paths are relative to, for several threads. Errors contain the whole path.
final class RootFolder: Sendable {
  private let descriptor: FileDescriptor
  private let path: BytePath

  init(_ descriptor: consuming FileDescriptor, _ path: BytePath) {
    self.descriptor = descriptor
    self.path = path
  }

  func open(_ path: RelativePath) throws(SystemError) -> FileDescriptor {
    try full(path).attempt(.openFolder, descriptor.directory(path))
  }

  func names(in path: RelativePath) throws(SystemError) -> [[UInt8]] {
    let opened = try open(path)
    return try full(path).attempt(.readFolder, opened.names())
  }

  /// The names in a folder with their status.
  func listing(of path: RelativePath) -> Result<FolderListing, SystemError> {
    Result { () throws(SystemError) in
      let opened = try open(path)
      let shown = full(path)
      let names = try shown.attempt(.readFolder, opened.names())
      return try FolderListing(of: names, in: opened, shown)
    }
  }

  /// Up to `count` bytes of a file from `offset` on; fewer at its end.
  func bytes(
    of file: RelativePath, upTo count: Int, at offset: UInt64 = 0
  ) throws(SystemError) -> [UInt8] {
    let shown = full(file)
    let opened = try shown.attempt(.open, descriptor.reading(file))
    return try shown.attempt(.read, opened.read(count, at: offset))
  }

  /// Whether `text` is a path, from `folder`, of something that exists.
  func isPath(_ text: [UInt8], from folder: RelativePath) -> Bool {
    guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return false }
    // What can't be looked at is no target of a link that could be followed.
    return (try? FileStatus.following(full(folder).appending(text))) != nil
  }

  /// Whether the text of `file` is the path, from its folder, of another file, or in several
  /// components of a folder.
  func hasPathOfFile(_ file: SelectedFile) -> Bool {
    guard let text = try? bytes(of: file.source, upTo: Int(file.size)),
      text.first != ASCII.slash,
      let status = try? FileStatus.following(
        full(file.source.parent ?? .root).appending(text)), status.version != file.version
    else { return false }
    return status.kind == .file || text.contains(ASCII.slash)
  }

  private func full(_ path: RelativePath) -> BytePath { self.path.appending(path.bytes) }
}
