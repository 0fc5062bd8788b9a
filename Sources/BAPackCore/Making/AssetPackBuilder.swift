/// Makes the packs of an app: all are checked together, then made by the same threads.
///
/// ``init(reading:to:_:keepingUnchanged:)`` checks the manifests; look at ``check`` before
/// ``build()``. One pack is made in the same way as many.
public struct AssetPackBuilder: Sendable {
  /// The destination of packs.
  public enum Destination: Sendable {
    /// A file, for a single pack.
    case file(BytePath)
    /// A folder, for packs named after their manifests.
    case folder(BytePath)

    /// The folder of the packs, which is created if it is missing.
    var folder: BytePath {
      switch self {
      case .file(let output): output.folder
      case .folder(let folder): folder
      }
    }
  }

  /// The result of checking the manifests.
  public let check: AppCheck
  /// The path of each manifest's pack; empty if none is made.
  public let outputs: [BytePath]
  /// Compression, threads and progress, and whether existing packs are replaced. The compression is
  /// that of the project file, or else LZFSE for packs that Apple hosts and zlib for others, unless
  /// it is set.
  public var packager = Packager()
  /// Whether existing packs with a record keep their compression, whatever that of ``packager`` is.
  public var keepsCompression = false
  /// The modification time of all entries, in seconds since 1970-01-01T00:00:00Z.
  public var modificationTime = ArchiveTime.constant.seconds
  /// Whether the other packs are still made if some can't be.
  public var keepsGoing = false
  /// Whether to stop, asked before each pack and after each block by any thread. Packs that aren't
  /// complete by then are skipped.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Whether ``build()`` only finds the results: packs that it would make are skipped.
  package var isDryRun = false
  /// Whether the time of packs that are left alone is set to now, for build systems that compare
  /// times.
  package var renewsUnchanged = false
  private let destination: Destination?
  private let started: Int64
  private let keepsUnchanged: Bool
  private let checks: String
  /// What the caller writes besides, and the project file.
  private let others: (outputs: [BytePath], input: BytePath?)
  /// The compression of each existing pack, according to its record, if unchanged packs are kept.
  private let recorded: [Compression?]

