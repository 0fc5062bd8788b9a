/// A difference between a pack and the repository that it was made from.
package enum RepositoryDifference: Hashable, Sendable {
  /// A file of the pack can't be opened in the repository, with the reason.
  case missing(RelativePath, SystemError)
  /// A file of the pack isn't a file in the repository.
  case kind(RelativePath, FileKind)
  /// The contents of a file differ in size, or else from byte `firstByte` on.
  case contents(RelativePath, inPack: UInt64, inRepository: UInt64, firstByte: UInt64?)
  /// A file is executable in only one of the two.
  case executable(RelativePath, inPack: Bool)
  /// A file that the manifest selects is not in the pack.
  case notInPack(RelativePath)
  /// A file of the pack is not selected by the manifest.
  case notSelected(RelativePath)

  /// The path as apps use it.
  package var path: RelativePath {
    switch self {
    case .missing(let path, _), .kind(let path, _), .contents(let path, _, _, _),
      .executable(let path, _), .notInPack(let path), .notSelected(let path):
      path
    }
  }
}

extension RepositoryDifference: CustomStringConvertible {
  /// The difference, in one sentence without a final period.
  package var description: String {
    switch self {
    case .missing(let path, let error) where error.code == .noSuchFile:
      "'\(path)' is in the pack, but there is no '\(error.path)'"
    case .missing(let path, let error): "'\(path)' is in the pack, but \(error)"
    case .kind(let path, let kind): "'\(path)' is a file in the pack and \(kind) in the repository"
    case .contents(let path, let pack, let repository, nil):
      "'\(path)' has \(counted(pack, "byte")) in the pack and \(grouped(repository)) in the repository"
    case .contents(let path, _, _, let byte?):
      "'\(path)' differs from the repository's, from byte \(grouped(byte)) on"
    case .executable(let path, inPack: true):
      "'\(path)' is executable in the pack, but not in the repository"
    case .executable(let path, inPack: false):
      "'\(path)' is executable in the repository, but not in the pack"
    case .notInPack(let path): "'\(path)' is selected by the manifest, but not in the pack"
    case .notSelected(let path): "'\(path)' is in the pack, but not selected by its manifest"
    }
  }
}

extension PackIndex {
  /// Compares every file with the one in the repository at `root`. `sources` is the selection that
  /// the pack's manifest makes from the repository, which must contain the same files; it gives the
  /// source paths of files with another destination.
  package func compare(
    with root: BytePath, selection: Selection?, jobs: Int = Processors.available
  ) throws -> [RepositoryDifference] {
    var differences: [RepositoryDifference] = []
    var sources: [RelativePath: RelativePath] = [:]
    for file in selection?.files ?? [] { sources[file.destination] = file.source }
    let files = entries.filter { $0.kind == .file && $0.gamePath != nil }
    var ranges: [StreamRange] = []
    var paths: [RelativePath] = []
    for entry in files {
      guard let path = entry.gamePath else { continue }
      let source = sources[path] ?? path
      paths.append(source)
      if selection != nil, sources.removeValue(forKey: path) == nil {
        differences.append(.notSelected(path))
      }
      do {
        let status = try FileStatus.following(root.appending(source.bytes))
        if status.kind != .file {
          differences.append(.kind(path, status.kind))
          continue
        }
        if status.size != entry.size {
          differences.append(
            .contents(path, inPack: entry.size, inRepository: status.size, firstByte: nil))
          continue
        }
        if status.isExecutable != entry.isExecutable {
          differences.append(.executable(path, inPack: entry.isExecutable))
        }
        if let range = entry.contents, !range.isEmpty {
          ranges.append(StreamRange(id: paths.count - 1, range: range))
        }
      } catch {
        differences.append(.missing(path, error))
      }
    }
    differences += sources.keys.map { .notInPack($0) }
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let comparison = RepositoryReader(root, paths)
    let (input, container) = try archive()
    try readPieces(input, container, ranges, jobs: jobs, into: comparison)
    for (id, byte) in comparison.different {
      guard let path = files[id].gamePath else { continue }
      differences.append(
        .contents(path, inPack: files[id].size, inRepository: files[id].size, firstByte: byte))
    }
    return differences.sorted { $0.path < $1.path }
  }
}

/// Reads files of the repository along with the pieces of the pack.
private final class RepositoryReader: PieceSink {
  private let root: BytePath
  private let paths: [RelativePath]
  /// The offset of the first difference in each file.
  private let found = Monitor<[Int: UInt64]>([:])

  init(_ root: BytePath, _ paths: [RelativePath]) {
    self.root = root
    self.paths = paths
  }

  var different: [Int: UInt64] { found.withLock { $0 } }

  /// A buffer for the bytes of a file.
  final class Worker {
    private var buffer: Buffer?

    fileprivate func take(_ count: Int) throws(Errno) -> Buffer {
      // SAFETY: only the size is read.
      if let buffer, unsafe buffer.bytes.count >= count { return buffer }
      let larger = try Buffer(size: count)
      buffer = larger
      return larger
    }
  }

  func makeWorker() -> Worker { Worker() }

  func piece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Worker) throws {
    let path = root.appending(paths[id].bytes)
    let count = bytes.byteCount
    let buffer = try path.attempt(.read, worker.take(count))
    let file = try path.attempt(.open, FileDescriptor.reading(path))
    // SAFETY: the buffer has room for `count` bytes.
    let read = try unsafe path.attempt(
      .read, file.read(into: buffer[..<count], atLeast: count, at: offset))
    guard let byte = buffer.withSpan(..<read, { bytes.firstDifference($0) }) else { return }
    found.withLock { $0[id] = min($0[id] ?? .max, offset + UInt64(byte)) }
  }
}

extension RawSpan {
  /// The offset of the first difference, which may be the end of the shorter one; nil if equal.
  fileprivate func firstDifference(_ other: RawSpan) -> Int? {
    if isEqual(to: other) { return nil }
    let shorter = Swift.min(byteCount, other.byteCount)
    // SAFETY: both are read within the closures and within their own counts.
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        (0..<shorter).first { unsafe left[$0] != right[$0] } ?? shorter
      }
    }
  }
}
