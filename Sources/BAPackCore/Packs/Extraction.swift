/// Restores the repository that packs were made from: all files in `Contents`, merged.
///
/// First the headers of all packs are read, and names are checked against the rules and each other.
/// Then folders are made in a temporary folder beside the target (`ExtractionTarget`), and several
/// threads decode blocks and write their files (`ExtractionWriter`). At the end the folder gets its
/// name.
public struct Extraction: Sendable {
  /// Patterns, such as `Textures/**/*.png`. Only files that match one of them, or are in a folder that
  /// does, are extracted; without any, all files and folders are.
  public var files: [String]
  /// The device whose packs are extracted, of those given. Otherwise, all are, which must be in one
  /// language.
  public var device: Device?
  package var globs: [Glob] = []
  /// Whether everything in the archives is extracted, not only what apps read. Symbolic links are
  /// skipped in that case: they are never created.
  package var wholeArchives = false
  package var limits = ReadingLimits()
  package var jobs = Processors.available
  /// Called after each block, from any thread, with the number of bytes read so far of all packs, as
  /// far as it can be told.
  package var progress: @Sendable (UInt64) -> Void = { _ in }
  /// Called with each leftover folder of a killed run for this target that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// An extraction of the files that match a pattern, or of all.
  public init(files: [String] = [], device: Device? = nil) {
    (self.files, self.device) = (files, device)
  }

  /// Extracts the packs at `paths` into the folder at `target`, which is created if its parent
  /// exists. If it exists, it must be empty, and is replaced by one with its permissions. A file may
  /// be in several packs if its contents are the same in all.
  ///
  /// - Throws: Among others ``PackError/Code/link``, ``PackError/Code/clash`` and
  ///   ``PackError/Code/nothingMatches``. The target is unchanged, unless the error is that its folder
  ///   can't be synced.
  public func extract(
    _ paths: [BytePath], to target: BytePath, limits: ReadingLimits = ReadingLimits(),
    _ work: Work = Work()
  ) throws(PackError) -> ExtractedFiles {
    var settings = self
    settings.limits = limits
    return try settings.result(to: target, work) { settings in
      try settings.open(paths.map(\.ofFile))
    }
  }

  /// The same for packs that were read.
  ///
  /// - Throws: As for packs at paths.
  public func extract(
    _ packs: [PackIndex], to target: BytePath, _ work: Work = Work()
  ) throws(PackError) -> ExtractedFiles {
    try result(to: target, work) { _ in packs }
  }

  /// The same for packs at `paths`, on separate threads.
  ///
  /// - Throws: As in code that isn't `async`.
  public func extract(
    _ paths: [BytePath], to target: BytePath, limits: ReadingLimits = ReadingLimits(),
    _ work: Work = Work()
  ) async throws(PackError) -> ExtractedFiles {
    try await work.detached { try self.extract(paths, to: target, limits: limits, $0) }
  }

  private func result(
    to target: BytePath, _ work: Work, _ packs: (Extraction) throws -> [PackIndex]
  ) throws(PackError) -> ExtractedFiles {
    try work.result { progress in
      var settings = self
      settings.globs = try files.map { try Self.glob(Array($0.utf8)) }
      settings.jobs = work.threads
      let packs = try packs(settings)
      if packs.isEmpty { throw PackagingError("there are no packs to extract") }
      settings.progress = progress(packs.downloadSize, target)
      return try settings.run(packs, into: TargetFolder(target))
    }
  }

  /// The pattern for files of packs that is written as `text`.
  package static func glob(_ text: [UInt8]) throws -> Glob {
    // Shell completion adds a trailing slash to folders.
    let path = text.last == ASCII.slash ? text.dropLast() : text[...]
    guard let pattern = RelativePath(path), pattern != .root, let glob = try? Glob(pattern) else {
      throw PackagingError("expected a relative path, which may contain *, ?, [a-z] and **")
    }
    return glob
  }

  private func open(_ paths: [BytePath]) throws -> [PackIndex] {
    try paths.map { path in
      let input = try ArchiveInput(path).rereadable(limit: limits.rawSize)
      return try PackIndex.read(input, limits: limits, jobs: jobs)
    }
  }

  package func run(_ paths: [BytePath], into target: BytePath) throws -> ExtractedFiles {
    let folder = try TargetFolder(target)
    return try run(open(paths), into: folder)
  }

