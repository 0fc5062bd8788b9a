/// Kinds of damage to an archive. The raw value is a stable id.
package enum DamageReason: String, Sendable, CaseIterable {
  // MARK: The file

  /// The file isn't an Apple Archive.
  case notAnArchive = "not-an-archive"
  /// An encrypted Apple archive (`AEA1`).
  case encrypted
  /// A zip file: Android libraries have the extension `.aar` too.
  case zip

  // MARK: The container

  /// The file ends inside the container's header.
  case containerCut = "container-cut"
  /// The letter after `pbz` is not a known algorithm.
  case containerLetter = "container-letter"
  /// The block size is 0 or above the maximum.
  case blockSize = "block-size"
  /// The file ends inside a block's header.
  case blockHeaderCut = "block-header-cut"
  /// A block with an uncompressed size of 0.
  case blockEmpty = "block-empty"
  /// The uncompressed size of a block exceeds the block size.
  case rawSize = "raw-size"
  /// The stored size of a block exceeds the block size.
  case storedSize = "stored-size"
  /// A block before the last is smaller than the block size.
  case blockShort = "block-short"
  /// The file ends inside a block's payload.
  case blockCut = "block-cut"
  /// A compressed block of an unsupported algorithm.
  case unsupportedCodec = "unsupported-codec"
  /// A compressed block in a container without compression.
  case packedInNone = "packed-in-none"
  /// More uncompressed bytes, entries or header bytes than allowed.
  case limit

  // MARK: The payload of a block

  /// No valid zlib header.
  case zlibHeader = "zlib-header"
  /// Deflate data that can't be inflated.
  case zlibData = "zlib-data"
  /// Deflate data that is truncated.
  case zlibCut = "zlib-cut"
  /// Fewer bytes than the block's uncompressed size.
  case zlibShort = "zlib-short"
  /// More bytes than the block's uncompressed size.
  case zlibLong = "zlib-long"
  /// Bytes after the zlib stream.
  case zlibTrailing = "zlib-trailing"
  /// A wrong Adler-32.
  case zlibChecksum = "zlib-checksum"
  /// An LZFSE stream that can't be decoded, or has another size than the block.
  case lzfse

  // MARK: Headers of entries

  /// An entry doesn't begin with a header's magic number.
  case entryMagic = "entry-magic"
  /// A header size that is too small.
  case headerSize = "header-size"
  /// The archive ends inside a header.
  case headerCut = "header-cut"
  /// The archive ends inside an entry's contents.
  case contentsCut = "contents-cut"
  /// A field extends beyond its header.
  case fieldCut = "field-cut"
  /// A field's key isn't three printable ASCII characters.
  case fieldKey = "field-key"
  /// A field's subtype is unknown, and so is its length.
  case unknownSubtype = "unknown-subtype"
  /// A known field has a value of the wrong type.
  case fieldType = "field-type"
  /// A known field occurs twice in one header.
  case duplicateField = "duplicate-field"
  /// A string contains a NUL.
  case stringNUL = "string-nul"
  /// A time with 1,000,000,000 nanoseconds or more.
  case nanoseconds
  /// An entry without TYP.
  case missingType = "missing-type"
  /// An unknown value of TYP.
  case entryType = "entry-type"
  /// An entry without PAT.
  case missingPath = "missing-path"
  /// A symbolic link without LNK.
  case missingLink = "missing-link"

  // MARK: Names, which determine where files are written

  /// A path of more than 1,023 bytes.
  case pathLength = "path-length"
  /// A path that begins with a slash.
  case pathAbsolute = "path-absolute"
  /// A path with two consecutive slashes, or one at its end.
  case pathEmptyPart = "path-empty-part"
  /// A path with a part `.` or `..`.
  case pathDots = "path-dots"
  /// A path that isn't UTF-8.
  case pathUTF8 = "path-utf8"
  /// The root isn't a directory.
  case rootType = "root-type"
  /// Two entries with the same path.
  case duplicatePath = "duplicate-path"
  /// Two paths that differ only in case or Unicode normalization.
  case pathClash = "path-clash"
  /// An entry inside one that isn't a directory.
  case belowNonDirectory = "below-non-directory"
  /// A symbolic link that leads out of the pack.
  case linkOutside = "link-outside"
  /// An entry that isn't a file, a directory or a symbolic link.
  case specialFile = "special-file"

  // MARK: The layout of an asset pack

  /// No entry for the root.
  case noRoot = "no-root"
  /// No directory `Contents`.
  case noContents = "no-contents"
  /// No file `Manifest.json` next to `Contents`.
  case noManifest = "no-manifest"
  /// The embedded manifest isn't JSON, or can't be read.
  case manifestNotJSON = "manifest-not-json"
  /// The embedded manifest is invalid.
  case manifestInvalid = "manifest-invalid"
  /// An entry outside `Contents` that isn't the manifest.
  case strayEntry = "stray-entry"
  /// An entry that sorts before its predecessor.
  case order
  /// An entry without a preceding entry for its parent directory.
  case parentMissing = "parent-missing"
  /// A file without DAT.
  case missingData = "missing-data"
  /// Contents that don't match the digest in the header.
  case hashMismatch = "hash-mismatch"

  // MARK: What is ignored

  /// Something that extraction ignores: special mode bits, attributes, access control lists, hard
  /// links, contents of directories. A warning.
  case notExtracted = "not-extracted"
}
