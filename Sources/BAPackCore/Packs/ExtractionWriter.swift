struct StagedFile: Sendable {
  let path: RelativePath
  let size: UInt64
  let isExecutable: Bool

  init(_ path: RelativePath, _ entry: PackEntry) {
    (self.path, size, isExecutable) = (path, entry.size, entry.isExecutable)
  }
}

/// Writes pieces of files to the staging folder, from several threads, in any order.
///
/// A file of one piece is created, written and closed at once; a larger one is created by the first
/// piece and closed by the last.
final class ExtractionWriter: Sendable {
  private let target: ExtractionTarget
  /// Incomplete files of several pieces, with the number of missing bytes.
  private let open = Monitor([RelativePath: (file: OpenFile, missing: UInt64)]())

  /// A file of several pieces, which several threads write to. It is closed by the thread that
  /// writes its last piece, when no other thread can be using it.
  private final class OpenFile: @unchecked Sendable {
    private var descriptor: FileDescriptor?

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = .some(descriptor) }

    func write(_ bytes: RawSpan, at offset: UInt64) throws(Errno) {
      guard case ()? = try descriptor?.write(bytes, at: offset) else {
        preconditionFailure("written to after its last piece")
      }
    }

    func take() -> FileDescriptor? { descriptor.take() }
  }

  init(_ target: ExtractionTarget) { self.target = target }

  /// Keeps open the folder that a thread last wrote to: the files of a folder are consecutive.
  final class Worker {
    fileprivate var folder: OpenFolder?
  }

  fileprivate final class OpenFolder {
    let path: RelativePath
    let descriptor: FileDescriptor

    init(_ path: RelativePath, _ descriptor: consuming FileDescriptor) {
      self.path = path
      self.descriptor = descriptor
    }
  }

  func writeEmpty(_ file: StagedFile) throws {
    try [UInt8]().withRawSpan { try write($0, at: 0, of: file, Worker()) }
  }

  /// Writes bytes at `offset` of a file.
  func write(
    _ bytes: RawSpan, at offset: UInt64, of file: StagedFile, _ worker: Worker
  ) throws {
    let shown = target.shown(file.path)
    let folder = try folder(file.path.parent ?? .root, worker)
    if UInt64(bytes.byteCount) == file.size {
      let made = try target.create(file, in: folder.descriptor)
      try shown.attempt(.write, made.write(bytes, at: 0))
      try shown.attempt(.sync, made.syncWithoutVolume())
      return try shown.close(made)
    }
    let opened = try openFile(file, folder)
    try shown.attempt(.write, opened.write(bytes, at: offset))
    let isWhole = open.withLock { open in
      let missing = (open[file.path]?.missing ?? 0) - UInt64(bytes.byteCount)
      open[file.path] = missing == 0 ? nil : (opened, missing)
      return missing == 0
    }
    if isWhole, let descriptor = opened.take() {
      try shown.attempt(.sync, descriptor.syncWithoutVolume())
      try shown.close(descriptor)
    }
  }

  /// The file, created by the first thread that needs it. The others wait, which is rare and short.
  private func openFile(_ file: StagedFile, _ folder: OpenFolder) throws -> OpenFile {
    try open.withLock { open in
      if let known = open[file.path] { return known.file }
      let opened = OpenFile(try target.create(file, in: folder.descriptor))
      open[file.path] = (opened, file.size)
      return opened
    }
  }

  private func folder(_ path: RelativePath, _ worker: Worker) throws -> OpenFolder {
    if let folder = worker.folder, folder.path == path { return folder }
    let folder = OpenFolder(path, try target.open(path))
    worker.folder = folder
    return folder
  }
}
