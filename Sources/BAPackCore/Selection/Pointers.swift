extension Selection {
  /// How many of the files are represented by pointers of Git LFS.
  package var pointers: Int { files.count { $0.pointer != nil } }
}

extension SelectedFile {
  /// The SHA-256 of the contents: the pointer's, or else that of the file at `path`.
  func sha256(at path: BytePath) throws(SystemError) -> [UInt8] {
    if let recorded = pointer?.sha256 { return recorded }
    var hash = SHA256()
    let file = try path.attempt(.open, FileDescriptor.reading(path))
    while true {
      let part = try path.attempt(.read, file.read(upTo: 1 << 18))
      if part.isEmpty { return hash.finalize() }
      hash.update(part)
    }
  }
}

/// Replaces the pointers of Git LFS among `files` with the files that they represent; returns
/// findings about those that don't have a size and SHA-256, and about files that can't be read.
func readPointers(
  _ files: inout [SelectedFile], _ manifest: Manifest, in tree: borrowing SourceTree
) -> [Finding] {
  let possible = files.indices.filter { index in
    let file = files[index]
    return file.pointer == nil && Stub.isPossible(file)
  }
  let small = possible.map { (path: files[$0].source, size: Int(files[$0].size)) }
  let found = mapOnThreads(possible.count) { [folder = tree.folder] index in
    Result { () throws(SystemError) in
      Stub(contents: try folder.bytes(of: small[index].path, upTo: small[index].size))
    }
  }
  var findings: [Finding] = []
  var lacking: [SelectedFile] = []
  for (index, result) in zip(possible, found) {
    let file = files[index]
    switch result {
    case .success(nil): break
    case .success(let pointer?):
      files[index].pointer = pointer
      if let contents = pointer.contents {
        files[index].size = contents.size
      } else {
        lacking.append(files[index])
      }
    case .failure(let error):
      findings.report(
        .unreadableFile, "\(error)", at: manifest.location(of: file), file: file.source)
    }
  }
  return findings
    + FileRule.pointers(below: tree.root, lackingContents: true).findings(lacking, manifest)
}
