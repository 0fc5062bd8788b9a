import BAPackCore

/// A zip archive on disk, such as an `.ipa` (APPNOTE.TXT of PKWARE): stored and deflated entries,
/// also with 64-bit sizes. Nothing is extracted.
struct ZipArchive {
  private let path: BytePath
  private var entries: [[UInt8]: Entry] = [:]
  /// The number of bytes that were inflated so far.
  private let inflatedSize = Monitor<UInt64>(0)

  private struct Entry {
    let method: UInt64
    let packedSize: UInt64
    let size: UInt64
    /// The offset of its local header.
    let offset: UInt64
    let isEncrypted: Bool
    let isLink: Bool
  }

  /// The maximum size of the central directory. That of an archive with 200,000 files has 30 MB.
  private static let maximumDirectory = 1 << 25
  /// Entries in deeper folders are skipped: an extension's executable is five levels deep.
  private static let maximumDepth = 7
  /// The maximum number of bytes to inflate: an entry is inflated from its start for each piece.
  private static let maximumInflated: UInt64 = 1 << 30
  private static let endSize: UInt64 = 22
  private static let maximumComment: UInt64 = 65_535

  /// Reads the central directory. Throws a ``Finding`` or a ``SystemError``.
  init(_ path: BytePath) throws {
    self.path = path
    let size = try FileStatus.following(path).size
    let tailStart = size - min(size, Self.endSize + Self.maximumComment)
    let tail = try bytes(Int(size - tailStart), at: tailStart)
    guard
      let end = stride(from: tail.count - Int(Self.endSize), through: 0, by: -1).first(where: {
        little(tail, $0, 4) == 0x0605_4B50
      })
    else { throw damage("it has no central directory") }
    var (count, length, start) = (
      little(tail, end + 10, 2), little(tail, end + 12, 4), little(tail, end + 16, 4)
    )
    let locator = end - 20
    if start == 0xFFFF_FFFF || count == 0xFFFF || length == 0xFFFF_FFFF, locator >= 0,
      little(tail, locator, 4) == 0x0706_4B50
    {
      let record = try bytes(56, at: little(tail, locator + 8, 8))
      guard record.count == 56, little(record, 0, 4) == 0x0606_4B50 else {
        throw damage("its 64-bit central directory is missing")
      }
      (count, length, start) = (
        little(record, 32, 8), little(record, 40, 8), little(record, 48, 8)
      )
    }
    guard length <= Self.maximumDirectory else {
      throw damage("its central directory is too large")
    }
    let directory = try bytes(Int(length), at: start)
    guard directory.count == Int(length) else { throw damage("its central directory is cut") }
    try read(directory, count)
  }

  private mutating func read(_ directory: [UInt8], _ count: UInt64) throws {
    var place = 0
    var found: UInt64 = 0
    while place < directory.count, little(directory, place, 4) == 0x0201_4B50 {
      let nameSize = Int(little(directory, place + 28, 2))
      let extraSize = Int(little(directory, place + 30, 2))
      let end = place + 46 + nameSize + extraSize + Int(little(directory, place + 32, 2))
      guard end <= directory.count else { throw damage("its central directory is cut") }
      let name = directory[place + 46..<place + 46 + nameSize]
      let extra = Array(directory[place + 46 + nameSize..<place + 46 + nameSize + extraSize])
      let entry = entry(directory, place, extra)
      place = end
      found += 1
      let parts = name.split(separator: ASCII.slash, omittingEmptySubsequences: false)
      if parts.count > Self.maximumDepth { continue }
      guard !name.isEmpty, !name.contains(0), name.first != ASCII.slash,
        !parts.contains(Array("..".utf8)[...])
      else { throw damage("an entry is named '\(brief(name))'") }
      // The end of a folder's name.
      if name.last == ASCII.slash { continue }
      guard entries.updateValue(entry, forKey: Array(name)) == nil else {
        throw damage("two entries are named '\(brief(name))'")
      }
    }
    guard found == count else {
      throw damage(
        "its central directory has \(counted(found, "entry", "entries")), not \(grouped(count))")
    }
    let sorted = entries.values.sorted { $0.offset < $1.offset }
    for (entry, next) in zip(sorted, sorted.dropFirst())
    where next.offset - entry.offset < 30 || next.offset - entry.offset - 30 < entry.packedSize {
      throw damage("two of its entries overlap")
    }
  }

