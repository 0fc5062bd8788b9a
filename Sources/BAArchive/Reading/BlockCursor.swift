package struct BlockPlace: Hashable, Sendable {
  package let number: Int
  package let fileOffset: UInt64
  /// The offset of the uncompressed bytes in the archive stream.
  package let rawOffset: UInt64
  package let rawSize: Int
  package let storedSize: Int
  /// The size of the header in bytes; 0 in a bare stream.
  package let headerSize: Int

  /// Whether the payload is uncompressed. Equal sizes are the only sign of that.
  package var isStored: Bool { rawSize == storedSize }
  package var payloadOffset: UInt64 { fileOffset + UInt64(headerSize) }
  /// The range of the archive stream that it contains.
  package var rawRange: Range<UInt64> { rawOffset..<rawOffset + UInt64(rawSize) }

  /// Damage to this block, found at byte `offset` of its payload.
  func damage(_ reason: DamageReason, _ message: String, at offset: Int = 0) -> ArchiveDamage {
    var place = ArchivePlace(block: number, file: fileOffset)
    if offset > 0 { place.payload = offset }
    return ArchiveDamage(reason, message, at: place)
  }

  /// Damage to a block whose payload ends after `count` bytes in the file.
  func cut(after count: some BinaryInteger) -> ArchiveDamage {
    damage(
      .blockCut,
      "the file ends inside the block's payload, after \(grouped(count)) of "
        + counted(storedSize, "byte"))
  }
}

/// Goes from one block's header to the next. The pieces of a bare stream count as stored blocks.
///
/// No size in a file is trusted: sizes are checked against the block size and, if known, the file
/// size, before anything is read or added up.
package struct BlockCursor {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private let rawLimit: UInt64
  private var number = 0
  /// The offset of the next block in the file.
  private(set) var fileOffset: UInt64
  private var rawOffset: UInt64 = 0
  private var lastRawSize: Int?
  private var lastFileOffset: UInt64 = 0

  /// The blocks of `input`, with at most `rawLimit` uncompressed bytes in total.
  package init(_ input: ArchiveInput, _ kind: ContainerKind, rawLimit: UInt64) {
    self.input = input
    self.kind = kind
    self.rawLimit = rawLimit
    fileOffset = kind == .bare ? 0 : UInt64(ContainerKind.headerSize)
  }

  /// The next block; nil at the regular end of the input. In a pipe, read the payload before the
  /// next call, and use ``piece(of:)`` for a bare stream.
  package mutating func next() throws -> BlockPlace? {
    switch kind {
    case .bare:
      guard let size = input.size, size > fileOffset else { return nil }
      return try piece(of: Int(min(UInt64(kind.pieceSize), size - fileOffset)))
    case .blocks(_, let blockSize):
      let header = try input.read(ContainerFormat.blockHeaderSize, at: fileOffset)
      if header.isEmpty {
        guard let size = input.size, size > fileOffset else { return nil }
        throw ArchiveDamage(
          .blockHeaderCut,
          "the file ends here, but had \(counted(size, "byte")) when it was opened",
          at: ArchivePlace(block: number, file: fileOffset))
      }
      return try block(header, blockSize)
    }
  }

  /// The next `count` bytes of a bare stream.
  package mutating func piece(of count: Int) throws(ArchiveDamage) -> BlockPlace {
    try advance(past: place(rawSize: count, storedSize: count, headerSize: 0))
  }

  private mutating func block(
    _ header: [UInt8], _ blockSize: Int
  ) throws(ArchiveDamage) -> BlockPlace {
    func damage(_ reason: DamageReason, _ message: String) -> ArchiveDamage {
      ArchiveDamage(reason, message, at: ArchivePlace(block: number, file: fileOffset))
    }
    guard header.count == ContainerFormat.blockHeaderSize else {
      throw damage(
        .blockHeaderCut,
        "the file ends inside the block's header, after \(header.count) of \(ContainerFormat.blockHeaderSize) bytes"
      )
    }
    if let lastRawSize, lastRawSize < blockSize {
      throw ArchiveDamage(
        .blockShort,
        "a block of \(counted(lastRawSize, "raw byte")), where each but the last has "
          + grouped(blockSize), at: ArchivePlace(block: number - 1, file: lastFileOffset))
    }
    let rawSize = integer(bigEndian: header[..<8])
    let storedSize = integer(bigEndian: header[8...])
    guard rawSize > 0 else { throw damage(.blockEmpty, "a block of no raw bytes") }
    guard rawSize <= blockSize else {
      throw damage(
        .rawSize,
        "the raw size \(grouped(rawSize)) exceeds the container's block size \(grouped(blockSize))")
    }
    guard storedSize <= blockSize else {
      throw damage(
        .storedSize,
        "the stored size \(grouped(storedSize)) exceeds the container's block size "
          + grouped(blockSize))
    }
    let place = place(
      rawSize: Int(rawSize), storedSize: Int(storedSize),
      headerSize: ContainerFormat.blockHeaderSize)
    if let size = input.size, size - min(size, place.payloadOffset) < storedSize {
      let left = size - min(size, place.payloadOffset)
      throw place.cut(after: left)
    }
    return try advance(past: place)
  }

  private func place(rawSize: Int, storedSize: Int, headerSize: Int) -> BlockPlace {
    BlockPlace(
      number: number, fileOffset: fileOffset, rawOffset: rawOffset, rawSize: rawSize,
      storedSize: storedSize, headerSize: headerSize)
  }

  /// Sizes are at most 64 MiB each, and ends are checked against the limit: no sum overflows.
  private mutating func advance(past place: BlockPlace) throws(ArchiveDamage) -> BlockPlace {
    guard place.rawRange.upperBound <= rawLimit else {
      throw place.damage(
        .limit, "the archive has more than the \(grouped(rawLimit)) uncompressed bytes allowed"
      ).exceeding(.rawSize)
    }
    lastRawSize = place.rawSize
    lastFileOffset = place.fileOffset
    number += 1
    rawOffset = place.rawRange.upperBound
    fileOffset = place.payloadOffset + UInt64(place.storedSize)
    return place
  }
}
