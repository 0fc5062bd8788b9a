/// The packs of an app: all are checked together, then made together.
package struct AppPackaging: Sendable {
  /// The destination of packs.
  package enum Destination: Sendable {
    /// A file, for a single pack.
    case file(BytePath)
    /// A folder, for packs named after their manifests.
    case folder(BytePath)
    /// No packs are made.
    case nowhere
  }

  /// The result of checking the manifests.
  package let check: AppCheck
  /// The path of each manifest's pack; empty if none is made.
  package let outputs: [BytePath]
  private let destination: Destination
  private let started: Int64
  private let onlyIfChanged: Bool
  private let checks: String

  /// Checks the manifests at `paths`, like ``AppCheck``, for packs at `destination`. Output files
  /// of this run are not selected.
  ///
  /// With `onlyIfChanged`, existing packs with the same bytes are kept; records determine which
  /// these are, and which files need not be opened for the checks.
  package init(
    reading paths: [BytePath], to destination: Destination,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), onlyIfChanged: Bool = false
  ) throws(AppPackagingError) {
    started = systemTime()
    let files = try mapping(AppPackagingError.manifests, ManifestFiles(at: paths))
    outputs = try Self.outputs(of: files.files.map(\.path), destination)
    self.destination = destination
    var options = options
    options.outputs += outputs + outputs.map { PackRecord.path(beside: $0) }
    self.onlyIfChanged = onlyIfChanged
    checks =
      "\(toolVersion) \(options.hosting.rawValue)\(options.policy.allowsStubs ? "" : " stubs")"
    if onlyIfChanged {
      for record in outputs.compactMap({ PackRecord(beside: $0) }) where record.checks == checks {
        options.policy.examined.formUnion(record.files.compactMap(\.self))
      }
    }
    check = AppCheck(of: files, options)
  }

  private static func outputs(
    of manifests: [BytePath], _ destination: Destination
  ) throws(AppPackagingError) -> [BytePath] {
    switch destination {
    case .nowhere:
      return []
    case .file(let output):
      guard manifests.count == 1 else { throw .oneOutput(output, manifests: manifests.count) }
      return [output]
    case .folder(let folder):
      var first: [String: BytePath] = [:]
      var outputs: [BytePath] = []
      for manifest in manifests {
        let stem = manifest.hasExtension("json") ? manifest.name.dropLast(5) : manifest.name
        let output = folder.appending(Array(stem) + ".aar".utf8)
        // Some volumes ignore case.
        if let other = first.updateValue(manifest, forKey: caseFolded(output.name)) {
          throw .sameOutput(output, other, manifest)
        }
        outputs.append(output)
      }
      return outputs
    }
  }
}

extension AppPackaging {
  /// How packs are made.
  package struct MakingOptions: Sendable {
    /// The modification time of all entries.
    package var modified = ArchiveTime.constant
    /// Whether the other packs are still made if some can't be.
    package var keepsGoing = false

    /// The defaults: no pack is made if an error is found in advance.
    package init() {}
  }

  /// Makes the packs. If an error is found before anything is written, no pack is made; after that,
  /// packs that were already written are kept.
  package func make(
    _ packager: Packager, _ options: MakingOptions = MakingOptions()
  ) throws(AppPackagingError) -> [PackResult] {
    let keepsGoing = options.keepsGoing
    var packager = packager
    if onlyIfChanged {
      packager.replacesOutput = true
      packager.findsDigests = true
    }
    var states = check.checks.indices.map { invalidity(ofManifest: $0) }
    var madeFolders: [BytePath] = []
    if case .folder(let folder) = destination, !isHopeless(states, keepsGoing) {
      madeFolders = try mapping(AppPackagingError.folder, folder.makeFolderPath())
    }
    if !isHopeless(states, keepsGoing) {
      for index in states.indices where states[index] == nil {
        do throws(PackagingError) {
          try packager.checkOutput(outputs[index])
        } catch {
          states[index] = .failed(error)
        }
      }
    }
    if !isHopeless(states, keepsGoing) {
      var numbers: [Int] = []
      var jobs: [PackBatch.Job] = []
      for index in states.indices where states[index] == nil {
        guard let pack = check.checks[index].pack, let selection = pack.selection else { continue }
        numbers.append(index)
        jobs.append(
          PackBatch.Job(
            pack.manifest, selection, modified: options.modified, to: outputs[index],
            checks: check.checks[index].hasFindingsInContents ? "" : checks))
      }
      let batch = PackBatch(
        packager, keepsGoing: keepsGoing, keepsRecords: onlyIfChanged, started: started)
      let outcomes = onlyIfChanged ? batch.makeChanged(jobs) : batch.make(jobs)
      for (number, outcome) in zip(numbers, outcomes) {
        states[number] = PackResult.State(outcome)
      }
    }
    // Only if no pack is in them.
    BytePath.removeEmptyFolders(madeFolders)
    return states.indices.map { result($0, states[$0] ?? .skipped) }
  }