  /// Checks the manifests at `paths`, like ``AppCheck``, for packs at `destination`; nil to check
  /// them only. Output files are not selected.
  ///
  /// When `keepingUnchanged`, existing packs are replaced, except for those whose bytes would be the
  /// same. Records next to the packs determine which these are, and which files need not be opened
  /// for the checks.
  ///
  /// - Throws: An error that describes itself if the manifests can't be listed, if there are none, or
  ///   if two packs would have the same path.
  ///   Whether a pack would overwrite one of its inputs is found by ``build()``.
  public init(
    reading paths: [BytePath], to destination: Destination?,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), keepingUnchanged: Bool = false
  ) throws {
    try self.init(
      of: ManifestFiles(at: paths), to: destination, options, keepingUnchanged: keepingUnchanged)
  }

  /// The same for manifests that were read.
  package init(
    of files: ManifestFiles, to destination: Destination?, _ options: ManifestCheck.Options,
    keepingUnchanged: Bool
  ) throws {
    started = systemTime()
    outputs = try Self.outputs(of: files.files.map(\.path), destination)
    self.destination = destination
    packager.compression = options.compression
    keepsUnchanged = keepingUnchanged
    var options = options
    others = (options.outputs, options.projectFile)
    options.outputs += outputs + outputs.map { PackRecord.path(beside: $0) }
    checks =
      "\(toolVersion) \(options.hosting?.rawValue ?? "any")\(options.policy.allowsStubs ? "" : " stubs")"
    let records = outputs.map { keepingUnchanged ? PackRecord(beside: $0) : nil }
    for case let record? in records where record.checks == checks {
      options.policy.examined.formUnion(record.files.compactMap(\.self))
    }
    recorded = zip(outputs, records).map { output, record in
      record?.compression ?? Compression(ofPackAt: output, like: options.compression)
    }
    check = AppCheck(of: files, options)
  }

  private static func outputs(
    of manifests: [BytePath], _ destination: Destination?
  ) throws -> [BytePath] {
    switch destination {
    case nil:
      return []
    case .file(let output):
      guard manifests.count == 1 else {
        throw PackagingError(
          "\(counted(manifests.count, "manifest")) can't be packaged to one file, '\(output)'"
        )
      }
      return [output]
    case .folder(let folder):
      var first: [String: BytePath] = [:]
      var outputs: [BytePath] = []
      for manifest in manifests {
        let stem = manifest.hasExtension("json") ? manifest.name.dropLast(5) : manifest.name
        let output = folder.appending(Array(stem) + ".aar".utf8)
        // Some volumes ignore case.
        if let other = first.updateValue(manifest, forKey: caseFolded(output.name)) {
          throw PackagingError(
            "'\(other)' and '\(manifest)' would both be packaged to '\(output)'; rename one of them"
          )
        }
        outputs.append(output)
      }
      return outputs
    }
  }

  /// Makes the packs; the result for each manifest. If an error is found before anything is written,
  /// no pack is made; after that, packs that were already written are kept. Each pack is written
  /// completely or not at all.
  ///
  /// - Throws: An error that describes itself if the folder for the packs can't be created, if the
  ///   packs have no destination, if the modification time is
  ///   none that packs have, or if a pack, its record or one of the outputs in the options would
  ///   overwrite another, or a file that is read: a manifest, the project file, or a selected file.
  public func build() throws -> [PackResult] {
    guard let destination else { throw PackagingError("the packs have no destination") }
    guard ArchiveTime.seconds.contains(Int(modificationTime)) else {
      throw PackagingError(
        "the modification time must be from 0 to \(ArchiveTime.seconds.upperBound) seconds since 1970"
      )
    }
    try compareOutputs()
    var packager = packager
    if keepsUnchanged {
      packager.replacesOutput = true
      packager.findsDigests = true
    }
    var results = check.checks.indices.map(planned)
    func canGoOn() -> Bool {
      keepsGoing
        ? results.contains(where: \.state.isSkipped) : results.allSatisfy(\.state.isSkipped)
    }
    guard canGoOn() else { return results }
    let madeFolders = isDryRun ? [] : try destination.folder.makeFolderPath()
    if isDryRun, try FileStatus.ifPresent(destination.folder) == nil { return results }
    // Only if no pack is in them.
    defer { BytePath.removeEmptyFolders(madeFolders) }
    for index in results.indices where results[index].state.isSkipped {
      do {
        try packager.checkOutput(outputs[index])
      } catch {
        results[index].state = .failed(error)
      }
    }
    guard canGoOn() else { return results }
    let wanted = ready.filter { results[$0.index].state.isSkipped }
    let jobs = wanted.map { index, pack, selection in
      PackBatch.Job(
        pack.manifest, selection, modified: ArchiveTime(seconds: modificationTime),
        to: outputs[index], checks: check.checks[index].hasFindingsInContents ? "" : checks,
        compression: keepsCompression ? recorded[index] : nil)
    }
    var batch = PackBatch(
      packager, keepsGoing: keepsGoing, keepsRecords: keepsUnchanged, started: started)
    batch.isCancelled = isCancelled
    batch.renewsUnchanged = renewsUnchanged
    let states =
      switch (isDryRun, keepsUnchanged) {
      case (false, true): batch.makeChanged(jobs)
      case (false, false): batch.make(jobs)
      case (true, true): batch.compared(jobs, writesRecords: false)
      case (true, false): jobs.map { _ in PackResult.State.skipped }
      }
    for (pack, state) in zip(wanted, states) { results[pack.index].state = state }
    return results
  }

  /// The compressions of existing packs that will have another one.
  package var otherCompressions: [Compression] {
    keepsCompression && keepsUnchanged
      ? [] : recorded.compactMap(\.self).filter { $0 != packager.compression }
  }

  /// The packs in the output folder that none of the manifests makes, sorted by path. Only if
  /// `findsOwn`, their bytes are read and compared with their records.
  package func strayPacks(findsOwn: Bool) throws -> [StrayPack] {
    guard case .folder(let folder) = destination, try FileStatus.ifPresent(folder) != nil else {
      return []
    }
    let names = Set(outputs.map { caseFolded($0.name) })
    let strays = try PackOrManifest.packs(inFolder: folder)
      .filter { !names.contains(caseFolded($0.name)) }
    if !findsOwn { return strays.map { StrayPack(path: $0, isOwn: false) } }
    let records = strays.map { PackRecord(beside: $0) }
    let digests = packager.packedDigests(
      of: zip(strays, records).map { path, record in
        record.map { (path, $0.packedSize, $0.compression) }
      })
    return try strays.indices.map { index in
      let isFile = try FileStatus.notFollowing(strays[index]).kind == .file
      return StrayPack(
        path: strays[index],
        isOwn: isFile && records[index] != nil && digests[index] == records[index]?.packed)
    }
  }

  /// The packs of manifests without errors, and the files they select.
  private var ready: [(index: Int, pack: CheckedPack, selection: Selection)] {
    check.checks.indices.compactMap { index in
      guard errors(ofManifest: index) == nil, let pack = check.checks[index].pack,
        let selection = pack.selection
      else { return nil }
      return (index, pack, selection)
    }
  }

  var layouts: some Sequence<(index: Int, layout: ArchiveLayout, selection: Selection)> {
    ready.lazy.map { [modificationTime] index, pack, selection in
      let modified = ArchiveTime(seconds: modificationTime)
      return (
        index, ArchiveLayout(selection, manifest: pack.manifest, modified: modified), selection
      )
    }
  }

  /// The digests of the packs that would be made; nil for manifests with errors.
  package func digests() -> [Result<String, any Error>?] {
    var digests = [Result<String, any Error>?](repeating: nil, count: check.checks.count)
    var sources: [(index: Int, source: ArchiveSource)] = []
    for (index, layout, selection) in layouts {
      do {
        sources.append((index, try ArchiveSource(layout, root: selection.root)))
      } catch {
        digests[index] = .failure(error)
      }
    }
    var rest = packager.digests(
      of: sources.flatMap { _, source in
        (0..<source.layout.blockCount).map { (source, $0) }
      })[...]
    for (index, source) in sources {
      let blocks = rest.prefix(source.layout.blockCount)
      rest = rest.dropFirst(blocks.count)
      digests[index] = Result {
        packager.compression.packDigest(
          streamSize: source.layout.size, blocks: try blocks.map { try $0.get() })
      }
    }
    return digests
  }

  package var selections: [(manifest: BytePath, selection: Selection)] {
    ready.map { (check.manifests[$0.index], $0.selection) }
  }

  /// The dependencies of the packs, for a build system: of each, its manifest, the files it selects,
  /// and the folders that were listed to select them.
  ///
  /// - Throws: An error that describes itself if the build system can't read the path of a pack.
  public func depfile(_ format: Depfile.Format = .ninja) throws -> Depfile {
    let rules = outputs.indices.map { index in
      let manifest = check.manifests[index]
      var inputs = manifest.isStandardStream ? [] : [manifest]
      if let selection = check.checks[index].pack?.selection {
        inputs += selection.files.map { selection.root.appending($0.source.bytes) }
        inputs += selection.folders.map { selection.root.appending($0.bytes) }
      }
      return (outputs[index], inputs)
    }
    return try Depfile(rules, format)
  }

  /// Fails if a pack, its record, or another output of the caller can't be written, is written twice,
  /// or is read: as a manifest, a selected file or the project file.
  private func compareOutputs() throws {
    for output in keepsUnchanged ? self.outputs : [] {
      guard case .file = try output.outputTarget() else {
        throw PackagingError(
          "'\(output)' leads to a pipe or device, which can't be compared with a pack; name a file"
        )
      }
    }
    let records = keepsUnchanged ? self.outputs.map { PackRecord.path(beside: $0) } : []
    let outputs = try OutputFiles(self.outputs + others.outputs, own: records)
    try outputs.compare(withInputs: check.manifests + [others.input].compactMap(\.self))
    for selection in check.checks.compactMap(\.pack?.selection) {
      try outputs.compare(withFilesOf: selection)
    }
    // Perhaps a manifest that isn't read now.
    for output in self.outputs + records where try output.beginsLikeJSON {
      throw PackagingError(
        "'\(output)' is a JSON file, which is not replaced; write to another file")
    }
  }

  package var size: UInt64 {
    selections.reduce(0) { $0.addingReportingOverflow($1.selection.size).partialValue }
  }

  private func planned(_ index: Int) -> PackResult {
    let pack = check.checks[index].pack
    var result = PackResult(
      manifest: check.manifests[index],
      identifier: pack.flatMap {
        $0.manifest.assetPackID.location.range.isEmpty ? nil : $0.manifest.assetPackID.value
      },
      output: outputs[index], files: pack?.selection?.files.count ?? 0,
      size: pack?.selection?.size ?? 0)
    if let errors = errors(ofManifest: index) { result.state = .invalid(errors: errors) }
    return result
  }

  /// The number of errors in a manifest, in the project file, or in how it combines with the others;
  /// nil if a pack can be made.
  func errors(ofManifest index: Int) -> Int? {
    let together = check.findingsTogether.filter { $0.manifests.contains(index) }
    let errors = (check.findingsInProject + check.checks[index].findings + together)
      .count { $0.severity == .error }
    return errors > 0 || check.checks[index].pack?.selection == nil ? errors : nil
  }
}

