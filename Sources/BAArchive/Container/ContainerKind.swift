/// How a file contains the archive stream, according to its first bytes.
package enum ContainerKind: Hashable, Sendable {
  /// In blocks of `blockSize` uncompressed bytes, compressed separately.
  case blocks(Algorithm, blockSize: Int)
  case bare

  /// The largest block size that is supported: 64 MiB, sixteen times that of Apple's `aa`. Two
  /// blocks of this size fit in memory on any machine used to make packs.
  package static let largestBlockSize = 64 << 20

  /// The size of a container's header: magic number, algorithm, block size.
  package static let headerSize = 12
  /// The number of bytes needed to identify a file that isn't a pack.
  static let startSize = 265

  /// The number of uncompressed bytes to process at once.
  package var pieceSize: Int {
    switch self {
    case .blocks(_, let blockSize): blockSize
    case .bare: 1 << 20
    }
  }

  /// Whether a file that starts with `bytes` begins like a pack.
  package static func begins(_ bytes: [UInt8]) -> Bool { (try? ContainerKind(bytes)) != nil }

  /// The kind of a file with the first ``startSize`` bytes `start`, or fewer if it is shorter.
  package init(_ start: [UInt8]) throws(ArchiveDamage) {
    let magic = Array(start.prefix(4))
    if magic.elementsEqual("AA01".utf8) || magic.elementsEqual("YAA1".utf8) {
      self = .bare
      return
    }
    guard magic.count == 4, magic.starts(with: "pbz".utf8) else {
      let (reason, message) = Self.foreign(start, magic)
      throw ArchiveDamage(reason, message, at: ArchivePlace(file: 0))
    }
    guard let algorithm = Algorithm(rawValue: magic[3]) else {
      let place = ArchivePlace(file: 3)
      if let name = Algorithm.unreadable[magic[3]] {
        throw ArchiveDamage(
          .unsupportedCodec, "the container is compressed with \(name), which is not supported",
          at: place)
      }
      throw ArchiveDamage(
        .containerLetter,
        "the container's letter '\(printable(magic[3...]))' is not a known algorithm", at: place)
    }
    let place = ArchivePlace(file: 4)
    guard start.count >= Self.headerSize else {
      throw ArchiveDamage(
        .containerCut,
        "the file ends inside the container's header, after \(counted(start.count, "byte"))",
        at: place)
    }
    let blockSize = integer(bigEndian: start[4..<Self.headerSize])
    guard blockSize > 0, blockSize <= Self.largestBlockSize else {
      throw ArchiveDamage(
        .blockSize,
        "the block size is \(grouped(blockSize)); only 1 to \(grouped(Self.largestBlockSize)) bytes "
          + "are supported", at: place)
    }
    self = .blocks(algorithm, blockSize: Int(blockSize))
  }

  /// Names the actual type of the file, if it is known.
  private static func foreign(
    _ bytes: [UInt8], _ magic: [UInt8]
  ) -> (reason: DamageReason, message: String) {
    if magic.elementsEqual("AEA1".utf8) {
      // Of the profiles, only 0 signs without encrypting.
      let isSigned = bytes.count >= 7 && bytes[4..<7].allSatisfy { $0 == 0 }
      let (kind, remedy) = isSigned ? ("a signed", "unwrap") : ("an encrypted", "decrypt")
      return (
        .encrypted,
        "this is \(kind) Apple Archive (AEA1); \(remedy) it first, on a Mac: 'aea decrypt'"
      )
    }
    if magic.elementsEqual([0x50, 0x4B, 3, 4]) {
      return (
        .zip,
        "this is a zip file, as Android libraries (.aar) are, not an Apple Archive; try 'unzip'"
      )
    }
    if magic.starts(with: "pbz".utf8) {
      return (.containerCut, "the file ends inside the container's header")
    }
    if magic.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
      return (
        .notAnArchive,
        "this is not an asset pack but JSON, as manifests and reports are"
      )
    }
    if let kind = fileKind(beginning: bytes) {
      return (.notAnArchive, "this is \(kind), not an Apple Archive")
    }
    if magic.isEmpty { return (.notAnArchive, "the file is empty") }
    let isText = magic.allSatisfy { (0x20...0x7E).contains($0) }
    let shown =
      isText ? "'\(printable(magic))'" : "the bytes \(hexadecimal(magic, uppercase: true))"
    return (.notAnArchive, "this is not an Apple Archive: it begins with " + shown)
  }
}

/// The number encoded in at most eight big-endian `bytes`.
package func integer(bigEndian bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0) { $0 << 8 | UInt64($1) }
}

/// How the blocks of a container are compressed: the letter after `pbz`.
package enum Algorithm: UInt8, Sendable, CaseIterable {
  /// zlib streams (RFC 1950).
  case zlib = 0x7A
  /// Apple's LZFSE, which Apple's ba-package uses.
  case lzfse = 0x65
  /// LZ4 frames.
  case lz4 = 0x34
  /// Whole `.xz` files.
  case lzma = 0x78
  /// Apple's LZBITMAP.
  case lzbitmap = 0x62
  /// No compression: every block is stored.
  case none = 0x2D

  package var name: String {
    switch self {
    case .zlib: "zlib"
    case .lzfse: "LZFSE"
    case .lz4: "LZ4"
    case .lzma: "LZMA"
    case .lzbitmap: "LZBITMAP"
    case .none: "none"
    }
  }
}

extension Algorithm {
  /// The algorithms in Apple's manual pages that can't be read here, by letter.
  static let unreadable: [UInt8: String] = [
    UInt8(ascii: "f"): "LZVN", UInt8(ascii: "m"): "lzraven",
  ]
}
