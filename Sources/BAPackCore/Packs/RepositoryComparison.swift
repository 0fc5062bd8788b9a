/// A difference between a pack and the repository that it was made from.
package enum RepositoryDifference: Hashable, Sendable {
  /// A file of the pack can't be opened in the repository, with the reason.
  case missing(RelativePath, SystemError)
  /// A file of the pack isn't a file in the repository.
  case kind(RelativePath, FileKind)
  /// The contents of a file differ in size, or else from byte `firstByte` on.
  case contents(RelativePath, inPack: UInt64, inRepository: UInt64, firstByte: UInt64?)
  case executable(RelativePath, inPack: Bool)
  case notInPack(RelativePath)
  case notSelected(RelativePath)

  package var path: RelativePath {
    switch self {
    case .missing(let path, _), .kind(let path, _), .contents(let path, _, _, _),
      .executable(let path, _), .notInPack(let path), .notSelected(let path):
      path
    }
  }
}

extension RepositoryDifference: CustomStringConvertible {
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
    let files = entries.filter { $0.kind == .file && $0.path != nil }
    var ranges: [StreamRange] = []
    var paths: [RelativePath] = []
    for entry in files {
      guard let path = entry.path else { continue }
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
    let (input, container) = try archive()
    // The offset of the first difference in each file.
    let found = Monitor([Int: UInt64]())
    try readPieces(
      ranges, of: input, container, jobs: jobs, makeWorker: { nil },
      piece: { [paths] file, offset, bytes, buffer in
        let path = root.appending(paths[file.id].bytes)
        guard let byte = try path.firstDifference(bytes, at: offset, &buffer) else { return }
        found.withLock { $0[file.id] = min($0[file.id] ?? .max, offset + UInt64(byte)) }
      })
    for (id, byte) in found.withLock(\.self) {
      guard let path = files[id].path else { continue }
      differences.append(
        .contents(path, inPack: files[id].size, inRepository: files[id].size, firstByte: byte))
    }
    return differences.sorted { $0.path < $1.path }
  }
}

extension BytePath {
  /// Where the file first differs from `bytes` at `offset`; nil if it has the same there. The buffer
  /// is for its bytes, and grows if necessary.
  fileprivate func firstDifference(
    _ bytes: RawSpan, at offset: UInt64, _ buffer: inout Buffer?
  ) throws -> Int? {
    let count = bytes.byteCount
    // SAFETY: only the size is read.
    if buffer.map({ unsafe $0.bytes.count < count }) ?? true {
      buffer = try attempt(.read, Buffer(size: count))
    }
    guard let buffer else { return nil }
    let file = try attempt(.open, FileDescriptor.reading(self))
    // SAFETY: the buffer has room for `count` bytes.
    let read = try unsafe attempt(
      .read, file.read(into: buffer[..<count], atLeast: count, at: offset))
    return buffer.withSpan(..<read) { bytes.firstDifference($0) }
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
