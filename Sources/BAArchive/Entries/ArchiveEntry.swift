/// An entry to be written: a directory or a file.
package struct ArchiveEntry: Sendable {
  /// Where the bytes of a file come from.
  package enum Contents: Sendable {
    /// A file below the root of the repository, with its ``FileStatus/version``.
    case file(RelativePath, version: UInt64)
    case bytes([UInt8])
  }

  package enum Kind: Sendable {
    case directory
    case file(Contents, size: UInt64, isExecutable: Bool)
  }

  package let path: RelativePath
  package let kind: Kind

  package init(_ path: RelativePath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  package var size: UInt64 {
    if case .file(_, let size, _) = kind { return size }
    return 0
  }

  /// The low 12 bits of `st_mode`: 0755 for directories and executable files, else 0644.
  package var mode: UInt16 {
    switch kind {
    case .directory, .file(_, _, isExecutable: true): 0o755
    case .file: 0o644
    }
  }

  /// The bytes of the header: `TYP PAT MOD MTM`, and `DAT` for a file.
  package func header(modified: ArchiveTime) -> [UInt8] {
    encodeHeader(fields(modified: modified))
  }

  /// The size of the header in bytes, computed without encoding it.
  package func headerSize(modified: ArchiveTime) -> Int {
    fields(modified: modified).reduce(headerPreludeSize) { $0 + $1.size }
  }

  private func fields(modified: ArchiveTime) -> [EntryField] {
    var fields: [EntryField] = []
    fields.reserveCapacity(5)
    switch kind {
    case .directory: fields.append(.integer("TYP", UInt64(UInt8(ascii: "D"))))
    case .file: fields.append(.integer("TYP", UInt64(UInt8(ascii: "F"))))
    }
    fields.append(.string("PAT", path.bytes))
    fields.append(.integer("MOD", UInt64(mode)))
    fields.append(.time("MTM", modified))
    if case .file(_, let size, _) = kind { fields.append(.blob("DAT", size: size)) }
    return fields
  }
}

/// A header with `fields`: magic number, its own size, the fields.
package func encodeHeader(_ fields: [EntryField]) -> [UInt8] {
  var header: [UInt8] = []
  header.reserveCapacity(128)
  header += "AA01\0\0".utf8
  for field in fields { field.append(to: &header) }
  // Only paths have no limit of their own, and the layout limits them.
  precondition(header.count <= 0xFFFF, "a header holds at most 65,535 bytes")
  header[4] = UInt8(truncatingIfNeeded: header.count)
  header[5] = UInt8(truncatingIfNeeded: header.count >> 8)
  return header
}
