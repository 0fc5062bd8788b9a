/// An archive's bytes: a file, which can be read anywhere, or a pipe, which can be read once.
package final class ArchiveInput: Sendable {
  /// The path as the user wrote it; `-` is the standard input.
  package let path: BytePath
  /// Bytes of the file as it was opened; nil for a pipe.
  package let size: UInt64?
  /// The first bytes, for telling what the file is.
  package let start: [UInt8]
  private let descriptor: FileDescriptor
  private let pipe: Monitor<PipeState>

  /// What is known of a pipe besides what it still holds.
  private struct PipeState {
    /// Bytes that were read and not asked for yet.
    var pending: ArraySlice<UInt8>
    /// The byte of the input that comes next.
    var position: UInt64 = 0
    /// The digests of the bytes that were asked for, where they are wanted.
    var digests: FileDigests?
  }

  /// Opens the file at `path`, or the standard input for `-`. Digests of a pipe must be asked for
  /// here; those of a file can be had at any time.
  package init(_ path: BytePath, digestingPipe: Bool = false) throws(ArchiveError) {
    do throws(SystemError) {
      let isStandardInput = path == "-"
      let descriptor =
        isStandardInput
        ? try FileDescriptor.duplicatingStandardInput() : try FileDescriptor.reading(path)
      let status = try descriptor.status(path)
      if status.kind == .directory { throw SystemError(.read, path, code: .isDirectory) }
      let size = status.kind == .file && !isStandardInput ? status.size : nil
      let start = try readStart(descriptor, path, seekable: size != nil)
      self.path = path
      self.size = size
      self.start = start
      pipe = Monitor(PipeState(pending: start[...], digests: digestingPipe ? FileDigests() : nil))
      self.descriptor = descriptor
    } catch {
      throw ArchiveError(error, in: path)
    }
  }

  /// Fills `buffer` from `offset`, which in a pipe is where the last read stopped or behind some of
  /// the ``start``; returns the bytes read, fewer than asked for only where the input ends.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(ArchiveError) -> Int {
    try mappingErrors(failure) { () throws(SystemError) in
      guard size == nil else {
        return try unsafe descriptor.read(into: buffer, atLeast: buffer.count, at: offset, of: path)
      }
      return try pipe.withLock { (state) throws(SystemError) in
        try unsafe readPipe(into: buffer, at: offset, &state)
      }
    }
  }

  /// `count` bytes from `offset`; fewer only where the input ends.
  package func read(_ count: Int, at offset: UInt64) throws(ArchiveError) -> [UInt8] {
    var failure: ArchiveError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(ArchiveError) {
        initialized = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Memory for reading this archive, or the error that there is none.
  package func memory<Result: ~Copyable>(
    _ make: () throws(Errno) -> Result
  ) throws(ArchiveError) -> Result {
    try mapping({ failure(SystemError(.read, path, code: $0)) }, make())
  }

  /// Damage to this archive.
  package func error(_ damage: ArchiveDamage) -> ArchiveError {
    ArchiveError(.damage(damage), in: path)
  }

  /// An error of the system in reading this archive.
  package func failure(_ error: SystemError) -> ArchiveError { ArchiveError(error, in: path) }

  /// Fails where a signal asks to stop.
  package func checkInterruption() throws(ArchiveError) {
    if let signal = Interruption.pending { throw ArchiveError(.interrupted(signal), in: path) }
  }

  /// A buffer for reading this archive.
  package func makeBuffer(_ size: Int) throws(ArchiveError) -> Buffer {
    try memory { () throws(Errno) in try Buffer(size: size) }
  }

  /// The digests of a pipe's bytes so far, where they were asked for.
  package var pipeDigests: FileDigests? { pipe.withLock { $0.digests } }

  private func readPipe(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64, _ state: inout PipeState
  ) throws(SystemError) -> Int {
    while state.position < offset, let byte = state.pending.popFirst() {
      state.digests?.update([byte])
      state.position += 1
    }
    let known = min(buffer.count, state.pending.count)
    unsafe buffer.copyBytes(from: state.pending.prefix(known))
    state.pending.removeFirst(known)
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[known...])
    let count = unsafe try known + (rest.isEmpty ? 0 : descriptor.read(into: rest, of: path))
    state.position += UInt64(count)
    let received = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
    unsafe state.digests?.update(received.bytes)
    return count
  }
}

/// The first bytes of an open file or pipe, as many as tell what it is.
private func readStart(
  _ descriptor: borrowing FileDescriptor, _ path: BytePath, seekable: Bool
) throws(SystemError) -> [UInt8] {
  let buffer = try mapping(
    { SystemError(.read, path, code: $0) }, Buffer(size: ContainerKind.startSize))
  let count =
    seekable
    ? try unsafe descriptor.read(
      into: buffer.bytes, atLeast: ContainerKind.startSize, at: 0, of: path)
    : try unsafe descriptor.read(into: buffer.bytes, of: path)
  return unsafe Array(buffer.bytes.prefix(count))
}
