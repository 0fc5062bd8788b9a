/// A summary of a pack: its manifest, container and files, and the checksums for an upload.
package struct PackSummary: Sendable {
  /// The pack.
  package let pack: Pack
  /// The embedded manifest, if there is one and it can be decoded.
  package let manifest: Manifest?
  /// Why there is no manifest, or what is wrong with it.
  package let remark: String?
  /// The files that apps read, in the order of the archive; all files if it isn't an asset pack.
  package let files: [EntryHeader]
  /// The files by extension, those with the most bytes first.
  package let extensions: [FileExtension]
  /// Size and checksums of the archive.
  package let digests: FileDigests

  /// All files with the same extension.
  package struct FileExtension: Sendable {
    /// Without the dot, in lowercase if it is UTF-8; empty for names without an extension.
    package let name: [UInt8]
    /// The number of files.
    package fileprivate(set) var files = 0
    /// The total uncompressed size in bytes.
    package fileprivate(set) var size: UInt64 = 0
  }

  /// Reads the pack at `path`, a file, a pipe or `-`, with up to `jobs` threads.
  package init(
    reading path: BytePath, limits: ReadingLimits = ReadingLimits(),
    jobs: Int = Processors.available
  ) throws(ArchiveError) {
    let pack = try Pack.read(path, .fileDigests, limits: limits, jobs: jobs)
    self.pack = pack
    digests = pack.fileDigests ?? FileDigests()
    (manifest, remark) = pack.manifestWithRemark()
    let isPack = pack.isAssetPack
    files = pack.entries.filter { $0.kind == .file && $0.isFile(ofPack: isPack) }
    extensions = Self.extensions(of: files)
  }

  private static func extensions(of files: [EntryHeader]) -> [FileExtension] {
    var extensions: [[UInt8]: FileExtension] = [:]
    for file in files {
      let name = fileExtension(of: file.path)
      extensions[name, default: FileExtension(name: name)].files += 1
      extensions[name]?.size += file.size
    }
    return extensions.values.sorted {
      $0.size == $1.size ? $0.name.lexicographicallyPrecedes($1.name) : $0.size > $1.size
    }
  }

  /// The largest files, at most ten; those of equal size in the order of the archive.
  package var largest: [EntryHeader] {
    Array(
      files.enumerated().sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }
        .prefix(10).map(\.element))
  }

  /// The total uncompressed size of the files in bytes.
  package var contentSize: UInt64 { files.reduce(0) { $0 + $1.size } }
}

extension PackSummary.FileExtension {
  /// Several extensions combined under another name.
  package init(name: String, of all: some Sequence<Self>) {
    self.init(name: Array(name.utf8))
    for one in all {
      files += one.files
      size += one.size
    }
  }
}

extension EntryHeader {
  /// Whether apps can read it: a file or link in `Contents`.
  package var isGameFile: Bool {
    kind != .directory && kind != .metadata && gamePathBytes != nil
  }

  /// Whether it is a file or link, which in an asset pack must be one that apps can read.
  package func isFile(ofPack isPack: Bool) -> Bool {
    isPack ? isGameFile : kind != .directory && kind != .metadata
  }

  /// The path relative to `Contents`, even if it is invalid; nil outside it.
  package var gamePathBytes: [UInt8]? { PackFormat.contentsPath(of: path) }
}

/// The extension of the file at `path`, without the dot, in lowercase if it is UTF-8.
package func fileExtension(of path: [UInt8]) -> [UInt8] {
  let name = path.suffix(from: path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0)
  // A name that starts with a dot is hidden and has no extension by that.
  guard let dot = name.dropFirst().lastIndex(of: ASCII.dot) else { return [] }
  let bytes = name[(dot + 1)...]
  return String(validating: bytes, as: UTF8.self).map { Array($0.lowercased().utf8) }
    ?? Array(bytes)
}
