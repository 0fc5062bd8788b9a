/// Writes pieces of files as their blocks are decoded.
final class ExtractionSink: PieceSink {
  typealias Failure = ExtractionError

  private let files: [PackedFile]
  private let target: ExtractionTarget
  private let progress: @Sendable (UInt64) -> Void
  private let state = Monitor(State())

  private struct State {
    /// Files of several pieces that are not whole yet, with the bytes that they lack.
    var open: [Int: (file: OpenFile, missing: UInt64)] = [:]
    var written: UInt64 = 0
  }

  /// A file of several pieces, which several threads write to. It is closed by the thread that brings
  /// its last piece, when no other can be at it.
  private final class OpenFile: @unchecked Sendable {
    private var descriptor: FileDescriptor?

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = .some(descriptor) }

    func write(_ bytes: RawSpan, at offset: UInt64, to path: BytePath) throws(SystemError) {
      guard case ()? = try descriptor?.write(bytes, at: offset, to: path) else {
        preconditionFailure("written to after its last piece")
      }
    }

    func take() -> FileDescriptor? { descriptor.take() }
  }

  init(
    _ files: [PackedFile], _ target: ExtractionTarget,
    _ progress: @escaping @Sendable (UInt64) -> Void
  ) {
    self.files = files
    self.target = target
    self.progress = progress
  }

  /// The folder that a thread wrote to last, open: files of a folder follow each other.
  final class Worker {
    fileprivate var path: RelativePath?
    fileprivate var folder: OpenFolder?
  }

  /// A folder, closed with its last owner.
  fileprivate final class OpenFolder {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  func makeWorker() -> Worker { Worker() }

  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) {
    let written = state.withLock { state in
      state.written += UInt64(bytes.byteCount)
      return state.written
    }
    progress(written)
  }

  /// Makes the files without contents, which no block brings along.
  func makeEmptyFiles() throws(ExtractionError) {
    let worker = Worker()
    for file in files where file.entry.size == 0 {
      if let signal = Interruption.pending { throw .interrupted(signal) }
      let folder = try folder(of: file.path, worker)
      let made = try target.create(
        file.path, executable: file.entry.isExecutable, in: folder.descriptor)
      try target.finish(file.path, made)
    }
  }

  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Worker
  ) throws(ExtractionError) {
    let path = files[id].path
    let size = files[id].entry.size
    let shown = target.shown(path)
    let folder = try folder(of: path, worker)
    if UInt64(bytes.byteCount) == size {
      let made = try create(id, folder)
      try mapping(ExtractionError.system) { () throws(SystemError) in
        try made.write(bytes, at: 0, to: shown)
      }
      return try target.finish(path, made)
    }
    let file = try openFile(id, folder)
    try mapping(ExtractionError.system) { () throws(SystemError) in
      try file.write(bytes, at: offset, to: shown)
    }
    let isWhole = state.withLock { state in
      let missing = (state.open[id]?.missing ?? 0) - UInt64(bytes.byteCount)
      state.open[id] = missing == 0 ? nil : (file, missing)
      return missing == 0
    }
    if isWhole, let descriptor = file.take() {
      try target.finish(path, descriptor)
    }
  }

  /// The file, made by whichever thread comes first. The others wait, which is rare and short.
  private func openFile(_ id: Int, _ folder: OpenFolder) throws(ExtractionError) -> OpenFile {
    try state.withLock { (state) throws(ExtractionError) in
      if let known = state.open[id] { return known.file }
      let file = OpenFile(try create(id, folder))
      state.open[id] = (file, files[id].entry.size)
      return file
    }
  }

  private func create(
    _ id: Int, _ folder: OpenFolder
  ) throws(ExtractionError) -> FileDescriptor {
    try target.create(
      files[id].path, executable: files[id].entry.isExecutable, in: folder.descriptor)
  }

  private func folder(
    of path: RelativePath, _ worker: Worker
  ) throws(ExtractionError) -> OpenFolder {
    let parent = path.parent ?? .root
    if let folder = worker.folder, worker.path == parent { return folder }
    let folder = OpenFolder(
      try mapping(ExtractionError.system) { () throws(SystemError) in try target.open(parent) })
    worker.folder = folder
    worker.path = parent
    return folder
  }
}
