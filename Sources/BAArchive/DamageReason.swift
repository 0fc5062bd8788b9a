/// A kind of damage. There may be more in a later version.
public struct DamageReason: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// A stable id.
  public let rawValue: String
  /// A title, one line without a final period.
  public let title: String
  package let family: Family

  private init(_ id: String, _ title: String, _ family: Family) {
    rawValue = id
    self.title = title
    self.family = family
  }

  /// The kind with an id; nil if there is none.
  public init?(rawValue id: String) {
    guard let reason = Self.allCases.first(where: { $0.rawValue == id }) else { return nil }
    self = reason
  }

  // MARK: The file

  package static let notAnArchive = Self("not-an-archive", "Not an Apple Archive", .foreign)
  package static let encrypted = Self("encrypted", "An encrypted Apple Archive", .foreign)
  package static let zip = Self("zip", "A zip file, perhaps a library for Android", .foreign)

  // MARK: The container

  package static let containerCut = Self(
    "container-cut", "The file ends within its own header", .container)
  package static let containerLetter = Self(
    "container-letter", "An unknown compression algorithm", .container)
  package static let blockSize = Self(
    "block-size", "A block size of 0, or beyond the maximum", .container)
  package static let blockHeaderCut = Self(
    "block-header-cut", "The file ends within the header of a block", .container)
  package static let blockEmpty = Self("block-empty", "A block of no bytes", .container)
  package static let rawSize = Self("raw-size", "A block larger than the block size", .container)
  package static let storedSize = Self(
    "stored-size", "A block whose stored size is beyond the block size", .container)
  package static let blockShort = Self(
    "block-short", "A block before the last one is too short", .container)
  package static let blockCut = Self("block-cut", "The file ends within a block", .container)
  package static let unsupportedCodec = Self(
    "unsupported-codec", "A compression algorithm that is not supported", .codec)
  package static let packedInNone = Self(
    "packed-in-none", "A compressed block in an archive without compression", .container)
  package static let limit = Self("limit", "More data or entries than a reader allows", .limit)

  // MARK: The payload of a block

  package static let zlibHeader = Self("zlib-header", "A block without a zlib header", .payload)
  package static let zlibData = Self("zlib-data", "A block with invalid deflate data", .payload)
  package static let zlibCut = Self(
    "zlib-cut", "A block whose deflate data is incomplete", .payload)
  package static let zlibShort = Self(
    "zlib-short", "A block that inflates to too few bytes", .payload)
  package static let zlibLong = Self(
    "zlib-long", "A block that inflates to too many bytes", .payload)
  package static let zlibTrailing = Self(
    "zlib-trailing", "A block with bytes after its zlib stream", .payload)
  package static let zlibChecksum = Self("zlib-checksum", "A block with a wrong checksum", .payload)
  package static let lzfse = Self("lzfse", "A block with invalid LZFSE data", .payload)

  // MARK: Headers of entries

  package static let entryMagic = Self(
    "entry-magic", "No entry header where one is expected", .stream)
  package static let headerSize = Self("header-size", "An entry header that is too small", .stream)
  package static let headerCut = Self(
    "header-cut", "The archive ends within an entry header", .stream)
  package static let contentsCut = Self(
    "contents-cut", "The archive ends within the contents of a file", .stream)
  package static let fieldCut = Self("field-cut", "A field longer than its header", .stream)
  package static let fieldKey = Self(
    "field-key", "A field key that is not three ASCII characters", .stream)
  package static let unknownSubtype = Self(
    "unknown-subtype", "A field of an unknown subtype", .stream)
  package static let fieldType = Self("field-type", "A field of the wrong type", .stream)
  package static let duplicateField = Self(
    "duplicate-field", "The same field twice in a header", .stream)
  package static let stringNUL = Self("string-nul", "A NUL character in a string", .stream)
  package static let nanoseconds = Self(
    "nanoseconds", "A time with a second of nanoseconds or more", .stream)
  package static let missingType = Self("missing-type", "An entry without a type", .stream)
  package static let entryType = Self("entry-type", "An entry of an unknown type", .stream)
  package static let missingPath = Self("missing-path", "An entry without a path", .stream)
  package static let missingLink = Self("missing-link", "A symbolic link without a target", .stream)

  // MARK: Names, which determine where files are written

  package static let pathLength = Self("path-length", "A path of more than 1,023 bytes", .names)
  package static let pathAbsolute = Self("path-absolute", "An absolute path in an archive", .names)
  package static let pathEmptyPart = Self("path-empty-part", "A path with an empty part", .names)
  package static let pathDots = Self("path-dots", "A path with a part '.' or '..'", .names)
  package static let pathUTF8 = Self("path-utf8", "A path that is not UTF-8", .names)
  package static let rootType = Self("root-type", "The root is not a directory", .names)
  package static let duplicatePath = Self(
    "duplicate-path", "Two entries with the same path", .names)
  package static let pathClash = Self(
    "path-clash", "Two paths that differ only in case or Unicode normalization", .names)
  package static let belowNonDirectory = Self(
    "below-non-directory", "An entry inside something that is not a directory", .names)
  package static let linkOutside = Self(
    "link-outside", "A symbolic link that points outside the pack", .names)
  package static let specialFile = Self(
    "special-file", "An entry that is not a file, a directory or a symbolic link", .names)

  // MARK: The layout of an asset pack

  package static let noRoot = Self("no-root", "No entry for the root directory", .layout)
  package static let noContents = Self("no-contents", "No directory 'Contents'", .layout)
  package static let noManifest = Self(
    "no-manifest", "No 'Manifest.json' next to 'Contents'", .layout)
  package static let manifestNotJSON = Self(
    "manifest-not-json", "The embedded manifest is not JSON", .layout)
  package static let manifestInvalid = Self(
    "manifest-invalid", "The embedded manifest is invalid", .layout)
  package static let strayEntry = Self(
    "stray-entry", "An entry next to 'Contents' that is not the manifest", .layout)
  package static let order = Self("order", "Entries that are not sorted", .layout)
  package static let parentMissing = Self(
    "parent-missing", "An entry before the one of its directory", .layout)
  package static let missingData = Self("missing-data", "A file without contents", .layout)
  package static let hashMismatch = Self(
    "hash-mismatch", "Contents that do not match their digest", .stream)

  // MARK: What is ignored

  package static let notExtracted = Self("not-extracted", "Data that extraction ignores", .ignored)

  // MARK: All

  /// All kinds of this version.
  public static let allCases: [DamageReason] = [
    .notAnArchive, .encrypted, .zip, .containerCut, .containerLetter, .blockSize, .blockHeaderCut,
    .blockEmpty, .rawSize, .storedSize, .blockShort, .blockCut, .unsupportedCodec, .packedInNone,
    .limit, .zlibHeader, .zlibData, .zlibCut, .zlibShort, .zlibLong, .zlibTrailing, .zlibChecksum,
    .lzfse, .entryMagic, .headerSize, .headerCut, .contentsCut, .fieldCut, .fieldKey,
    .unknownSubtype, .fieldType, .duplicateField, .stringNUL, .nanoseconds, .missingType,
    .entryType, .missingPath, .missingLink, .pathLength, .pathAbsolute, .pathEmptyPart, .pathDots,
    .pathUTF8, .rootType, .duplicatePath, .pathClash, .belowNonDirectory, .linkOutside,
    .specialFile, .noRoot, .noContents, .noManifest, .manifestNotJSON, .manifestInvalid,
    .strayEntry, .order, .parentMissing, .missingData, .hashMismatch, .notExtracted,
  ]
}

