/// Checks the CRC-32 of each chunk of a PNG image. Data after its end is ignored, as readers do.
struct PNGChecksums: ChecksumReader {
  private enum State {
    case signature
    case header
    case data(left: UInt64)
    case checksum
    case end
  }

  private var state = State.signature
  private var part = FilePart()
  private var crc = CRC32()
  private var chunk = (start: UInt64(0), name: "")

  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog) {
    while !piece.bytes.isEmpty {
      switch state {
      case .signature:
        guard part.fill(signature.count, from: &piece) else { return }
        readSignature(&log)
        part.clear()
      case .header:
        guard part.fill(8, from: &piece) else { return }
        readHeader(&log)
        part.clear()
      case .data(let left):
        let bytes = piece.take(left)
        crc.update(bytes)
        log.covered += UInt64(bytes.count)
        let rest = left - UInt64(bytes.count)
        state = rest > 0 ? .data(left: rest) : .checksum
      case .checksum:
        guard part.fill(4, from: &piece) else { return }
        readChecksum(&log)
        part.clear()
      case .end: _ = piece.takeAll()
      }
    }
  }

  private mutating func readSignature(_ log: inout ChecksumLog) {
    state = .header
    if part.bytes == signature { return }
    let isText = !part.bytes.starts(with: signature.prefix(6))
    log.broken(
      at: 4,
      "the signature of a PNG image is damaged"
        + (isText ? "; were its line breaks converted as if it were a text?" : ""))
    state = .end
  }

  private mutating func readHeader(_ log: inout ChecksumLog) {
    let length = integer(bigEndian: part.bytes[..<4])
    let name = part.bytes[4...]
    guard length < 1 << 31, name.allSatisfy(ASCII.isLetter) else {
      log.broken(at: part.start, "the header of a PNG chunk is damaged")
      state = .end
      return
    }
    chunk = (part.start, printable(name))
    crc = CRC32()
    crc.update(name)
    log.covered += 8
    state = length > 0 ? .data(left: length) : .checksum
  }

  private mutating func readChecksum(_ log: inout ChecksumLog) {
    let stated = UInt32(integer(bigEndian: part.bytes))
    log.covered += 4
    if crc.value != stated {
      log.mismatch(
        at: chunk.start,
        "the CRC-32 of the PNG chunk '\(chunk.name)' is \(hexadecimal(crc.value)), but the file says "
          + hexadecimal(stated))
    }
    state = chunk.name == "IEND" ? .end : .header
  }

  func finish(at position: UInt64, _ log: inout ChecksumLog) {
    switch state {
    case .end: break
    case .signature, .header: log.broken(at: position, "the PNG image ends before a chunk 'IEND'")
    case .data, .checksum:
      log.broken(at: position, "the PNG image ends in the chunk '\(chunk.name)'")
    }
  }
}

private let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