  /// The digests of the packs that `packager` would make, with `modified` as the modification time
  /// of all entries; nil for manifests with errors.
  package func digests(
    _ packager: Packager, modified: ArchiveTime
  ) -> [Result<PackDigest, PackagingError>?] {
    var digests = [Result<PackDigest, PackagingError>?](
      repeating: nil, count: check.checks.count)
    var numbers: [Int] = []
    var sources: [ArchiveSource] = []
    for index in check.checks.indices where invalidity(ofManifest: index) == nil {
      guard let pack = check.checks[index].pack, let selection = pack.selection else { continue }
      let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: modified)
      do throws(PackagingError) {
        sources.append(try ArchiveSource(layout, root: selection.root))
        numbers.append(index)
      } catch {
        digests[index] = .failure(error)
      }
    }
    let found = packager.digests(
      of: sources.flatMap { source in
        (0..<source.layout.blockCount).map { (source, $0) }
      })
    var start = 0
    for (number, source) in zip(numbers, sources) {
      let layout = source.layout
      let blocks = found[start..<start + layout.blockCount]
      start += layout.blockCount
      do throws(PackagingError) {
        var digestsOfBlocks: [[UInt8]] = []
        for block in blocks { digestsOfBlocks.append(try block.get()) }
        digests[number] = .success(
          PackDigest(packager.compression, streamSize: layout.size, blocks: digestsOfBlocks))
      } catch {
        digests[number] = .failure(error)
      }
    }
    return digests
  }

  /// The manifests without errors, and the files they select.
  package var selections: [(manifest: BytePath, selection: Selection)] {
    check.checks.indices.compactMap { index in
      guard invalidity(ofManifest: index) == nil,
        let selection = check.checks[index].pack?.selection
      else { return nil }
      return (check.manifests[index], selection)
    }
  }

  /// The dependencies of each pack: its manifest, the files it selects, and the folders that were
  /// listed to select them.
  package var dependencies: [Depfile.Rule] {
    zip(outputs, zip(check.manifests, check.checks)).map { output, source in
      var inputs = source.0.isStandardStream ? [] : [source.0]
      if let selection = source.1.pack?.selection {
        inputs += selection.files.map { selection.root.appending($0.source.bytes) }
        inputs += selection.folders.map { selection.root.appending($0.bytes) }
      }
      return Depfile.Rule(output: output, inputs: inputs)
    }
  }

  /// Fails if a pack, its record, or one of the `others` that the caller writes can't be written, is
  /// written twice, or is read: as a manifest, a selected file or one of `inputs`.
  package func compareOutputs(
    and others: [BytePath], inputs: [BytePath]
  ) throws(InvalidValue) {
    for output in onlyIfChanged ? self.outputs : [] {
      guard
        case .file = try mapping(
          { InvalidValue(reason: ($0 as SystemError).description) }, output.outputPlace())
      else {
        throw InvalidValue(
          reason:
            "'\(output)' leads to a pipe or device, which can't be compared with a pack; name a file"
        )
      }
    }
    let records = onlyIfChanged ? self.outputs.map { PackRecord.path(beside: $0) } : []
    let outputs = try OutputFiles(self.outputs + others, own: records)
    try outputs.compare(withInputs: check.manifests + inputs)
    for selection in check.checks.compactMap(\.pack?.selection) {
      try outputs.compare(withFilesOf: selection)
    }
  }

  /// The total size of these files in bytes.
  package var size: UInt64 {
    selections.reduce(0) { $0.addingReportingOverflow($1.selection.size).partialValue }
  }

  /// Whether no more packs can be made.
  private func isHopeless(_ states: [PackResult.State?], _ keepsGoing: Bool) -> Bool {
    keepsGoing ? states.allSatisfy { $0 != nil } : states.contains { $0 != nil }
  }

  /// The state of a pack with errors in its manifest, or in how it combines with the others.
  private func invalidity(ofManifest index: Int) -> PackResult.State? {
    let name = check.manifests[index].bytes
    let together = check.findingsTogether.filter { finding in
      ([finding.location] + finding.notes.map(\.location)).contains { $0?.source.name == name }
    }
    let errors = (check.checks[index].findings + together).count { $0.severity == .error }
    let isWhole = check.checks[index].pack?.selection != nil
    return errors > 0 || !isWhole ? .invalid(errors: errors) : nil
  }

  private func result(_ index: Int, _ state: PackResult.State) -> PackResult {
    let pack = check.checks[index].pack
    return PackResult(
      manifest: check.manifests[index],
      identifier: pack.flatMap {
        $0.manifest.assetPackID.location.range.isEmpty ? nil : $0.manifest.assetPackID.value
      },
      output: outputs[index], files: pack?.selection?.files.count ?? 0,
      size: pack?.selection?.size ?? 0, state: state)
  }
}
