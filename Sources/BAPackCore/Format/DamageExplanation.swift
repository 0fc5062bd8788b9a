extension DamageReason {
  /// What damage of this kind is about, and what to do: a paragraph each.
  package var explanation: [String] {
    switch self {
    case .notAnArchive, .encrypted, .zip:
      ["The file is something else than an Apple Archive. Give the pack that 'package' made."]
    case .containerCut, .containerLetter, .blockSize, .blockHeaderCut, .blockEmpty, .rawSize,
      .storedSize, .blockShort, .blockCut, .packedInNone:
      [
        "The container is a header and a row of blocks, each behind a header with its sizes. They don't "
          + "fit together or end too early, so the file was cut or changed on its way.",
        Self.again,
      ]
    case .unsupportedCodec:
      [
        "The blocks are compressed by an algorithm of Apple's that is not read here.",
        "Make the pack with zlib, LZFSE or no compression.",
      ]
    case .limit:
      [
        "The archive asks for more memory or room than is allowed to one that may come from a stranger.",
        "For a pack that is really so large, --limit allows more raw bytes.",
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
        "A name in the archive can't stand in a folder beside the others, or would leave it. Nothing is "
          + "extracted from such an archive.",
        "Don't trust the archive before it is known who made it. Rename the file in the repository if "
          + "it is your own, and make the pack again.",
      ]
    case .noRoot, .noContents, .noManifest, .manifestNotJSON, .manifestInvalid, .strayEntry, .order,
      .parentMissing, .missingData:
      [
        "The archive is whole, but no asset pack: those hold a folder 'Contents' with all that games "
          + "read, 'Manifest.json' beside it, and nothing else, in the order of their paths.",
        "Make the pack with 'package'.",
      ]
    case .fileChecksum, .fileStructure:
      [
        "PNG images, zip, Ogg and FLAC files have checksums of their own, which 'verify --deep' checks. "
          + "One of them does not match the file's bytes, or the file breaks its format: it was damaged in "
          + "the pack, or was already when the pack was made.",
        "Compare the pack with the repository: 'verify --against'. If the file differs there, make the "
          + "pack again; if not, restore the file in the repository.",
      ]
    case .notExtracted:
      [
        "The pack holds more than names, contents and execute bits. 'extract' ignores it, as it never "
          + "sets owners, special bits, attributes or links. Whether devices do is not documented.",
        "If games need none of it, nothing has to be done. Packs that 'package' made have none.",
      ]
    }
  }

  private static let again =
    "Copy or download the file again, or make the pack again. If that does not help, the tool that made "
    + "it is at fault."
}
