/// Rebuilds the repository that packs were made of: all files below `Contents`, merged.
///
/// All is decided before the first byte is written: names were held against each other when the packs
/// were merged, and existing files are refused here. Blocks are then decoded in any order, by several
/// threads, each of which writes the pieces that its block holds. A file of one piece is made, written
/// and closed at once; of a larger one, the first piece makes it and the last one closes it. All of it
/// happens in a staging folder (``ExtractionTarget``): the target appears whole, or gets whole files.
public struct Extraction: Sendable {
  /// The packs.
  public let packs: MergedPacks
  /// The files to extract, in the order of their paths.
  public let files: [PackedFile]
  /// Symbolic links of whole archives (``MergedPacks/init(_:wholeArchives:jobs:)``), which are left
  /// out: no link is ever made.
  public let skippedLinks: [PackedFile]
  /// The folders to make, each after those above it.
  public let folders: [RelativePath]
  /// Whether existing files are replaced.
  public var replacesFiles = false
  /// Threads to use.
  public var jobs = Processors.available
  /// Told now and then how many bytes are written.
  public var progress: @Sendable (UInt64) -> Void = { _ in }
  /// Called with each folder that a killed run had left at this target, and that was removed.
  public var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// Plans to extract the files that match one of `globs`, or lie in a folder that does; without any,
  /// all files and folders.
  public init(_ packs: MergedPacks, only globs: [Glob] = []) {
    self.packs = packs
    var links: [PackedFile] = []
    files = packs.files.filter { file in
      guard globs.isEmpty || globs.contains(where: { $0.matchesOrHolds(file.path) }) else {
        return false
      }
      guard file.isOfArchive, file.entry.kind == .symbolicLink else { return true }
      links.append(file)
      return false
    }
    skippedLinks = links
    var folders = Set(globs.isEmpty ? packs.directories : [])
    for path in files.map(\.path) + Array(folders) {
      var above = path.parent
      while let folder = above, folder != .root, folders.insert(folder).inserted {
        above = folder.parent
      }
    }
    self.folders = folders.sorted()
  }

  /// Bytes of all files.
  public var size: UInt64 { files.reduce(0) { saturatingSum($0, $1.entry.size) } }

  /// Extracts into the folder at `path`, which is made if its own folder exists.
  public func run(into path: BytePath) throws(ExtractionError) {
    for file in files where file.entry.kind == .symbolicLink {
      throw .link(
        file.path, target: file.entry.linkTarget ?? [], pack: packs.packs[file.pack].path)
    }
    let target = try mapping(ExtractionError.system) { () throws(SystemError) in
      try ExtractionTarget(path, replaces: replacesFiles, removed: removedLeftover)
    }
    do throws(ExtractionError) {
      try write(to: target)
    } catch {
      if case .extracted = error { throw error }
      // Whatever kept it from being removed may be over.
      if !target.removeStaging() { target.removeStaging() }
      throw error
    }
  }

  private func write(to target: ExtractionTarget) throws(ExtractionError) {
    let paths = files.map(\.path)
    try target.check(files: paths, folders: folders)
    for folder in folders { try target.makeFolder(folder) }
    let sink = ExtractionSink(files, target, progress)
    try sink.makeEmptyFiles()
    for (number, pack) in packs.packs.enumerated() {
      let own = files.indices.filter { files[$0].pack == number }
      for id in own where files[id].entry.size == 0 {
        if let problem = EntryDigest(files[id].entry)?.problem {
          throw .archive(pack.input.error(problem))
        }
      }
      let ranges = own.compactMap { StreamRange(id: $0, contentsOf: files[$0].entry) }
        .sorted { $0.range.lowerBound < $1.range.lowerBound }
      try readPieces(pack.input, pack.container, ranges, jobs: jobs, into: sink)
    }
    if let signal = Interruption.pending { throw .interrupted(signal) }
    try target.publish(files: paths, folders: folders)
  }
}

extension Glob {
  /// Whether the pattern matches `path` or a folder above it.
  func matchesOrHolds(_ path: RelativePath) -> Bool {
    var above: RelativePath? = path
    while let path = above, path != .root {
      if matches(path) { return true }
      above = path.parent
    }
    return false
  }
}
