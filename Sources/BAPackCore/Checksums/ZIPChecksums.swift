/// Checks the CRC-32 of each member of a zip file, stored or deflated, and compares the headers
/// with the central directory. Encrypted members and other compression methods are skipped.
struct ZIPChecksums: ChecksumReader {
  private enum State {
    case record
    case stored(left: UInt64)
    case storedUpToDescriptor
    /// `left` is nil if the size follows the data.
    case deflated(left: UInt64?)
    /// The data descriptor of the member.
    case descriptor
    case passing(left: UInt64)
    /// Bytes outside any record, such as Android's signing block between members and directory.
    case gap
    case end
  }

  private var state = State.record
  private var part = FilePart()
  private var search = SignatureSearch()
  private var storedMember = StoredMember(isZIP64: false)
  /// The local header of the current member, and its offset.
  private var member: (header: ZIPMember, start: UInt64)?
  /// The CRC-32 and sizes of its data so far.
  private var data = (crc: CRC32(), packedSize: UInt64(0), size: UInt64(0))
  private var directory = ZIPDirectory()
  private var centralCount: UInt64 = 0
  /// Whether all members so far were parsed without a gap.
  private var isFollowed = true
  private let inflater: DeflateChecker

  init(_ inflater: DeflateChecker) { self.inflater = inflater }

  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog) {
    while !piece.bytes.isEmpty {
      switch state {
      case .record:
        guard let size = ZIPRecord.size(part) else {
          search = SignatureSearch(after: part.bytes)
          part.clear()
          state = .gap
          continue
        }
        guard part.fill(size, from: &piece) else { return }
        if ZIPRecord.size(part) != size { continue }
        readRecord(&log)
        part.clear()
      case .stored(let left):
        let bytes = piece.take(left)
        data.crc.update(bytes)
        log.covered += UInt64(bytes.count)
        readStored(left - UInt64(bytes.count), &log)
      case .storedUpToDescriptor:
        guard let stated = storedMember.read(&piece) else { return }
        let size = storedMember.size
        data = (storedMember.crc, size, size)
        log.covered += size
        end(stated: stated, packedSize: size, size: size, &log)
      case .deflated(let left): inflate(&piece, left, &log)
      case .descriptor:
        guard readDescriptor(&piece, &log) else { return }
      case .passing(let left):
        let rest = left - UInt64(piece.take(left).count)
        state = rest > 0 ? .passing(left: rest) : .record
      case .gap:
        guard search.find(in: &piece, where: ZIPRecord.begins) else { return }
        part.begin(
          with: (0..<4).map { UInt8(truncatingIfNeeded: search.last >> (8 * $0)) },
          at: piece.position - 4)
        state = .record
      case .end: _ = piece.takeAll()
      }
    }
  }

  // MARK: Records

  private mutating func readRecord(_ log: inout ChecksumLog) {
    switch part.number(4, at: 0) {
    case ZIPRecord.local: begin(ZIPMember(part, isCentral: false), &log)
    case ZIPRecord.central:
      centralCount += 1
      compare(ZIPMember(part, isCentral: true), &log)
      pass(part.number(2, at: 32))
    case ZIPRecord.end64:
      checkCount(part.number(8, at: 32), &log)
      // The size doesn't include the first twelve bytes.
      let size = part.number(8, at: 4)
      pass(size > 44 ? size - 44 : 0)
    case ZIPRecord.end:
      let count = part.number(2, at: 10)
      if count != 0xFFFF { checkCount(count, &log) }
      state = .end
    default: state = .record
    }
  }

  /// Skips `count` bytes before the next record.
  private mutating func pass(_ count: UInt64) {
    state = count > 0 ? .passing(left: count) : .record
  }

  private mutating func begin(_ header: ZIPMember, _ log: inout ChecksumLog) {
    member = (header, part.start)
    data = (CRC32(), 0, 0)
    let isSizeKnown = !header.hasDescriptor || header.packedSize > 0
    switch header.method {
    case _ where header.isEncrypted && isSizeKnown, .other where isSizeKnown:
      // Its descriptor, if any, is treated as a gap.
      record(isComparable: false)
      pass(header.packedSize)
    case _ where header.isEncrypted, .other:
      lose()
    case .stored where isSizeKnown: readStored(header.packedSize, &log)
    case .stored:
      storedMember = StoredMember(isZIP64: header.isZIP64)
      state = .storedUpToDescriptor
    case .deflated where isSizeKnown && header.packedSize == 0: endData(&log)
    case .deflated:
      inflater.restart()
      state = .deflated(left: isSizeKnown ? header.packedSize : nil)
    }
  }

  /// Continues after a member whose end is unknown.
  private mutating func lose() {
    isFollowed = false
    search = SignatureSearch()
    state = .gap
  }

  /// Compares an entry of the central directory with the member.
  private func compare(_ central: ZIPMember, _ log: inout ChecksumLog) {
    guard isFollowed else { return }
    guard let entry = directory.entry(at: central.headerOffset) else {
      if directory.isComplete {
        log.broken(
          at: part.start,
          "the zip directory has the member '\(central.shownName)' at byte "
            + "\(grouped(central.headerOffset)), where none begins")
      }
      return
    }
    guard entry.isComparable else { return }
    var name = CRC32()
    name.update(central.name)
    if central.crc != entry.crc {
      log.mismatch(
        at: part.start,
        "the CRC-32 of the zip member '\(central.shownName)' is \(hexadecimal(entry.crc)), but the "
          + "zip directory says \(hexadecimal(central.crc))")
    } else if central.packedSize != entry.packedSize || central.size != entry.size {
      log.broken(
        at: part.start,
        "the zip directory has other sizes of the member '\(central.shownName)' than its header")
    } else if name.value != entry.name {
      log.broken(
        at: part.start,
        "the zip directory has another name for the member '\(central.shownName)' than its header")
    }
  }

  private func checkCount(_ count: UInt64, _ log: inout ChecksumLog) {
    guard isFollowed, count != centralCount else { return }
    log.broken(
      at: part.start,
      "the zip directory has \(counted(centralCount, "member")), but its end says \(grouped(count))"
    )
  }

  // MARK: Data

  private mutating func readStored(_ left: UInt64, _ log: inout ChecksumLog) {
    state = .stored(left: left)
    guard left == 0, let header = member?.header else { return }
    data.packedSize = header.packedSize
    data.size = header.packedSize
    endData(&log)
  }

  private mutating func inflate(
    _ piece: inout ContentsPiece, _ left: UInt64?, _ log: inout ChecksumLog
  ) {
    let start = piece.position
    let outcome = inflater.inflate(&piece, atMost: left ?? .max)
    let taken = piece.position - start
    log.covered += taken
    data = (inflater.crc, data.packedSize + taken, inflater.size)
    let rest = left.map { $0 - taken }
    switch outcome {
    case .unfinished where rest != 0 && taken > 0: state = .deflated(left: rest)
    case .finished where rest ?? 0 == 0: endData(&log)
    case .unfinished: giveUp(rest, .fileStructure, "the data of the zip member are cut", &log)
    case .finished:
      giveUp(rest, .fileStructure, "the data of the zip member end before their size", &log)
    case .damaged(let reason):
      giveUp(rest, .fileStructure, "the data of the zip member can't be inflated (\(reason))", &log)
    case .limited:
      giveUp(rest, .limit, "zip members inflate to more bytes than a pack may have", &log)
    }
  }

  /// Skips data of the member, which can't be checked completely.
  private mutating func giveUp(
    _ rest: UInt64?, _ reason: DamageReason, _ problem: String, _ log: inout ChecksumLog
  ) {
    guard let member else { return }
    log.add(
      ChecksumLog.Problem(
        reason: reason, offset: member.start, message: "\(problem): '\(member.header.shownName)'"))
    record(isComparable: false)
    if let rest { pass(rest) } else { lose() }
  }

  /// Handles the end of the member's data.
  private mutating func endData(_ log: inout ChecksumLog) {
    guard let header = member?.header else { return }
    if header.hasDescriptor {
      state = .descriptor
    } else {
      end(stated: header.crc, packedSize: header.packedSize, size: header.size, &log)
    }
  }

  /// Reads the data descriptor; false if it continues in the next piece.
  private mutating func readDescriptor(
    _ piece: inout ContentsPiece, _ log: inout ChecksumLog
  ) -> Bool {
    guard part.fill(4, from: &piece) else { return false }
    // The signature may be missing.
    let start = part.number(4, at: 0) == ZIPRecord.descriptor ? 4 : 0
    let isLarge = member?.header.isZIP64 ?? false || max(data.packedSize, data.size) > UInt32.max
    let width = isLarge ? 8 : 4
    guard part.fill(start + 4 + 2 * width, from: &piece) else { return false }
    end(
      stated: UInt32(part.number(4, at: start)), packedSize: part.number(width, at: start + 4),
      size: part.number(width, at: start + 4 + width), &log)
    part.clear()
    return true
  }

  /// Compares the member's data with the stated sizes and CRC-32.
  private mutating func end(
    stated crc: UInt32, packedSize: UInt64, size: UInt64, _ log: inout ChecksumLog
  ) {
    state = .record
    guard let member else { return }
    let name = member.header.shownName
    let isRight = (data.crc.value, data.packedSize, data.size) == (crc, packedSize, size)
    if data.crc.value != crc {
      log.mismatch(
        at: member.start,
        "the CRC-32 of the zip member '\(name)' is \(hexadecimal(data.crc.value)), but the file says "
          + hexadecimal(crc))
    } else if !isRight {
      log.broken(
        at: member.start,
        "the zip member '\(name)' has \(counted(data.size, "byte")), but the file says \(grouped(size))"
      )
    }
    record(isComparable: isRight)
  }

  /// Records the member's CRC-32 and sizes.
  private mutating func record(isComparable: Bool) {
    guard let member else { return }
    var name = CRC32()
    name.update(member.header.name)
    directory.append(
      ZIPDirectory.Entry(
        crc: data.crc.value, packedSize: data.packedSize, size: data.size, name: name.value,
        isComparable: isComparable),
      at: member.start)
  }

  func finish(at position: UInt64, _ log: inout ChecksumLog) {
    switch state {
    case .end: break
    case _ where !isFollowed: break
    case .stored, .deflated, .storedUpToDescriptor, .descriptor:
      log.broken(
        at: position,
        "the zip file ends in the member '\(member?.header.shownName ?? "")'")
    case .record, .passing, .gap:
      log.broken(at: position, "the zip file ends before the end of its directory")
    }
  }
}
