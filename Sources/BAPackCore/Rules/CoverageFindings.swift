extension Coverage {
  /// A finding for each group, at its first file.
  package var findings: [Finding] {
    groups.map { group in
      let name = folder.appending(group.files[0].path.bytes)
      let place = SourceLocation(SourceText(name: name.bytes, bytes: []), 0..<0)
      let size = byteCount(group.size)
      return Finding(
        .fileInNoPack, severity: severity,
        group.isFolder
          ? "no pack contains the folder '\(group.path)': \(counted(group.files.count, "file")), \(size)"
          : "no pack contains '\(group.path)' (\(size))",
        at: place)
    }
  }
}

extension Coverage: JSONRepresentable {
  /// The files for `--format json`.
  package var json: JSONValue {
    .object([
      "folder": JSONName(folder.bytes),
      "size": size,
      "files": files.map {
        JSONValue.object(["path": JSONName($0.path.bytes), "size": $0.size])
      },
    ])
  }
}
