/// A difference between a pack and the repository that it was made from.
public struct RepositoryDifference: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as apps read it.
  public let path: RelativePath
  /// How the pack differs: a file is added, removed or changed.
  public let kind: PackDifference.Kind
  /// One sentence without a final period.
  public let description: String
}

extension PackIndex {
  /// Compares every file with the one in the repository at `root`. `sources` is the selection that
  /// the pack's manifest makes from the repository, which must contain the same files; it gives the
  /// source paths of files with another destination.
  package func compare(
    with root: BytePath, selection: Selection?, jobs: Int = Processors.available
  ) throws -> [RepositoryDifference] {
    var differences: [RepositoryDifference] = []
    func add(_ kind: PackDifference.Kind, _ path: RelativePath, _ text: String) {
      differences.append(
        RepositoryDifference(path: path, kind: kind, description: "'\(path)' \(text)"))
    }
    var sources: [RelativePath: SelectedFile] = [:]
    for file in selection?.files ?? [] { sources[file.destination] = file }
    let files = entries.filter { $0.kind == .file && $0.gamePath != nil }
    var ranges: [StreamRange] = []
    var paths: [RelativePath] = []
    for entry in files {
      guard let path = entry.gamePath else { continue }
      let selected = sources[path]
      let source = selected?.source ?? path
      paths.append(source)
      if selection != nil, sources.removeValue(forKey: path) == nil {
        add(.added, path, "is in the pack, but not selected by its manifest")
      }
      do {
        let status = try FileStatus.following(root.appending(source.bytes))
        if status.kind != .file {
          add(.changed, path, "is a file in the pack and \(status.kind) in the repository")
          continue
        }
        if status.size != entry.size {
          add(
            .changed, path,
            "has \(counted(entry.size, "byte")) in the pack and \(grouped(status.size)) in the "
              + "repository")
          continue
        }
        if (selected?.isExecutable ?? status.isExecutable) != entry.isExecutable {
          let (one, other) =
            entry.isExecutable ? ("pack", "repository") : ("repository", "pack")
          add(.changed, path, "is executable in the \(one), but not in the \(other)")
        }
        if let range = entry.contents, !range.isEmpty {
          ranges.append(StreamRange(id: paths.count - 1, range: range))
        }
      } catch {
        add(
          .added, path,
          "is in the pack, but "
            + (error.code == .noSuchFile ? "there is no '\(error.path)'" : "\(error)"))
      }
    }
    for path in sources.keys {
      add(.removed, path, "is selected by the manifest, but not in the pack")
    }
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
      guard let path = files[id].gamePath else { continue }
      add(.changed, path, "differs from the repository's, from byte \(grouped(byte)) on")
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
