/// A record of what a pack was made from, in a file next to it: `Harbour.aar.record`.
///
/// It answers one question: would the pack's bytes be the same if it were made again? The digests
/// of the blocks of its archive stream give a definite answer. To avoid reading files, the record
/// also has the version of each file, which depends on its device, inode, size and times. A file
/// with the same version still has the contents that were read, with one exception: a second change
/// within the resolution of the file system's clock leaves no trace. So no version is kept for a
/// file that changed less than two seconds, the coarsest resolution in use, before it was read; it
/// is read again the next time.
///
/// A damaged record, or one of another format, is treated as missing: the pack is made.
package struct PackRecord: Sendable {
  /// The digest of the pack.
  let digest: PackDigest
  /// The checks that the files' contents passed; empty if there were findings.
  let checks: String
  /// ``ArchiveLayout/headerDigest``.
  let headers: [UInt8]
  /// The size of the archive stream.
  let streamSize: UInt64
  /// The digests of its blocks.
  let blocks: [[UInt8]]
  /// The digest of the digests of the blocks in the container.
  let packed: [UInt8]
  /// The size of the pack.
  let packedSize: UInt64
  /// The version of the pack's file; nil if it could change undetected.
  let output: UInt64?
  /// The versions of the files in the order of the archive; nil for those that must be read again.
  package let files: [UInt64?]

  /// The path of the record of the pack at `output`.
  static func path(beside output: BytePath) -> BytePath { BytePath(output.bytes + ".record".utf8) }
}

/// The resolution of the coarsest file system clock, that of FAT, in nanoseconds.
private let coarsestTick: Int64 = 2_000_000_000

extension FileStatus {
  /// The version, if the next change is sure to change it: the file didn't change just before
  /// `time`.
  static func settled(_ version: UInt64, touched: Int64, before time: Int64) -> UInt64? {
    // A file whose status was never read has the latest possible time.
    let (limit, isLate) = touched.addingReportingOverflow(coarsestTick)
    return !isLate && limit <= time ? version : nil
  }

  /// The version of a file that this process has just written and closed, if the file system's
  /// clock is finer than a second.
  var versionOfOutput: UInt64? { touched % 1_000_000_000 == 0 ? nil : version }
}

extension PackRecord {
  /// The first line of every record.
  static let title = "ba-package record 1"

  /// The record as text: a line per value, and a digest of them all at the end.
  package var bytes: [UInt8] {
    var lines = [
      Self.title, "checks \(checks)", digest.text, hexadecimal(headers), "\(streamSize)",
      "\(blocks.count)",
    ]
    lines += blocks.map { hexadecimal($0) }
    lines += [hexadecimal(packed), "\(packedSize)", output.map { "\($0)" } ?? "-"]
    lines += files.map { version in version.map { "\($0)" } ?? "-" }
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    return text + "\(hexadecimal(SHA256.digest(of: text)))\n".utf8
  }

  /// The record in `bytes`; nil if it is damaged.
  package init?(_ bytes: [UInt8]) {
    let sumSize = 65
    guard bytes.count > sumSize, bytes.last == UInt8(ascii: "\n") else { return nil }
    let text = Array(bytes.dropLast(sumSize))
    guard bytes.suffix(sumSize).dropLast().elementsEqual(hexadecimal(SHA256.digest(of: text)).utf8)
    else { return nil }
    var lines = text.split(separator: UInt8(ascii: "\n"))[...]
    func word() -> ArraySlice<UInt8>? { lines.popFirst() }
    func number() -> UInt64? { word().flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } }
    func digest() -> [UInt8]? { word().flatMap(PackRecord.digest) }
    guard word()?.elementsEqual(Self.title.utf8) == true, let checks = word(), let pack = digest(),
      let headers = digest(), let streamSize = number(), let count = number(),
      count <= lines.count
    else { return nil }
    var blocks: [[UInt8]] = []
    for _ in 0..<count {
      guard let block = digest() else { return nil }
      blocks.append(block)
    }
    guard let packed = digest(), let packedSize = number(), let output = word() else { return nil }
    self.checks = String(decoding: checks.dropFirst("checks ".utf8.count), as: UTF8.self)
    self.digest = PackDigest(bytes: pack)
    self.headers = headers
    self.streamSize = streamSize
    self.blocks = blocks
    self.packed = packed
    self.packedSize = packedSize
    self.output = UInt64(String(decoding: output, as: UTF8.self))
    files = lines.map { UInt64(String(decoding: $0, as: UTF8.self)) }
  }

  private static func digest(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = ASCII.hexadecimalValue(digit) else { return nil }
      if let upper = high { bytes.append(upper << 4 | value) }
      high = high == nil ? value : nil
    }
    return bytes
  }

  /// The record next to `output`, if there is one that can belong to a pack of its size: neither a
  /// file in a pack nor a block takes less than a byte there.
  init?(beside output: BytePath) {
    // Without a record, the pack is made again.
    guard let pack = try? FileStatus.following(output),
      let file = try? FileDescriptor.opening(
        workingDirectory, Self.path(beside: output).bytes, [.noFollow, .nonBlocking]),
      let status = try? file.status(), status.kind == .file,
      status.size <= min(1 << 28, 1 << 16 + 65 * min(pack.size, 1 << 40)),
      let bytes = try? file.read(upTo: Int(status.size))
    else { return nil }
    self.init(bytes)
  }

  /// Writes the record next to `output`, atomically, unless it is up to date.
  func write(beside output: BytePath) throws(SystemError) {
    let path = Self.path(beside: output)
    let bytes = bytes
    // One that can't be read is replaced; if that fails, the error is reported.
    if try FileStatus.ifPresent(path)?.kind == .file,
      let old = try? path.contents(limit: bytes.count), old == bytes
    {
      return
    }
    try AtomicOutput.write(bytes, to: path, replacing: true, isOwn: true)
  }
}
