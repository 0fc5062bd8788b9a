extension DamageReason {
  /// An explanation of this kind of damage and its remedy, as paragraphs.
  package var explanation: [String] {
    switch self {
    case .notAnArchive, .encrypted, .zip:
      ["The file is not an Apple Archive. Give the pack that 'package' made."]
    case .containerCut, .containerLetter, .blockSize, .blockHeaderCut, .blockEmpty, .rawSize,
      .storedSize, .blockShort, .blockCut, .packedInNone:
      [
        "The container is a header and a sequence of blocks, each with a header that has its sizes. "
          + "They don't fit together or end too early: the file was cut or changed on its way.",
        Self.again,
      ]
    case .unsupportedCodec:
      [
        "The blocks are compressed with an Apple algorithm that is not supported here.",
        "Make the pack with zlib, LZFSE or no compression.",
      ]
    case .limit:
      [
        "The archive needs more memory or disk space than an untrusted file may use.",
        "Read a pack that is really that large with higher limits.",
      ]
    case .zlibHeader, .zlibData, .zlibCut, .zlibShort, .zlibLong, .zlibTrailing, .zlibChecksum,
      .lzfse:
      ["A block can't be unpacked, or its bytes are not those that were packed.", Self.again]
    case .entryMagic, .headerSize, .headerCut, .contentsCut, .fieldCut, .fieldKey, .unknownSubtype,
      .fieldType, .duplicateField, .stringNUL, .nanoseconds, .missingType, .entryType, .missingPath,
      .missingLink, .hashMismatch:
      [
        "The blocks hold a stream of entries: headers of fields, each followed by the contents of a "
          + "file. One of them breaks the format, so the archive was changed, or made by a faulty tool.",
        Self.again,
      ]
    case .pathLength, .pathAbsolute, .pathEmptyPart, .pathDots, .pathUTF8, .rootType,
      .duplicatePath, .pathClash, .belowNonDirectory, .linkOutside, .specialFile:
      [
        "A name in the archive is invalid, conflicts with another one, or points outside the folder. "
          + "Nothing is extracted from such an archive.",
        "Don't trust the archive unless you know who made it. Rename the file in the repository if "
          + "it is your own, and make the pack again.",
      ]
    case .noRoot, .noContents, .noManifest, .manifestNotJSON, .manifestInvalid, .strayEntry, .order,
      .parentMissing, .missingData:
      [
        "The archive is intact, but it is not an asset pack: those contain a folder 'Contents' with "
          + "everything that games read, 'Manifest.json' next to it, and nothing else, sorted by path.",
        "Make the pack with 'package'.",
      ]
    case .notExtracted:
      [
        "The pack has more than names, contents and execute bits. 'extract' ignores it, as it never "
          + "sets owners, special bits, attributes or links. Whether devices do is not documented.",
        "If games need none of it, nothing has to be done. Packs that 'package' made have none.",
      ]
    }
  }

  private static let again =
    "Copy or download the file again, or make the pack again. If that does not help, the tool that made "
    + "it is at fault."
}
