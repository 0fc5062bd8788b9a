/// The bytes of an archive: a file or another source, which can be read anywhere, or a pipe, which can
/// be read once.
package final class ArchiveInput: Sendable {
  /// The path as the user wrote it; `-` is the standard input.
  package let path: BytePath
  /// The size of the file or source when it was opened; nil for a pipe.
  package let size: UInt64?
  /// The first bytes, for detecting the file's type.
  package let start: [UInt8]
  private let origin: Origin
  private let pipe: Monitor<PipeState>

  private enum Origin: ~Copyable, Sendable {
    case file(FileDescriptor)
    case source(any ByteSource, size: UInt64)
  }

  private struct PipeState {
    /// Bytes that were read but not yet requested.
    var pending: ArraySlice<UInt8>
    /// The offset of the next byte of the input.
    var position: UInt64 = 0
    /// The digests of the requested bytes, if wanted.
    var digests: FileDigests?
  }

  /// Opens the file at `path`, or the standard input for `-`. Digests of a pipe must be requested
  /// here; those of a file can be computed later.
  package init(_ path: BytePath, digestingPipe: Bool = false) throws {
    do throws(SystemError) {
      let isStandardInput = path == "-"
      let descriptor =
        isStandardInput
        ? try BytePath.standardInput.attempt(
          .read, FileDescriptor.duplicating(FileDescriptor.standardInput.rawValue))
        : try path.attempt(.open, FileDescriptor.reading(path))
      let status = try path.attempt(.lookUp, descriptor.status())
      if status.kind == .directory { throw SystemError(.read, path, code: .isDirectory) }
      let size = status.kind == .file && !isStandardInput ? status.size : nil
      let start = try path.attempt(.read, readStart(descriptor, seekable: size != nil))
      self.path = path
      self.size = size
      self.start = start
      pipe = Monitor(PipeState(pending: start[...], digests: digestingPipe ? FileDigests() : nil))
      origin = .file(descriptor)
    } catch {
      throw error.cause
    }
  }

  /// Opens a source, which messages call `path`.
  package init(_ source: some ByteSource, named path: BytePath) throws {
    let size = try source.size
    (self.path, self.size) = (path, size)
    start = try source.all(0..<min(size, UInt64(ContainerKind.startSize)))
    origin = .source(source, size: size)
    pipe = Monitor(PipeState(pending: []))
  }

  /// An unnamed copy of `pipe`, all of which was read.
  private init(_ pipe: ArchiveInput, copy: consuming FileDescriptor, size: UInt64) {
    (path, start, self.size) = (pipe.path, pipe.start, size)
    origin = .file(copy)
    self.pipe = Monitor(PipeState(pending: []))
  }

  /// This file; or for a pipe a file without a name that has its contents, of at most `limit` bytes.
  package func rereadable(limit: UInt64) throws -> ArchiveInput {
    if size != nil { return self }
    let folder = ProcessContext.temporaryFolder
    let copy = try FileDescriptor.nameless()
    let buffer = try path.attempt(.read, Buffer(size: 1 << 18))
    var offset: UInt64 = 0
    while true {
      try Interrupted.check()
      let count = try read(into: buffer, 1 << 18, at: offset)
      if count == 0 { return ArchiveInput(self, copy: copy, size: offset) }
      try buffer.withSpan(..<count) { try folder.attempt(.write, copy.write($0, at: offset)) }
      offset += UInt64(count)
      if offset > limit {
        throw SystemError(.read, path, code: .fileTooLarge, limit: Int(clamping: limit))
      }
    }
  }

  /// Fills `buffer` from `offset`. In a pipe, that must be where the last read stopped, or further
  /// but within ``start``. Returns the number of bytes read, which is less than requested only at
  /// the end of the input.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws -> Int {
    do {
      switch origin {
      case .source(let source, let size):
        return try unsafe source.read(into: buffer, at: offset, size: size, start: start)
      case .file(let file):
        // SAFETY: reads stay within the buffer.
        return size == nil
          ? try pipe.withLock { try unsafe readPipe(file, into: buffer, at: offset, &$0) }
          : try unsafe file.read(into: buffer, atLeast: buffer.count, at: offset)
      }
    } catch {
      throw self.error(error)
    }
  }

  /// Reads `count` bytes from `offset` to the start of `buffer`, or fewer at the end of the input.
  func read(into buffer: Buffer, _ count: Int, at offset: UInt64) throws -> Int {
    // SAFETY: the buffer checks the range.
    try unsafe read(into: buffer[..<count], at: offset)
  }

  /// `count` bytes from `offset`; fewer only at the end of the input.
  package func read(_ count: Int, at offset: UInt64) throws -> [UInt8] {
    // SAFETY: `read` stays within the buffer.
    try unsafe [UInt8](upTo: count) { buffer in
      try unsafe read(into: buffer, at: offset)
    }
  }

  /// The status of the open file now.
  package func status() throws -> FileStatus {
    switch origin {
    case .file(let file): do { return try file.status() } catch { throw self.error(error) }
    case .source: throw SystemError(.lookUp, path, code: .illegalSeek)
    }
  }

  /// An error in reading this archive, with its name: damage, or an error of the system.
  package func error(_ error: any Error) -> any Error {
    switch error {
    case let damage as ArchiveDamage: damage.pack == nil ? damage.named(path) : damage
    case let error as SystemError: error.cause
    case let code as Errno: SystemError(.read, path, code: code).cause
    default: error
    }
  }

  /// The digests of a pipe's bytes so far, if requested.
  package var pipeDigests: FileDigests? { pipe.withLock { $0.digests } }

  private func readPipe(
    _ descriptor: borrowing FileDescriptor, into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64, _ state: inout PipeState
  ) throws(Errno) -> Int {
    while state.position < offset, let byte = state.pending.popFirst() {
      state.digests?.update([byte])
      state.position += 1
    }
    // SAFETY: all ranges are within the buffer.
    let known = min(buffer.count, state.pending.count)
    unsafe buffer.copyBytes(from: state.pending.prefix(known))
    state.pending.removeFirst(known)
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[known...])
    let count = unsafe try known + (rest.isEmpty ? 0 : descriptor.read(into: rest))
    state.position += UInt64(count)
    let received = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
    unsafe state.digests?.update(received.bytes)
    return count
  }
}

/// The first bytes of an open file or pipe, enough to detect its type.
private func readStart(
  _ descriptor: borrowing FileDescriptor, seekable: Bool
) throws(Errno) -> [UInt8] {
  let buffer = try Buffer(size: ContainerKind.startSize)
  // SAFETY: reads stay within the buffer.
  let count =
    seekable
    ? try unsafe descriptor.read(into: buffer.bytes, atLeast: ContainerKind.startSize, at: 0)
    : try unsafe descriptor.read(into: buffer.bytes)
  return unsafe Array(buffer[..<count])
}
