extension LZFSE {
  /// Where a block and its parts stand in the stream: known to be inside it.
  struct Block {
    enum Kind { case stored, lzvn, fsePlain, fsePacked, end }

    let kind: Kind
    /// The bytes of the whole block.
    let range: Range<Int>
    /// Bytes before the payload.
    let headerSize: Int
    /// Bytes the block says that it makes.
    let rawSize: Int

    var payload: Range<Int> { range.lowerBound + headerSize..<range.upperBound }

    /// The block that begins at `offset`.
    init(_ stream: RawSpan, at offset: Int) throws(Damage) {
      let left = stream.byteCount - offset
      guard left >= 4 else { throw Damage(.missingEnd, at: offset) }
      let fixed: Int
      switch stream.integer(at: offset, as: UInt32.self) {
      case Magic.stored: (kind, fixed) = (.stored, 8)
      case Magic.lzvn: (kind, fixed) = (.lzvn, 12)
      case Magic.fsePlain: (kind, fixed) = (.fsePlain, 772)
      case Magic.fsePacked: (kind, fixed) = (.fsePacked, 32)
      case Magic.end: (kind, fixed) = (.end, 4)
      case let magic: throw Damage(.unknownMagic(magic), at: offset)
      }
      guard left >= fixed else { throw Damage(.truncated, at: offset) }
      func field(_ at: Int) -> Int { Int(stream.integer(at: offset + at, as: UInt32.self)) }
      rawSize = kind == .end ? 0 : field(4)

      // Sums of at most three numbers of 32 bits, in 64.
      let payloadSize: Int
      switch kind {
      case .end: (headerSize, payloadSize) = (fixed, 0)
      case .stored: (headerSize, payloadSize) = (fixed, rawSize)
      case .lzvn: (headerSize, payloadSize) = (fixed, field(8))
      case .fsePlain:
        (headerSize, payloadSize) = (fixed, field(20) + field(24))
        guard field(8) == payloadSize else {
          throw Damage(.payloadSize(UInt32(field(8))), at: offset + 8)
        }
      case .fsePacked:
        headerSize = field(24)
        guard Limit.packedHeader.contains(headerSize) else {
          throw Damage(.headerSize(UInt32(headerSize)), at: offset + 24)
        }
        payloadSize =
          FSEHeader.literalPayload.value(stream, offset)
          + FSEHeader.tripletPayload.value(stream, offset)
      }
      guard headerSize + payloadSize <= left else { throw Damage(.truncated, at: offset) }
      range = offset..<offset + headerSize + payloadSize
      guard rawSize > 0 || kind == .stored || kind == .end else {
        throw Damage(.emptyBlock, at: offset + 4)
      }
    }
  }

  /// The bytes that the blocks of `stream` say they make.
  static func rawSize(of stream: RawSpan, limit: Int) throws(Damage) -> Int {
    var offset = 0
    var size = 0
    while true {
      let block = try Block(stream, at: offset)
      if block.kind == .end { return size }
      guard block.rawSize <= limit - size else { throw Damage(.tooMuchOutput, at: offset + 4) }
      size += block.rawSize
      offset = block.range.upperBound
    }
  }
}
