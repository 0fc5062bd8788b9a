/// Checks the CRC-16 of each frame of a FLAC file, and the CRC-8 of its header.
///
/// Only a decoder can determine the size of a frame, so this searches for headers: one with the
/// next frame number, or one where the previous frame is complete, that is, where the CRC-16
/// including its own is 0. The file's headers before the frames have no checksums.
struct FLACChecksums: ChecksumReader {
  private enum State {
    case signature
    case metadata
    case passing(left: UInt64, isLast: Bool)
    case frames
    /// In the tags at the end.
    case end
  }

  private let fileSize: UInt64
  private var state = State.signature
  private var part = FilePart()
  /// The maximum size of a sample of all channels.
  private var sampleSize: UInt64 = 32 * 8
  /// Bytes kept because they may contain an incomplete header.
  private var pending: [UInt8] = []
  /// The current frame, its offset, and the CRC-16 of its bytes so far.
  private var frame: FLACFrame?
  private var frameStart: UInt64 = 0
  private var crc: UInt32 = 0

  init(fileSize: UInt64) { self.fileSize = fileSize }

  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog) {
    while !piece.bytes.isEmpty {
      switch state {
      case .signature:
        guard part.fill(4, from: &piece) else { return }
        part.clear()
        state = .metadata
      case .metadata:
        guard readMetadata(&piece) else { return }
        part.clear()
      case .passing(let left, let isLast):
        let rest = left - UInt64(piece.take(left).count)
        state = rest > 0 ? .passing(left: rest, isLast: isLast) : isLast ? .frames : .metadata
        frameStart = piece.position
      case .frames:
        let start = piece.position - UInt64(pending.count)
        let bytes = pending + piece.takeAll()
        pending = Array(readFrames(bytes[...], at: start, isEnd: false, &log))
      case .end: _ = piece.takeAll()
      }
    }
  }

  /// Reads the header of the next metadata block; false if it continues in the next piece.
  private mutating func readMetadata(_ piece: inout ContentsPiece) -> Bool {
    guard part.fill(4, from: &piece) else { return false }
    let isLast = part.bytes[0] & 0x80 != 0
    let size = Int(integer(bigEndian: part.bytes[1..<4]))
    var left = size
    // STREAMINFO has the number of channels and the sample size.
    if part.bytes[0] & 0x7F == 0, size >= 18 {
      guard part.fill(4 + 18, from: &piece) else { return false }
      left -= 18
      let channels = part.bytes[16] >> 1 & 7
      let bits = (part.bytes[16] & 1) << 4 | part.bytes[17] >> 4
      sampleSize = (UInt64(channels) + 1) * (UInt64(bits) / 8 + 2)
    }
    frameStart = piece.position
    state = left > 0 ? .passing(left: UInt64(left), isLast: isLast) : isLast ? .frames : .metadata
    return true
  }

  /// Reads frames; returns the bytes at the end that may be part of a header, or none at the end of
  /// the file.
  private mutating func readFrames(
    _ bytes: ArraySlice<UInt8>, at start: UInt64, isEnd: Bool, _ log: inout ChecksumLog
  ) -> ArraySlice<UInt8> {
    var done = bytes.startIndex
    let end = isEnd ? bytes.endIndex : max(done, bytes.endIndex - FLACFrame.maximumSize)
    for index in done..<end {
      let position = start + UInt64(index - bytes.startIndex)
      let isHeader =
        bytes[index] == 0xFF && bytes.endIndex - index > 1 && bytes[index + 1] & 0xFE == 0xF8
      guard isHeader || isTag(bytes[index...], position) else { continue }
      advance(bytes[done..<index], &log)
      done = index
      if isHeader {
        if let next = FLACFrame(bytes[index...]), begins(next, at: position, &log) {
          frame = next
          frameStart = position
          crc = 0
        }
      } else if frame != nil, crc == 0 {
        state = .end
        return []
      }
    }
    advance(bytes[done..<end], &log)
    return bytes[end...]
  }

  private mutating func advance(_ bytes: ArraySlice<UInt8>, _ log: inout ChecksumLog) {
    crc = ForwardCRC.flacFrame.updated(crc, bytes)
    if frame != nil { log.covered += UInt64(bytes.count) }
  }

  /// Whether `bytes` begin tags, which some programs append to any file.
  private func isTag(_ bytes: ArraySlice<UInt8>, _ position: UInt64) -> Bool {
    switch bytes.first {
    case UInt8(ascii: "T"): position + 128 == fileSize && bytes.starts(with: "TAG".utf8)
    case UInt8(ascii: "A"): bytes.starts(with: "APETAGEX".utf8)
    default: false
    }
  }

  /// Whether the frame `next` begins at `position`; reports problems in the previous one.
  private func begins(_ next: FLACFrame, at position: UInt64, _ log: inout ChecksumLog) -> Bool {
    guard let frame else {
      guard next.isWhole else { return false }
      if position > frameStart { log.broken(at: frameStart, "no FLAC frame begins here") }
      return true
    }
    let isComplete = crc == 0 && position > frameStart
    let isNext = next.follows(frame)
    if isComplete, next.isWhole, next.resembles(frame) { return true }
    if isComplete, isNext {
      log.mismatch(at: position, "the CRC-8 of the header of \(next.shown) is wrong")
      return true
    }
    // Anything else that looks like a header may be data.
    guard next.isWhole, next.resembles(frame) else { return false }
    let isSoon =
      next.hasFixedSize && next.codes.size == frame.codes.size && next.number > frame.number
      && next.number - frame.number < 5
    // No frame is larger than its uncompressed samples.
    let isLate = position - frameStart > 64 + sampleSize * frame.samples
    guard isNext || isSoon || isLate else { return false }
    reportFrame(&log)
    return true
  }

  private func reportFrame(_ log: inout ChecksumLog) {
    // A damaged header was reported already.
    guard let frame, frame.isWhole else { return }
    log.mismatch(at: frameStart, "the CRC-16 of \(frame.shown) is wrong")
  }

  mutating func finish(at position: UInt64, _ log: inout ChecksumLog) {
    switch state {
    case .end: break
    case .signature, .metadata, .passing:
      log.broken(at: position, "the FLAC file ends before its first frame")
    case .frames:
      _ = readFrames(pending[...], at: position - UInt64(pending.count), isEnd: true, &log)
      if case .end = state { return }
      if frame == nil, position > frameStart {
        log.broken(at: frameStart, "no FLAC frame begins here")
      } else if crc != 0 {
        reportFrame(&log)
      }
    }
  }
}
