/// Makes the packs of an app: all are checked together, then made by the same threads.
///
/// The initializers check the manifests; look at ``check`` before `build`. One pack is made in
/// the same way as many. Without a destination, packs are made in memory or for a ``ByteSink``.
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
  package var packager = Packager()
  /// Whether existing packs with a record keep their compression, whatever ``compression`` is.
  public var keepsCompression = false
  /// The modification time of all entries, in seconds since 1970-01-01T00:00:00Z.
  public var modificationTime = ArchiveTime.constant.seconds
  /// Whether the other packs are still made if some can't be.
  public var keepsGoing = false
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
  /// The manifests that were read from files.
  private let inputs: Set<BytePath>
  /// The files that were added, by the index of their pack.
  private var added: [Int: [SelectedFile]] = [:]

  /// How blocks are compressed: as the project file states, or else with LZFSE for packs that Apple
  /// hosts and zlib for others, unless it is set.
  public var compression: Compression {
    get { packager.compression }
    set { packager.compression = newValue }
  }

  /// Whether existing packs are replaced.
  public var replacesOutput: Bool {
    get { packager.replacesOutput }
    set { packager.replacesOutput = newValue }
  }

  /// Checks the manifests at `paths`, like ``AppCheck``, for packs at `destination`; nil to check
  /// them only. Output files are not selected.
  ///
  /// When `keepingUnchanged`, existing packs are replaced, except for those whose bytes would be the
  /// same. Records next to the packs determine which these are, and which files need not be opened
  /// for the checks.
  ///
  /// - Throws: Among others ``PackError/Code/notFound`` if a manifest or folder doesn't exist,
  ///   ``PackError/Code/invalidArgument`` if there are no manifests, or two packs would have the same
  ///   path, and ``PackError/Code/cancelled``. Whether a pack would overwrite one of its inputs is
  ///   found by `build`.
  public init(
    reading paths: [BytePath], to destination: Destination? = nil,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), keepingUnchanged: Bool = false,
    _ work: Work = Work()
  ) throws(PackError) {
    self = try PackError.wrap {
      try Self(
        of: ManifestFiles(at: paths), to: destination, options,
        keepingUnchanged: keepingUnchanged, work)
    }
  }

  /// The same for manifests made in code. Each pack is named after its identifier, or after its
  /// number if no file can have that name. Findings are about the manifests as they are written.
  public init(
    of manifests: [Manifest], to destination: Destination? = nil,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), keepingUnchanged: Bool = false,
    _ work: Work = Work()
  ) throws(PackError) {
    self = try PackError.wrap {
      try Self(
        of: ManifestFiles(of: manifests), to: destination, options,
        keepingUnchanged: keepingUnchanged, work)
    }
  }

  /// The same for manifests that were read.
  package init(
    of files: ManifestFiles, to destination: Destination?, _ options: ManifestCheck.Options,
    keepingUnchanged: Bool, _ work: Work = Work()
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
    inputs = Set(files.files.lazy.filter(\.isOnDisk).map(\.path))
    check = try AppCheck(of: files, options, work)
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

  /// Adds a file that isn't on disk to the pack with the identifier `identifier`.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` if there is no such pack,
  ///   ``PackError/Code/findings`` if its manifest or files have errors,
  ///   ``PackError/Code/unsafeName`` if the path can't be one of a pack, and
  ///   ``PackError/Code/clash`` if a file of this pack, or of one that can be on a device together
  ///   with it, is there, or differs only in case or normalization.
  public mutating func add(
    _ bytes: [UInt8], at path: BytePath, to identifier: String
  ) throws(PackError) {
    let (index, _, selection) = try pack(identifier)
    let destination = try RelativePath(addedAt: path)
    let file = SelectedFile(destination, contents: bytes)
    let players = Players(check.checks.map(\.pack?.manifest))
    for other in check.checks.indices where other == index || players.meet(other, index) {
      for taken in self.selection(other)?.files ?? []
      where taken.destination.clashes(with: destination) {
        throw PackError(
          .clash, "'\(destination)' can't be added: a pack has '\(taken.destination)'", path: path)
      }
    }
    if selection.size.addingReportingOverflow(file.size).partialValue > Selection.maximumSize {
      throw PackError(
        .limitExceeded, "'\(destination)' is too large for the pack", path: path)
    }
    added[index, default: []].append(file)
  }

  /// Makes the packs; the result for each manifest. If an error is found before anything is written,
  /// no pack is made; after that, packs that were already written are kept. Each pack is written
  /// completely or not at all.
  ///
  /// - Throws: Among others ``PackError/Code/permissionDenied`` if the folder for the packs can't be
  ///   created; ``PackError/Code/invalidArgument`` if the packs have no destination, or the
  ///   modification time is none that packs have; ``PackError/Code/outputIsInput`` if a pack, its
  ///   record or one of the outputs in the options would overwrite another, or a file that is read: a
  ///   manifest, the project file, or a selected file. If the work is cancelled, that is the state of
  ///   the packs that weren't complete by then.
  public func build(_ work: Work = Work()) throws(PackError) -> [PackResult] {
    try PackError.wrap { try work.run { try makePacks(work) } }
  }

  private func makePacks(_ work: Work) throws -> [PackResult] {
    guard let destination else {
      throw PackError(.invalidArgument, "the packs have no destination")
    }
    try checkTime()
    try compareOutputs()
    var packager = packager
    packager.jobs = work.threads
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
        results[index].state = PackResult.State(error)
      }
    }
    guard canGoOn() else { return results }
    let wanted = ready.filter { results[$0.index].state.isSkipped }
    let meter = Work.Meter(work, total: wanted.size { $0.selection.size })
    let jobs = wanted.map { index, manifest, selection in
      PackBatch.Job(
        manifest, selection, modified: ArchiveTime(seconds: modificationTime),
        to: outputs[index], checks: check.checks[index].hasFindingsInContents ? "" : checks,
        compression: keepsCompression ? recorded[index] : nil)
    }
    var batch = PackBatch(
      packager, keepsGoing: keepsGoing, keepsRecords: keepsUnchanged, started: started)
    batch.meter = meter
    batch.renewsUnchanged = renewsUnchanged
    let states =
      switch (isDryRun, keepsUnchanged) {
      case (false, true): batch.makeChanged(jobs)
      case (false, false): batch.make(jobs)
      case (true, true): batch.compared(jobs, writesRecords: false)
      case (true, false): jobs.map { _ in PackResult.State.skipped }
      }
    let isCancelled = states.contains(where: \.isCancelled) || Work.isStopping
    if !isDryRun, states.allSatisfy({ $0.isMade || $0.isUnchanged }) { meter.finish() }
    for (pack, state) in zip(wanted, states) {
      results[pack.index].state = isCancelled && state.isSkipped ? .cancelled : state
    }
    return results
  }

  private func checkTime() throws {
    guard ArchiveTime.seconds.contains(Int(modificationTime)) else {
      throw PackagingError(
        "the modification time must be from 0 to \(ArchiveTime.seconds.upperBound) seconds since 1970"
      )
    }
  }

  /// Makes the pack with the identifier `identifier` and passes it to `sink`, the same bytes as in a
  /// file.
  ///
  /// - Throws: Among others ``PackError/Code/changed``, ``PackError/Code/cancelled``, and
  ///   ``PackError/Code/external`` with what the sink throws.
  @discardableResult
  public func write(
    _ identifier: String, to sink: inout some ByteSink, _ work: Work = Work()
  ) throws(PackError) -> ContainerFacts {
    let box = SinkBox(sink)
    defer { sink = box.sink }
    return try PackError.wrap { try write(identifier, work) { try box.sink.write($0) } }
  }

  private func write(
    _ identifier: String, _ work: Work, to sink: @escaping ([UInt8]) throws -> Void
  ) throws -> ContainerFacts {
    try checkTime()
    let (index, manifest, selection) = try pack(identifier)
    let (layout, meter) = (layout(manifest, selection), Work.Meter(work, total: selection.size))
    var packager = packager
    packager.jobs = work.threads
    packager.progress = { size, pack in
      if let pack { meter.add(size, of: pack, selection, nil) }
    }
    try packager.checkManifest(layout)
    let pack = try PackInWork(
      index, of: ArchiveSource(layout, root: selection.root), to: nil,
      packager.compression.codec.algorithm, sink: sink)
    try work.run { try packager.complete(pack) }
    meter.finish()
    return pack.container
  }

  /// The pack with the identifier `identifier`, made in memory.
  ///
  /// - Throws: Among others ``PackError/Code/changed`` and ``PackError/Code/cancelled``.
  public func bytes(of identifier: String, _ work: Work = Work()) throws(PackError) -> [UInt8] {
    var sink = MemorySink()
    try write(identifier, to: &sink, work)
    return sink.bytes
  }

  /// A digest of all that the bytes of the pack with the identifier `identifier` depend on, to be the
  /// key of a cache: files, manifest, compression, and the versions of this library and of zlib. All
  /// files are read, and nothing is compressed.
  ///
  /// - Throws: Among others ``PackError/Code/changed`` and ``PackError/Code/cancelled``.
  public func digest(of identifier: String, _ work: Work = Work()) throws(PackError) -> String {
    try PackError.wrap {
      try checkTime()
      let index = try pack(identifier).index
      return try work.run { try digests(work, of: [index])[index]?.get() ?? "" }
    }
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

  private typealias Ready = (index: Int, manifest: Manifest, selection: Selection)

  /// The packs of manifests without errors, and the files they select.
  private var ready: [Ready] {
    check.checks.indices.compactMap { index in
      guard errors(ofManifest: index) == nil, let manifest = check.checks[index].pack?.manifest,
        let selection = selection(index)
      else { return nil }
      return (index, manifest, selection)
    }
  }

  /// The files that the manifest at `index` selects, and those that were added.
  private func selection(_ index: Int) -> Selection? {
    guard let selection = check.checks[index].pack?.selection else { return nil }
    guard let added = added[index] else { return selection }
    return Selection(
      root: selection.root,
      files: (selection.files + added).sorted { $0.destination < $1.destination },
      folders: selection.folders)
  }

  /// The pack with the identifier `identifier`, which must have no errors.
  private func pack(_ identifier: String) throws(PackError) -> Ready {
    func hasName(_ index: Int) -> Bool {
      check.checks[index].pack?.manifest.assetPackID.utf8.elementsEqual(identifier.utf8) == true
    }
    if let pack = ready.first(where: { hasName($0.index) }) { return pack }
    guard let index = check.checks.indices.first(where: hasName) else {
      throw PackError(
        .invalidArgument, "no pack has the identifier '\(printable(identifier.utf8))'")
    }
    throw PackError(
      .findings,
      "the pack '\(printable(identifier.utf8))' can't be made: "
        + "\(counted(errors(ofManifest: index) ?? 0, "error")) in the manifest or its files",
      path: check.manifests[index], findings: check.findings.filter { $0.severity == .error })
  }

  private func layout(_ manifest: Manifest, _ selection: Selection) -> ArchiveLayout {
    ArchiveLayout(selection, manifest: manifest, modified: ArchiveTime(seconds: modificationTime))
  }

  var layouts: some Sequence<(index: Int, layout: ArchiveLayout, selection: Selection)> {
    ready.lazy.map { ($0, layout($1, $2), $2) }
  }

  /// The digests of the packs that would be made, or of those at `indices`; nil for the others.
  package func digests(
    _ work: Work = Work(), of indices: Set<Int>? = nil
  ) -> [Result<String, any Error>?] {
    var packager = packager
    packager.jobs = work.threads
    var digests = [Result<String, any Error>?](repeating: nil, count: check.checks.count)
    var sources: [(index: Int, source: ArchiveSource)] = []
    for (index, layout, selection) in layouts where indices?.contains(index) != false {
      do {
        sources.append((index, try ArchiveSource(layout, root: selection.root)))
      } catch {
        digests[index] = .failure(error)
      }
    }
    let meter = Work.Meter(work, total: sources.size(\.source.layout.size))
    packager.progress = { size, _ in meter.add(UInt64(size)) }
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
    meter.finish()
    return digests
  }

  package var selections: [(manifest: BytePath, selection: Selection)] {
    ready.map { (check.manifests[$0.index], $0.selection) }
  }

  /// The dependencies of the packs, for a build system: of each, its manifest, the files it selects,
  /// and the folders that were listed to select them.
  ///
  /// - Throws: ``PackError/Code/invalidArgument`` if the build system can't read the path of a pack.
  public func depfile(_ format: Depfile.Format = .ninja) throws(PackError) -> Depfile {
    let rules = outputs.indices.map { index in
      let manifest = check.manifests[index]
      var inputs = self.inputs.contains(manifest) ? [manifest] : []
      if let selection = check.checks[index].pack?.selection {
        inputs += selection.files.map { selection.root.appending($0.source.bytes) }
        inputs += selection.folders.map { selection.root.appending($0.bytes) }
      }
      return (outputs[index], inputs)
    }
    return try PackError.wrap { try Depfile(rules, format) }
  }

  /// Fails if a pack, its record, or another output of the caller can't be written, is written twice,
  /// or is read: as a manifest, a selected file or the project file.
  private func compareOutputs() throws {
    for output in keepsUnchanged ? self.outputs : [] {
      guard case .file = try output.outputTarget() else {
        throw PackError(
          .invalidArgument,
          "'\(output)' leads to a pipe or device, which can't be compared with a pack; name a file"
        )
      }
    }
    let records = keepsUnchanged ? self.outputs.map { PackRecord.path(beside: $0) } : []
    let outputs = try OutputFiles(self.outputs + others.outputs, own: records)
    try outputs.compare(
      withInputs: check.manifests.filter { inputs.contains($0) || $0.isStandardStream }
        + [others.input].compactMap(\.self))
    for selection in check.checks.compactMap(\.pack?.selection) {
      try outputs.compare(withFilesOf: selection)
    }
    // Perhaps a manifest that isn't read now.
    for output in self.outputs + records where try output.beginsLikeJSON {
      throw PackError(
        .outputIsInput, "'\(output)' is a JSON file, which is not replaced; write to another file",
        path: output)
    }
  }

  package var size: UInt64 {
    selections.reduce(0) { $0.addingReportingOverflow($1.selection.size).partialValue }
  }

  private func planned(_ index: Int) -> PackResult {
    let pack = check.checks[index].pack
    var result = PackResult(
      manifest: check.manifests[index],
      identifier: pack.flatMap { $0.manifest.assetPackID.isEmpty ? nil : $0.manifest.assetPackID },
      output: outputs[index], files: selection(index)?.files.count ?? 0,
      size: selection(index)?.size ?? 0)
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
    case failed(PackError)
    /// It was skipped, because others failed.
    case skipped
    /// The work was cancelled before the pack was complete.
    case cancelled

    init(_ error: any Error) {
      self =
        (error as? Interrupted)?.isCancellation == true ? .cancelled : .failed(PackError(error))
    }
  }
}

extension PackResult.State {
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
  var isMade: Bool { if case .made = self { true } else { false } }
  var isCancelled: Bool { if case .cancelled = self { true } else { false } }
  var isFailed: Bool { if case .failed = self { true } else { isCancelled } }
  var isSkipped: Bool { if case .skipped = self { true } else { false } }
}