  private func entry(_ bytes: [UInt8], _ place: Int, _ extra: [UInt8]) -> Entry {
    var values = [
      little(bytes, place + 24, 4), little(bytes, place + 20, 4), little(bytes, place + 42, 4),
    ]
    // Those that don't fit are in an extra field, in this order.
    var field = 0
    while field + 4 <= extra.count {
      let size = Int(little(extra, field + 2, 2))
      if little(extra, field, 2) == 1 {
        var wide = field + 4
        for index in values.indices
        where values[index] == 0xFFFF_FFFF && wide + 8 <= min(field + 4 + size, extra.count) {
          values[index] = little(extra, wide, 8)
          wide += 8
        }
        break
      }
      field += 4 + size
    }
    let mode = little(bytes, place + 38, 4) >> 16
    return Entry(
      method: little(bytes, place + 10, 2), packedSize: values[1], size: values[0],
      offset: values[2], isEncrypted: little(bytes, place + 8, 2) & 1 != 0,
      isLink: mode & 0o170000 == 0o120000)
  }

  /// The names directly in a folder, which ends with a slash, sorted.
  func names(in folder: String) -> [[UInt8]] {
    let names = entries.keys.compactMap { name in
      name.starts(with: folder.utf8)
        ? Array(name.dropFirst(folder.utf8.count).prefix { $0 != ASCII.slash }) : nil
    }
    return Set(names).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The size of a file, and a function that reads it piece by piece; nil if there is none.
  func file(_ name: String) throws -> BundleFile? {
    guard let entry = entries[Array(name.utf8)] else { return nil }
    let shown = "'\(brief(name.utf8))'"
    if entry.isLink { throw damage("\(shown) is a symbolic link, which is not followed") }
    if entry.isEncrypted { throw damage("\(shown) is encrypted") }
    guard entry.method == 0 || entry.method == 8 else {
      throw damage("\(shown) is compressed by a method other than deflate")
    }
    let header = try bytes(30, at: entry.offset)
    guard header.count == 30, little(header, 0, 4) == 0x0403_4B50 else {
      throw damage("\(shown) is not where the central directory has it")
    }
    let start = entry.offset + 30 + little(header, 26, 2) + little(header, 28, 2)
    return BundleFile(size: entry.size) { offset, count in
      guard offset < entry.size else { return [] }
      let count = Int(min(UInt64(count), entry.size - offset))
      if entry.method == 0 {
        guard entry.packedSize == entry.size else { throw damage("\(shown) has two sizes") }
        return try bytes(count, at: start + offset)
      }
      return try inflated(entry, start, offset, count, shown)
    }
  }

  private func inflated(
    _ entry: Entry, _ start: UInt64, _ offset: UInt64, _ count: Int, _ shown: String
  ) throws -> [UInt8] {
    var place: UInt64 = 0
    let total = inflatedSize.withLock { total in
      total = saturatingSum(total, saturatingSum(offset, UInt64(count)))
      return total
    }
    guard total <= Self.maximumInflated else {
      throw damage("its files are larger than \(byteCount(Self.maximumInflated))")
    }
    let reader = try DeflateReader {
      let piece = try bytes(Int(min(1 << 16, entry.packedSize - place)), at: start + place)
      place += UInt64(piece.count)
      return piece
    }
    do {
      var left = offset
      while left > 0 {
        let skipped = try reader.read(Int(min(1 << 18, left)))
        if skipped.isEmpty { throw damage("\(shown) is shorter than its size") }
        left -= UInt64(skipped.count)
      }
      return try reader.read(count)
    } catch is ArchiveDamage {
      throw damage("\(shown) has damaged deflate data")
    }
  }

  /// Up to `count` bytes at `offset`; fewer at the end of the file.
  private func bytes(_ count: Int, at offset: UInt64) throws -> [UInt8] {
    let file = try path.attempt(.open, FileDescriptor.reading(path))
    return try path.attempt(.read, file.read(count, at: offset))
  }

  private func damage(_ reason: String) -> Finding {
    Finding(.bundleUnreadable, "the archive can't be read: \(reason)", at: nil)
  }
}

private func little(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> UInt64 {
  bytes.integer(at: offset, size, isLittleEndian: true)
}