extension Compression {
  /// That of the pack at `path`, which doesn't tell its level; nil if there is none. It is `other` if
  /// that makes such packs.
  fileprivate init?(ofPackAt path: BytePath, like other: Compression) {
    guard (try? FileStatus.following(path))?.kind == .file,
      let start = try? FileDescriptor.reading(path).read(upTo: ContainerKind.headerSize),
      case .blocks(let algorithm, _)? = try? ContainerKind(start),
      let codec = Codec.allCases.first(where: { $0.algorithm == algorithm })
    else { return nil }
    guard other.codec.algorithm != algorithm else {
      self = other
      return
    }
    self.init(codec.rawValue)
  }
}

extension BytePath {
  /// Whether there is a regular file that begins as JSON does, perhaps with a comment.
  fileprivate var beginsLikeJSON: Bool {
    get throws {
      guard try FileStatus.ifPresent(self) != nil,
        let status = try? FileStatus.following(self), status.kind == .file,
        let start = try? FileDescriptor.reading(self).read(upTo: 256)
      else { return false }
      let blank = Array("\u{FEFF} \t\r\n".utf8)
      let text = start.drop { blank.contains($0) }
      return ["{", "//", "/*"].contains { text.starts(with: $0.utf8) }
    }
  }
}

/// A pack next to others that no manifest makes any longer.
package struct StrayPack: Sendable {
  package let path: BytePath
  /// Whether it is as this program made it, according to its record; false if that wasn't asked.
  package let isOwn: Bool

  package func remove() throws(SystemError) {
    for path in [path, PackRecord.path(beside: path)] { try path.removeFile() }
  }
}

/// The result for a manifest's pack.
public struct PackResult: Sendable {
  /// The manifest.
  public let manifest: BytePath
  /// The identifier of the pack; nil if it could not be read.
  public let identifier: String?
  /// The path of the pack, whether it was made or not.
  public let output: BytePath
  /// The number of selected files.
  public let files: Int
  /// Their size in bytes.
  public let size: UInt64
  /// The state of the pack after a build.
  public internal(set) var state = State.skipped

  /// The state of a pack.
  public enum State: Sendable {
    /// It was written, in this time from its first block. It has a digest if digests were requested.
    case made(ContainerFacts, digest: String?, Duration)
    /// The existing pack, of this size in bytes, was kept, because its bytes would be the same.
    case unchanged(digest: String?, packedSize: UInt64)
    /// Its manifest or its files have errors, or clash with other packs.
    case invalid(errors: Int)
    /// It could not be written.
    case failed(any Error)
    /// It was skipped, because others failed or the build was cancelled.
    case skipped
  }
}

extension PackResult.State {
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
  var isFailed: Bool { if case .failed = self { true } else { false } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
}
