/// Checks the CRC-32 of each page of an Ogg file: Vorbis, Opus, FLAC or Theora.
struct OggChecksums: ChecksumReader {
  private enum State {
    case header
    case body(left: UInt64)
    /// Searching for the next page.
    case lost(from: UInt64)
    /// After the last page of all streams.
    case end
  }

  private var state = State.header
  private var part = FilePart()
  private var page = (start: UInt64(0), stated: UInt32(0), crc: UInt32(0))
  private var search = SignatureSearch()
  /// The number of pages that begin a stream minus the number that end one.
  private var openStreams = 0

  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog) {
    while !piece.bytes.isEmpty {
      switch state {
      case .header:
        guard readHeader(&piece, &log) else { return }
      case .body(let left):
        let bytes = piece.take(left)
        page.crc = ForwardCRC.oggPage.updated(page.crc, bytes)
        log.covered += UInt64(bytes.count)
        proceed(left - UInt64(bytes.count), &log)
      case .lost(let start):
        guard search.find(in: &piece, where: { $0 == capture }) else { return }
        let found = piece.position - UInt64(captureSize)
        log.broken(
          at: start, "there is no Ogg page here; the next one is at byte \(grouped(found))")
        part.begin(with: Array("OggS".utf8), at: found)
        state = .header
      case .end: _ = piece.takeAll()
      }
    }
  }

  /// Reads the header of the next page; false if it continues in the next piece.
  private mutating func readHeader(_ piece: inout ContentsPiece, _ log: inout ChecksumLog) -> Bool {
    guard part.fill(captureSize, from: &piece) else { return false }
    guard part.number(captureSize, at: 0) == capture else {
      // Anything may follow the last page.
      state = openStreams <= 0 && part.start > 0 ? .end : .lost(from: part.start)
      search = SignatureSearch(after: part.bytes)
      part.clear()
      return true
    }
    guard part.fill(headerSize, from: &piece) else { return false }
    // The last byte of the header is the number of bytes in the table after it.
    guard part.fill(headerSize + Int(part.bytes[headerSize - 1]), from: &piece) else {
      return false
    }
    begin(&log)
    part.clear()
    return true
  }

  private mutating func begin(_ log: inout ChecksumLog) {
    var header = part.bytes
    page.start = part.start
    page.stated = UInt32(header[22..<26].littleEndian)
    // The CRC is computed with its own field set to 0.
    header.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    page.crc = ForwardCRC.oggPage.updated(0, header[...])
    if header[5] & 2 != 0 { openStreams += 1 }
    if header[5] & 4 != 0 { openStreams -= 1 }
    log.covered += UInt64(header.count)
    proceed(header[headerSize...].reduce(0) { $0 + UInt64($1) }, &log)
  }

  /// Reads the `left` remaining bytes of the page's body.
  private mutating func proceed(_ left: UInt64, _ log: inout ChecksumLog) {
    guard left == 0 else {
      state = .body(left: left)
      return
    }
    if page.crc != page.stated {
      log.mismatch(
        at: page.start,
        "the CRC-32 of the Ogg page is \(hexadecimal(page.crc)), but the file says "
          + hexadecimal(page.stated))
    }
    state = .header
  }

  func finish(at position: UInt64, _ log: inout ChecksumLog) {
    switch state {
    case .header where part.bytes.isEmpty, .end: break
    case .header where part.bytes.count < captureSize && openStreams <= 0: break
    case .header, .body: log.broken(at: position, "the Ogg file ends within a page")
    case .lost(let start): log.broken(at: start, "there is no Ogg page from here to the end")
    }
  }
}

/// `OggS`, little-endian.
private let capture: UInt64 = 0x5367_674F
private let captureSize = 4
private let headerSize = 27
