/// Generates any part of an archive stream from its layout and the files of the repository.
package final class ArchiveSource: Sendable {
  package let layout: ArchiveLayout
  private let root: BytePath
  private let folder: FileDescriptor

  package init(_ layout: ArchiveLayout, root: BytePath) throws {
    folder = try root.attempt(.openFolder, FileDescriptor.directory(root))
    self.layout = layout
    self.root = root
  }

  /// Puts `range` of the stream at the start of `buffer`, which must have room for one more byte.
  ///
  /// Each file is opened again for each block. Its version shows whether it is still the file that
  /// was selected, even if links in its path changed.
  func read(
    _ range: Range<UInt64>, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    // SAFETY: the pieces have the size of the range together, for which there is room.
    var rest = unsafe buffer
    for piece in layout.pieces(in: range) {
      let count: Int
      switch piece {
      case .header(let bytes):
        unsafe rest.copyBytes(from: bytes)
        count = bytes.count
      case .contents(let index, let range):
        try unsafe readContents(layout.entries[index], range, into: rest)
        count = range.count
      }
      unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
    }
  }

  package func sha256(ofEntry index: Int) throws -> [UInt8] {
    let entry = layout.entries[index]
    let step: UInt64 = 1 << 20
    guard let buffer = try? Buffer(size: Int(min(entry.size, step)) + 1) else {
      throw PackagingError.outOfMemory
    }
    var digest = SHA256()
    var offset: UInt64 = 0
    repeat {
      try Interrupted.check("nothing was written")
      let end = min(offset + step, entry.size)
      // SAFETY: the buffer has room for the range and one more byte.
      try unsafe readContents(entry, offset..<end, into: buffer.bytes)
      unsafe digest.update(buffer[..<Int(end - offset)].bytes)
      offset = end
    } while offset < entry.size
    return digest.finalize()
  }

  private func readContents(
    _ entry: ArchiveEntry, _ range: Range<UInt64>, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    guard case .file(let contents, let size, _) = entry.kind else { return }
    switch contents {
    case .bytes(let bytes):
      // SAFETY: `buffer` has room for the range.
      unsafe buffer.copyBytes(from: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    case .file(let path, let version):
      let isEnd = range.upperBound == size
      // Requests one more byte at the end, so an empty file is read too.
      // SAFETY: `buffer` has room for it.
      let target = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<(range.count + (isEnd ? 1 : 0))])
      let shown = root.appending(path.bytes)
      let (received, status): (Int, FileStatus)
      do {
        let file = try shown.attempt(.open, folder.reading(path))
        received = try unsafe shown.attempt(
          .read, file.read(into: target, atLeast: max(1, range.count), at: range.lowerBound))
        // Checked last, so the bytes read are those of the selected file.
        status = try shown.attempt(.lookUp, file.status())
      } catch {
        // The file was replaced with a named pipe or another special file.
        if [.namedPipe, .illegalSeek].contains(error.code) {
          throw PackagingError.fileReplaced(shown)
        }
        throw error
      }
      if status.size != size {
        throw PackagingError.fileChanged(shown, expected: size, isShorter: status.size < size)
      }
      guard received == range.count, status.version == version else {
        throw PackagingError.fileReplaced(shown)
      }
    }
  }
}
