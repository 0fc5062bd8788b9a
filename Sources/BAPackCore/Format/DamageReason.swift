/// Kinds of damage to an archive. The raw value is a stable id.
package enum DamageReason: String, Sendable, CaseIterable {
  // MARK: The file

  /// The file is no Apple archive at all.
  case notAnArchive = "not-an-archive"
  /// An encrypted Apple archive (`AEA1`).
  case encrypted
  /// A zip file: Android's libraries end in `.aar` too.
  case zip

  // MARK: The container

  /// The header of the container is cut by the end of the file.
  case containerCut = "container-cut"
  /// The letter behind `pbz` stands for no known algorithm.
  case containerLetter = "container-letter"
  /// The block size is 0 or beyond the ceiling.
  case blockSize = "block-size"
  /// The header of a block is cut by the end of the file.
  case blockHeaderCut = "block-header-cut"
  /// A block of no raw bytes.
  case blockEmpty = "block-empty"
  /// The raw size of a block exceeds the block size.
  case rawSize = "raw-size"
  /// The stored size of a block exceeds the block size.
  case storedSize = "stored-size"
  /// A block before the last has fewer raw bytes than the block size.
  case blockShort = "block-short"
  /// The payload of a block is cut by the end of the file.
  case blockCut = "block-cut"
  /// A block that is not stored, of an algorithm that can't be read here.
  case unsupportedCodec = "unsupported-codec"
  /// A block that is not stored, in a container without compression.
  case packedInNone = "packed-in-none"
  /// More raw bytes, entries or bytes of headers than allowed.
  case limit

  // MARK: The payload of a block

  /// No valid zlib header.
  case zlibHeader = "zlib-header"
  /// Deflate data that can't be inflated.
  case zlibData = "zlib-data"
  /// Deflate data without its end.
  case zlibCut = "zlib-cut"
  /// Fewer bytes than the block's raw size.
  case zlibShort = "zlib-short"
  /// More bytes than the block's raw size.
  case zlibLong = "zlib-long"
  /// Bytes after the zlib stream.
  case zlibTrailing = "zlib-trailing"
  /// A wrong Adler-32.
  case zlibChecksum = "zlib-checksum"
  /// An LZFSE stream that can't be decoded, or not to the block's raw size.
  case lzfse

  // MARK: Headers of entries

  /// The bytes where an entry should begin are no header.
  case entryMagic = "entry-magic"
  /// A header size too small for itself.
  case headerSize = "header-size"
  /// A header is cut by the end of the archive.
  case headerCut = "header-cut"
  /// The contents of an entry are cut by the end of the archive.
  case contentsCut = "contents-cut"
  /// A field is cut by the end of its header.
  case fieldCut = "field-cut"
  /// A field's key is not three printable ASCII characters.
  case fieldKey = "field-key"
  /// A field's subtype is unknown, and with it the field's length.
  case unknownSubtype = "unknown-subtype"
  /// A known field has a subtype of another kind.
  case fieldType = "field-type"
  /// A known field stands twice in one header.
  case duplicateField = "duplicate-field"
  /// A string holds a NUL.
  case stringNUL = "string-nul"
  /// A time has a thousand million nanoseconds or more.
  case nanoseconds
  /// An entry without TYP.
  case missingType = "missing-type"
  /// An unknown value of TYP.
  case entryType = "entry-type"
  /// An entry without PAT.
  case missingPath = "missing-path"
  /// A symbolic link without LNK.
  case missingLink = "missing-link"

  // MARK: Names, which decide where a file would be written

  /// A path of more than 1,023 bytes.
  case pathLength = "path-length"
  /// A path that begins with a slash.
  case pathAbsolute = "path-absolute"
  /// A path with two slashes in a row, or one at its end.
  case pathEmptyPart = "path-empty-part"
  /// A path with a part `.` or `..`.
  case pathDots = "path-dots"
  /// A path that is not UTF-8.
  case pathUTF8 = "path-utf8"
  /// The root is something else than a directory.
  case rootType = "root-type"
  /// Two entries at one path.
  case duplicatePath = "duplicate-path"
  /// Two paths that differ in nothing but case or Unicode normalization.
  case pathClash = "path-clash"
  /// An entry below one that is no directory.
  case belowNonDirectory = "below-non-directory"
  /// A symbolic link that leads out of the pack.
  case linkOutside = "link-outside"
  /// An entry that is neither file, directory nor symbolic link.
  case specialFile = "special-file"

  // MARK: The layout of an asset pack

  /// No entry for the root.
  case noRoot = "no-root"
  /// No directory `Contents`.
  case noContents = "no-contents"
  /// No file `Manifest.json` beside `Contents`.
  case noManifest = "no-manifest"
  /// The embedded manifest is no JSON, or none that can be read.
  case manifestNotJSON = "manifest-not-json"
  /// The embedded manifest breaks a rule of manifests.
  case manifestInvalid = "manifest-invalid"
  /// An entry beside `Contents` that is not the manifest.
  case strayEntry = "stray-entry"
  /// An entry that sorts before the one it follows.
  case order
  /// An entry without one for its directory before it.
  case parentMissing = "parent-missing"
  /// A file without DAT.
  case missingData = "missing-data"
  /// Contents whose digest is not the one that the header states.
  case hashMismatch = "hash-mismatch"

  // MARK: Files

  /// A checksum in a file that is not that of its bytes.
  case fileChecksum = "file-checksum"
  /// A file of a type with checksums, whose structure can't be followed.
  case fileStructure = "file-structure"

  // MARK: What is ignored

  /// Something that extraction ignores: special bits of a mode, attributes, access control lists,
  /// hard links, contents of directories. A warning.
  case notExtracted = "not-extracted"
}
