/// A decoded header and the blobs that follow it.
package struct DecodedHeader {
  package let entry: PackEntry
  /// The blobs after the header, in order.
  package let blobs: [Blob]

  /// A run of bytes after a header.
  package struct Blob: Equatable {
    package let isContents: Bool
    package let size: UInt64
  }
}

/// The size of the start of every header: the magic number and the header's size.
package let headerPreludeSize = 6

/// The size that the header starting with `prelude` states: 6 to 65,535 bytes.
package func headerSize(_ prelude: [UInt8], at place: ArchivePlace) throws(ArchiveDamage) -> Int {
  let magic = prelude.prefix(4)
  guard magic.elementsEqual("AA01".utf8) || magic.elementsEqual("YAA1".utf8) else {
    throw badMagic(magic, at: place)
  }
  let size = prelude.dropFirst(4).prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
  guard prelude.count >= headerPreludeSize, size >= headerPreludeSize else {
    throw ArchiveDamage(
      .headerSize, "a header of \(counted(size, "byte")); the minimum is \(headerPreludeSize)",
      at: place)
  }
  return size
}

func badMagic(_ magic: ArraySlice<UInt8>, at place: ArchivePlace) -> ArchiveDamage {
  ArchiveDamage(
    .entryMagic,
    "an entry should begin here with 'AA01' or 'YAA1', but there is '\(printable(magic))'",
    at: place)
}

/// Decodes a complete header at `offset` in the archive stream. Fields may have any order and
/// width.
package func decodeHeader(
  _ header: [UInt8], number: Int, offset: UInt64
) throws(ArchiveDamage) -> DecodedHeader {
  var place = ArchivePlace(entry: number, stream: offset)
  var fields = FieldReader(header, from: headerPreludeSize, at: place)
  var entry = PackEntry(number: number, offset: offset, kind: EntryKind(rawValue: 0))
  var type: UInt64?
  var hasPath = false
  var blobs: [DecodedHeader.Blob] = []
  // Offsets saturate. No stream is that long, so the contents will be reported as truncated.
  var end = saturatingSum(offset, UInt64(header.count))
  var seen: [String] = []
  while let (key, value, fieldPlace) = try fields.next() {
    let isKnown = subtypes(of: key) != nil
    if isKnown {
      guard !seen.contains(key) else {
        throw ArchiveDamage(
          .duplicateField, "duplicate field \(key) in one header", at: fieldPlace)
      }
      seen.append(key)
    }
    if case .blob(let size) = value {
      let start = end
      end = saturatingSum(end, size)
      blobs.append(DecodedHeader.Blob(isContents: key == "DAT", size: size))
      if key == "DAT" { entry.contents = start..<end }
    }
    switch (key, value) {
    case ("TYP", .integer(let letter)): type = letter
    case ("PAT", .string(let path)):
      entry.archivePath = bounded(path)
      place.path = entry.archivePath
      hasPath = true
    case ("LNK", .string(let target)): entry.linkTarget = bounded(target)
    case ("MOD", .integer(let mode)): entry.mode = mode
    case ("MTM", .time(let time)): entry.modified = time
    case ("DAT", _): break
    default: if isKnown { entry.otherFields.append(EntryField(key: key, value: value)) }
    }
  }
  guard let type else {
    throw ArchiveDamage(.missingType, "an entry without a type (TYP)", at: place)
  }
  entry.kind = EntryKind(rawValue: UInt8(exactly: type) ?? 0)
  guard entry.kind.isKnown else {
    throw ArchiveDamage(
      .entryType, "the type (TYP) \(grouped(type)) is not a valid entry type", at: place)
  }
  if entry.kind != .symbolicLink { entry.linkTarget = nil }
  guard hasPath || entry.kind == .metadata else {
    throw ArchiveDamage(.missingPath, "an entry without a path (PAT)", at: place)
  }
  return DecodedHeader(entry: entry, blobs: blobs)
}

/// A path or link target, truncated after the first byte that exceeds the length limit.
private func bounded(_ path: [UInt8]) -> [UInt8] {
  path.count <= PackFormat.maximumPathLength
    ? path : Array(path.prefix(PackFormat.maximumPathLength + 1))
}

package func saturatingSum(_ a: UInt64, _ b: UInt64) -> UInt64 {
  let (sum, overflows) = a.addingReportingOverflow(b)
  return overflows ? .max : sum
}
