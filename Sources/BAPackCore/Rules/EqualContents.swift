/// Which files of packs have the same contents. Large files of equal size, such as textures, are first
/// compared by a few bytes, and no file is read twice because several packs select it or because it
/// is in several groups.
struct EqualContents {
  private let packs: [CheckedPack]
  /// The digests of what was read of each file. Nothing is read of a file without another of its size.
  private var keys: [AppPaths.Owner: [UInt8]] = [:]
  private var failed: Set<AppPaths.Owner> = []
  /// A finding for each file that can't be read.
  private(set) var unreadable: [Finding] = []

  private struct Source: Hashable {
    let root: BytePath?
    let path: RelativePath
  }

  private struct Contents: Hashable {
    let size: UInt64
    let key: [UInt8]?
  }

  /// What is read of a file.
  private enum Part: CaseIterable {
    case middle, ends, all

    static let size: UInt64 = 1024

    /// The SHA-256; nil if the file was truncated meanwhile.
    func digest(of file: SelectedFile, at path: BytePath) throws(SystemError) -> [UInt8]? {
      let starts: [UInt64]
      switch self {
      case .middle: starts = [file.size / 2]
      case .ends: starts = [0, file.size - Self.size]
      case .all: return try file.sha256(at: path)
      }
      let opened = try path.attempt(.open, FileDescriptor.reading(path))
      var digest = SHA256()
      for start in starts {
        let bytes = try path.attempt(.read, opened.read(Int(Self.size), at: start))
        guard bytes.count == Int(Self.size) else { return nil }
        digest.update(bytes)
      }
      return digest.finalize()
    }
  }

  /// Compares the files of each group with each other.
  init(of groups: [[AppPaths.Owner]], _ packs: [CheckedPack]) {
    self.packs = packs
    // Of the file behind a pointer, only the digest of all its bytes is known.
    let hasPointers = packs.contains { $0.files.contains { $0.pointer != nil } }
    for part in hasPointers ? [.all] : Part.allCases {
      var wanted = Groups<Source, AppPaths.Owner>()
      var known: Set<AppPaths.Owner> = []
      for same in groups.lazy.flatMap(classes(of:)) {
        if part != .all, packs[same[0]].size < 4 * Part.size { continue }
        let sources = same.map {
          Source(root: packs[$0.pack].selection?.root, path: packs[$0].source)
        }
        guard sources.contains(where: { $0 != sources[0] }) else { continue }
        for (owner, source) in zip(same, sources) where known.insert(owner).inserted {
          wanted.add(owner, source)
        }
      }
      let files = wanted.all.map { source, owners in
        (source.root?.appending(source.path.bytes), packs[owners[0]])
      }
      let digests = mapOnThreads(files.count, share: 16) { index in
        Result<[UInt8]?, SystemError> { () throws(SystemError) in
          guard let path = files[index].0, !Work.isStopping else { return nil }
          return try part.digest(of: files[index].1, at: path)
        }
      }
      for ((_, owners), digest) in zip(wanted.all, digests) {
        for owner in owners { add(digest, to: owner) }
      }
    }
    unreadable.sort { $0.message < $1.message }
  }

  private mutating func add(_ digest: Result<[UInt8]?, SystemError>, to owner: AppPaths.Owner) {
    switch digest {
    case .success(let digest?): keys[owner, default: []] += digest
    case .success(nil): failed.insert(owner)
    case .failure(let error):
      failed.insert(owner)
      let file = packs[owner]
      unreadable.append(
        Finding(
          .unreadableFile, "\(error)", at: packs[owner.pack].manifest.location(of: file),
          file: file.source, manifests: [owner.pack]))
    }
  }

  /// Those of these files that can be read, by their contents. Those with the same size are of one
  /// group.
  func classes(of files: [AppPaths.Owner]) -> [[AppPaths.Owner]] {
    var classes = Groups<Contents, AppPaths.Owner>()
    for owner in files where !failed.contains(owner) {
      classes.add(owner, Contents(size: packs[owner].size, key: keys[owner]))
    }
    return classes.all.map(\.elements)
  }
}

extension [CheckedPack] {
  subscript(owner: AppPaths.Owner) -> SelectedFile { self[owner.pack].files[owner.file] }
}
