/// The packs that manifests would make from commits of Git repositories, without a checkout. Sizes
/// are those of the files before compression.
package struct GitPacks {
  private struct Source {
    let path: BytePath
    let manifest: Manifest
    let selectors: SelectorMatch
    /// The top of the repository, and the source root in it.
    let top: BytePath
    let root: RelativePath
  }

  /// A file in a commit.
  private struct Blob {
    let path: RelativePath
    let identifier: [UInt8]
    let isLink: Bool
    let isExecutable: Bool
    let size: UInt64
  }

  /// A file in a pack.
  private typealias File = (destination: RelativePath, blob: Blob)

  private let sources: [Source]
  /// The small blobs that were read, and the files that they represent, if any.
  private var pointers: [[UInt8]: Stub?] = [:]
  /// Symbolic links that were ignored.
  package private(set) var ignoredLinks: Set<RelativePath> = []

  /// The packs of `manifests`, with the paths that they were read from and their source roots.
  package init(_ manifests: [(path: BytePath, manifest: Manifest, root: SourceRoot)]) throws {
    sources = try manifests.map { path, manifest, root in
      let folder = try root.path.resolved()
      guard let top = try folder.repositoryTop(), let below = folder.path(inside: top) else {
        throw PackagingError("'\(root.path)' is in no Git repository")
      }
      return Source(
        path: path, manifest: manifest, selectors: SelectorMatch(manifest.selectors),
        top: top, root: below)
    }
  }

  /// The packs of a commit.
  package mutating func packs(of commit: String) throws -> [PackIndex] {
    var lists: [BytePath: [Blob]] = [:]
    return try sources.map { source in
      let blobs = try lists[source.top] ?? Self.blobs(of: commit, in: source.top)
      lists[source.top] = blobs
      var files: [File] = []
      for blob in blobs where blob.path.isInside(source.root) {
        let path = blob.path.moved(from: source.root, to: .root)
        files += source.selectors.destinations(of: path).map { ($0, blob) }
      }
      try readPointers(of: files.map(\.blob), in: source.top)
      let pack = pack(source, files)
      guard pack.size <= PackIndex.maximumSize else {
        throw PackagingError(
          "the files of '\(source.path)' in the commit '\(printable(commit.utf8))' have more than "
            + "\(byteCount(PackIndex.maximumSize)), by their sizes or their Git LFS pointers")
      }
      return pack
    }
  }

  private mutating func pack(_ source: Source, _ files: [File]) -> PackIndex {
    let known = files.compactMap { file -> PackIndex.KnownFile? in
      let pointer = pointers[file.blob.identifier].flatMap(\.self)
      if file.blob.isLink {
        ignoredLinks.insert(file.blob.path)
        return nil
      }
      return (
        file.destination, pointer?.size ?? file.blob.size, file.blob.isExecutable,
        pointer?.sha256 ?? file.blob.identifier
      )
    }
    return PackIndex(uncompressed: source.path, known, source.manifest)
  }

  private static func blobs(of commit: String, in top: BytePath) throws -> [Blob] {
    var list: [UInt8]?
    // A leading hyphen would be an option.
    if commit.utf8.first != UInt8(ascii: "-") {
      do throws(SystemError) {
        // About 600,000 files.
        list = try top.git(["ls-tree", "-r", "-z", "-l", "--full-tree", commit], limit: 1 << 26)
      } catch {
        guard error.code == .failedCommand else { throw error }
      }
    }
    guard let list else {
      throw PackagingError("Git has no commit '\(printable(commit.utf8))' in '\(top)'")
    }
    // MODE TYPE IDENTIFIER SIZE<tab>PATH
    return list.split(separator: 0).compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let words = line[..<tab].split(separator: UInt8(ascii: " "))
      guard words.count == 4, words[1].elementsEqual("blob".utf8),
        let size = UInt64(String(decoding: words[3], as: UTF8.self)), size <= PackIndex.maximumSize,
        let path = RelativePath(line[(tab + 1)...])
      else { return nil }
      return Blob(
        path: path, identifier: Array(words[2]), isLink: words[0].elementsEqual("120000".utf8),
        isExecutable: words[0].elementsEqual("100755".utf8), size: size)
    }
  }

  /// Reads the blobs that may be pointers of Git LFS.
  private mutating func readPointers(of blobs: [Blob], in top: BytePath) throws {
    let unread = Set(
      blobs.filter {
        !$0.isLink && (1..<Stub.sizeLimit).contains($0.size) && pointers[$0.identifier] == nil
      }.map(\.identifier))
    let sorted = unread.sorted { $0.lexicographicallyPrecedes($1) }
    // The names must fit into the buffer of a pipe.
    for start in stride(from: 0, to: sorted.count, by: 128) {
      let part = sorted[start..<min(start + 128, sorted.count)]
      let output = try top.git(
        ["cat-file", "--batch=%(objectsize)"], input: part.flatMap { $0 + [UInt8(ascii: "\n")] })
      var rest = (output ?? [])[...]
      for identifier in part {
        // SIZE<newline>CONTENTS<newline>
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
          let size = Int(String(decoding: rest[..<end], as: UTF8.self)),
          size >= 0, size < rest.endIndex - end
        else { break }
        let contents = rest[(end + 1)...].prefix(size)
        rest = rest[(end + 1)...].dropFirst(size + 1)
        let stub = Stub(contents: contents)
        pointers[identifier] = .some(stub?.contents == nil ? nil : stub)
      }
    }
  }
}
