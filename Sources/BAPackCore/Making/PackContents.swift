extension ArchiveLayout {
  /// The layout of an asset pack: `Contents` with all directories and files, and `Manifest.json`
  /// next to it. All entries have the time `modified`.
  package init(_ selection: Selection, manifest: Manifest, modified: ArchiveTime) {
    var entries: [ArchiveEntry] = []
    entries.reserveCapacity(selection.files.count + selection.files.count / 8 + 16)
    let embedded = ArchiveEntry.Kind.file(
      .bytes(manifest.embedded), size: UInt64(manifest.embedded.count), isExecutable: false)
    entries.append(ArchiveEntry(.root, .directory))
    entries.append(ArchiveEntry(.contents, .directory))
    // Files are sorted, so a directory is new if and only if the previous file isn't in it.
    var last = RelativePath.root
    for file in selection.files {
      for folder in file.destination.folders(notOf: last) {
        entries.append(ArchiveEntry(PackFormat.archivePath(of: folder), .directory))
      }
      last = file.destination
      entries.append(
        ArchiveEntry(
          PackFormat.archivePath(of: file.destination),
          .file(
            file.contents.map { .bytes($0) } ?? .file(file.source, version: file.version),
            size: file.size,
            isExecutable: file.isExecutable)))
    }
    entries.append(ArchiveEntry(.manifest, embedded))
    self.init(entries, modified: modified)
  }
}

extension Packager {
  func checkManifest(_ layout: ArchiveLayout) throws {
    guard case .file(.bytes(let manifest), _, _)? = layout.entries.last?.kind,
      manifest.count > PackFormat.maximumManifestSize
    else { return }
    throw PackagingError(
      "the manifest as it is embedded, in plain JSON, has \(counted(manifest.count, "byte")), where "
        + "\(grouped(PackFormat.maximumManifestSize)) can be read; nest 'userInfo' less deeply, or "
        + "keep its data in a file of the pack")
  }
}

extension RelativePath {
  /// The folders that contain this path and don't contain the one before it, outermost first; paths
  /// are sorted.
  func folders(notOf last: RelativePath) -> [RelativePath] {
    let common = zip(bytes, last.bytes).lazy.prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
    return bytes.indices[common...].filter { bytes[$0] == ASCII.slash }
      .map { RelativePath(unchecked: Array(bytes[..<$0])) }
  }
}

extension ArchiveLayout {
  /// A digest of all headers and of contents that aren't files'. If it is equal, two packs have the
  /// same entries with the same sizes, in the same order.
  var headerDigest: [UInt8] {
    var digest = SHA256()
    for entry in entries {
      digest.update(entry.header(modified: modified))
      if case .file(.bytes(let bytes), _, _) = entry.kind { digest.update(bytes) }
    }
    return digest.finalize()
  }

  /// The indices of the blocks that contain parts of `files`, which are indices in the order of the
  /// archive. The last entry is the manifest.
  func blocks(ofFiles files: Set<Int>) -> [Int] {
    var blocks: [Int] = []
    var number = 0
    for index in entries.indices.dropLast() {
      guard case .file(_, let size, _) = entries[index].kind else { continue }
      defer { number += 1 }
      guard size > 0, files.contains(number) else { continue }
      let start = contents(at: index).lowerBound
      let first = Int(start / UInt64(ContainerFormat.blockSize))
      let last = Int((start + size - 1) / UInt64(ContainerFormat.blockSize))
      blocks += max(first, (blocks.last ?? -1) + 1)..<last + 1
    }
    return blocks
  }
}

extension AssetPackBuilder {
  /// The digests of the inputs of the packs that would be made; nil for manifests with errors. Files
  /// whose pointers were read (``SelectionPolicy/readsPointers``) need not be here.
  package func inputDigests(_ work: Work) -> [Result<String, any Error>?] {
    var packager = packager
    packager.jobs = work.threads
    var digests = [Result<String, any Error>?](repeating: nil, count: check.checks.count)
    for (index, layout, selection) in layouts {
      digests[index] = Result { try packager.inputDigest(of: layout, selection) }
    }
    return digests
  }
}

extension Packager {
  /// The digest of everything that the bytes of the pack with this layout depend on, by the SHA-256
  /// of each file: that in a pointer, or that of the file.
  fileprivate func inputDigest(
    of layout: ArchiveLayout, _ selection: Selection
  ) throws -> String {
    var pointers: [Int: [UInt8]] = [:]
    var others: [Int] = []
    var number = 0
    for (index, entry) in layout.entries.enumerated() {
      guard case .file(.file, _, _) = entry.kind else { continue }
      if let pointer = selection.files[number].pointer {
        pointers[index] = pointer.sha256
      } else {
        others.append(index)
      }
      number += 1
    }
    let hashes = try layout.hashes(of: others, below: selection.root, jobs: jobs)
      .merging(pointers) { $1 }
    var digest = SHA256()
    func add(_ text: String) { digest.update(Array(text.utf8)) }
    add("ba-package format \(PackFormat.revision)\n")
    add("compression \(compression.recipe)\n")
    add("modified \(layout.modified.seconds).\(layout.modified.nanoseconds)\n")
    for (index, entry) in layout.entries.enumerated() {
      var hash = hashes[index]
      if case .file(.bytes(let bytes), _, _) = entry.kind {
        add("manifest \(bytes.count)\n")
        digest.update(bytes)
        hash = SHA256.digest(of: bytes)
      }
      let mode = String(entry.mode, radix: 8)
      add(hash.map { "F \(mode) \(entry.size) \(hexadecimal($0)) " } ?? "D \(mode) ")
      digest.update(entry.path.bytes + [0])
    }
    return hexadecimal(digest.finalize())
  }
}
