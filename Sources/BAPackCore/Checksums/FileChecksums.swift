/// Checks the checksums inside files of some types while their bytes are read. The type is detected
/// from the first bytes.
package struct FileChecksums: Sendable {
  /// A type of file with checksums.
  package enum Kind: String, CaseIterable, Sendable {
    /// A CRC-32 for each chunk.
    case png
    /// A CRC-32 for each member, twice.
    case zip
    /// A CRC-32 for each page.
    case ogg
    /// A CRC-16 for each frame, and a CRC-8 for its header. Checking the MD5 of the samples would
    /// require a decoder.
    case flac

    /// The name in messages.
    package var name: String {
      switch self {
      case .png: "PNG"
      case .zip: "zip"
      case .ogg: "Ogg"
      case .flac: "FLAC"
      }
    }

    /// The type of a file that begins with `start`. PNG's signature begins with these four bytes;
    /// if a transfer in text mode changed the next four, that is damage.
    fileprivate init?(_ start: [UInt8]) {
      switch start {
      case [0x89] + "PNG".utf8: self = .png
      case Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8): self = .zip
      case Array("OggS".utf8): self = .ogg
      case Array("fLaC".utf8): self = .flac
      default: return nil
      }
    }
  }

  /// The type; nil if it has no checksums, or is still unknown.
  package private(set) var kind: Kind?
  /// The result so far.
  package private(set) var log = ChecksumLog()
  private let size: UInt64
  private let inflater: DeflateChecker
  private var position: UInt64 = 0
  /// The first bytes.
  private var start: [UInt8] = []
  private var reader: (any ChecksumReader)?

  /// A checker for a file of `size` bytes; `inflater` is used for one file at a time.
  package init(size: UInt64, inflater: DeflateChecker) {
    self.size = size
    self.inflater = inflater
  }

  /// Adds the next bytes of the file.
  package mutating func update(_ bytes: RawSpan) {
    var done = 0
    while done < bytes.byteCount, start.count < startSize || reader != nil {
      let count = min(pieceSize, bytes.byteCount - done)
      // SAFETY: the pointer is used within the closure, and only to copy from it.
      let piece = unsafe bytes.extracting(done..<done + count).withUnsafeBytes { unsafe Array($0) }
      done += count
      update(piece[...])
    }
  }

  private mutating func update(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    if start.count < startSize {
      let rest = bytes.prefix(startSize - start.count)
      start += rest
      bytes = bytes[rest.endIndex...]
      guard start.count == startSize else { return }
      kind = Kind(start)
      reader = kind.map(makeReader)
      read(start[...])
    }
    if !bytes.isEmpty { read(bytes) }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) {
    var piece = ContentsPiece(bytes, at: position)
    reader?.read(&piece, &log)
    position += UInt64(bytes.count)
  }

  /// Ends the file.
  package mutating func finish() { reader?.finish(at: position, &log) }

  private func makeReader(_ kind: Kind) -> any ChecksumReader {
    switch kind {
    case .png: PNGChecksums()
    case .zip: ZIPChecksums(inflater)
    case .ogg: OggChecksums()
    case .flac: FLACChecksums(fileSize: size)
    }
  }
}

/// The number of bytes needed to detect the type of a file.
private let startSize = 4
/// The number of bytes that are copied and read at once.
private let pieceSize = 1 << 16