  private func run(_ packs: [PackIndex], into folder: TargetFolder) throws -> ExtractedFiles {
    var packs = packs
    var language: ExtractedFiles.Choice?
    if !wholeArchives, device != nil || packs.count > 1 {
      let owned = try packs.owned(by: device)
      (packs, language) = (owned.packs.map { packs[$0] }, owned.language)
    }
    if !wholeArchives, let other = packs.first(where: { !$0.isAssetPack }) {
      throw PackagingError.notAssetPack(other.path)
    }
    let merged = try MergedPacks(packs, wholeArchives: wholeArchives, jobs: jobs)
    let chosen = merged.files.filter { file in
      globs.isEmpty || globs.contains { $0.matchesFolder(of: file.path) }
    }
    if chosen.isEmpty, !globs.isEmpty { throw PackagingError.noMatch }
    let links = chosen.filter { $0.entry.kind == .symbolicLink }
    if let link = links.first, !wholeArchives {
      throw PackagingError.link(
        link.path, target: link.entry.linkTarget ?? [], pack: packs[link.pack].path)
    }
    let files = chosen.filter { $0.entry.kind != .symbolicLink }
    let folders = (globs.isEmpty ? merged.directories : []) + files.compactMap(\.path.parent)
    for path in folders + files.map(\.path) { try path.checkOnThisSystem() }
    for pack in packs { try pack.checkLevels(limits) }
    try Interrupted.check()
    let staging = try ExtractionTarget(folder, removed: removedLeftover)
    do {
      try staging.makeFolders(to: folders)
      try write(files, of: packs, to: staging)
      try Interrupted.check()
      try staging.publish()
    } catch {
      if let error = error as? SystemError, error.operation == .syncFolder { throw error }
      // The reason for the failure may be gone by the second attempt.
      if !staging.remove() { staging.remove() }
      throw error
    }
    return ExtractedFiles(
      files: files.map(\.entry), packs: packs.count,
      skippedLinks: links, language: language)
  }

  private func write(
    _ files: [PackedFile], of packs: [PackIndex], to target: ExtractionTarget
  ) throws {
    let writer = ExtractionWriter(target)
    let packedSize = try packs.reduce(0) { $0 + (try $1.archive().0.size ?? 0) }
    let share = Double(packedSize) / Double(max(files.size(\.entry.size), 1))
    let done = Monitor(UInt64(0))
    let filesOfPacks = Dictionary(grouping: files, by: \.pack)
    for (number, pack) in packs.enumerated() {
      let staged = (filesOfPacks[number] ?? []).map { file in
        (file.entry, StagedFile(file.path, file.entry))
      }
      var ranges: [StreamRange] = []
      for (id, (entry, file)) in staged.enumerated() {
        if let range = StreamRange(id: id, contentsOf: entry) {
          ranges.append(range)
        } else if let problem = EntryDigest(entry)?.problem {
          throw problem.named(pack.path)
        } else {
          try writer.writeEmpty(file)
        }
      }
      ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
      let (input, container) = try pack.archive()
      try readPieces(
        ranges, of: input, container, jobs: jobs, makeWorker: { ExtractionWriter.Worker() },
        piece: { range, offset, bytes, worker in
          try writer.write(bytes, at: offset, of: staged[range.id].1, worker)
        },
        orderedPiece: { _, _, bytes in
          let size = done.withLock { done in
            done += UInt64(bytes.byteCount)
            return done
          }
          progress(UInt64(Double(size) * share))
        })
    }
  }
}

/// The result of an extraction.
public struct ExtractedFiles: Sendable {
  /// The files, sorted by path.
  public let files: [PackEntry]
  /// The total size in bytes.
  public var size: UInt64 { files.size(\.size) }
  /// The number of packs that they are from.
  public let packs: Int
  /// Symbolic links of whole archives, which were skipped.
  package let skippedLinks: [PackedFile]
  package typealias Choice = (resolved: ResolvedLanguage?, tags: [String])
  /// The language that the device has, of packs in those with the tags; nil if all were extracted.
  package let language: Choice?
}

extension PackIndex {
  private static let levelsPerEntry = 32

  /// Fails if the paths have too many folders: each file's is opened from the top.
  fileprivate func checkLevels(_ limits: ReadingLimits) throws {
    var levels = 0
    for entry in entries {
      levels += entry.archivePath.count { $0 == ASCII.slash }
      if levels / Self.levelsPerEntry > limits.entries {
        throw entry.damage(
          .limit, "paths with more than \(Self.levelsPerEntry) folders for each entry allowed"
        ).exceeding(.entries).named(path)
      }
    }
  }
}

extension RelativePath {
  /// Fails if this system can't have a file or folder at this path: on Windows `a:b` would be a
  /// hidden part of `a`, and `aux.txt` no file at all.
  fileprivate func checkOnThisSystem() throws(PackagingError) {
    guard namesAreThoseOfWindows, let problem = windowsProblem else { return }
    throw PackagingError("'\(self)' can't be extracted on Windows: \(problem)")
  }
}

extension Glob {
  /// Whether the pattern matches `path` or a folder above it.
  fileprivate func matchesFolder(of path: RelativePath) -> Bool {
    matches(path) || path.ancestors.contains { $0 != .root && matches($0) }
  }
}