/// Kinds of damage with the same explanation.
package enum Family {
  case foreign, container, codec, limit, payload, stream, names, layout, ignored
}

extension DamageReason {
  /// An explanation of this kind of damage and its remedy, as paragraphs.
  package var explanation: [String] {
    switch family {
    case .foreign:
      ["The file is not an Apple Archive. Give the pack that was made of the manifest."]
    case .container:
      [
        "The container is a header and a sequence of blocks, each with a header that has its sizes. "
          + "They don't fit together or end too early: the file was cut or changed on its way.",
        Self.again,
      ]
    case .codec:
      [
        "The blocks are compressed with an Apple algorithm that is not supported here.",
        "Make the pack with zlib, LZFSE or no compression.",
      ]
    case .limit:
      [
        "The archive needs more memory or disk space than an untrusted file may use.",
        "Read a pack that is really that large with higher limits.",
      ]
    case .payload:
      ["A block can't be unpacked, or its bytes are not those that were packed.", Self.again]
    case .stream:
      [
        "The blocks hold a stream of entries: headers of fields, each followed by the contents of a "
          + "file. One of them breaks the format, so the archive was changed, or made by a faulty tool.",
        Self.again,
      ]
    case .names:
      [
        "A name in the archive is invalid, conflicts with another one, or points outside the folder. "
          + "Nothing is extracted from such an archive.",
        "Don't trust the archive unless you know who made it. Rename the file in the repository if "
          + "it is your own, and make the pack again.",
      ]
    case .layout:
      [
        "The archive is intact, but it is not an asset pack: those contain a folder 'Contents' with "
          + "everything that games read, 'Manifest.json' next to it, and nothing else, sorted by path.",
        "Make the pack again, of its manifest.",
      ]
    case .ignored:
      [
        "The pack has more than names, contents and execute bits. Extraction ignores it: it never "
          + "sets owners, special bits, attributes or links. Whether devices do is not documented.",
        "If games need none of it, nothing has to be done. Packs that this tool made have none.",
      ]
    }
  }

  private static let again =
    "Copy or download the file again, or make the pack again. If that does not help, the tool that made "
    + "it is at fault."
}
