extension AssetPackBuilder {
  /// The digests of the inputs of the packs that would be made; nil for manifests with errors. Files
  /// whose pointers were read (``SelectionPolicy/readsPointers``) need not be here.
  package func inputDigests() -> [Result<String, any Error>?] {
    check.checks.indices.map { index in
      guard errors(ofManifest: index) == nil, let pack = check.checks[index].pack,
        let selection = pack.selection
      else { return nil }
      let layout = ArchiveLayout(
        selection, manifest: pack.manifest, modified: ArchiveTime(seconds: modificationTime))
      return Result {
        try packager.inputDigest(of: layout, selection)
      }
    }
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
