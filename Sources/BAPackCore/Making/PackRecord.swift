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
  /// ``Compression/packDigest(streamSize:blocks:)``.
  let digest: String
  /// The checks that the files' contents passed; empty if there were findings.
  var checks: String
  let compression: Compression
  /// ``ArchiveLayout/headerDigest``.
  let headers: [UInt8]
  let blocks: [[UInt8]]
  /// The digest of the digests of the blocks in the container.
  let packed: [UInt8]
  let packedSize: UInt64
  /// The version of the pack's file; nil if it could change undetected.
  var output: UInt64?
  /// The versions of the files in the order of the archive; nil for those that must be read again.
  package var files: [UInt64?]

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
}

extension PackRecord {
  /// The first line of every record, up to the number of the format.
  static let title = "ba-package record "
  private static let format = "3"

  /// The record as text: a line for each value, and a digest of them all at the end.
  package var bytes: [UInt8] {
    let lines = [
      Self.title + Self.format, checks, digest, "\(compression)", hexadecimal(headers),
      hexadecimal(packed), "\(packedSize)", Self.word(output),
      blocks.map { hexadecimal($0) }.joined(separator: " "),
      files.map(Self.word).joined(separator: " "),
    ]
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    return text + "\(hexadecimal(SHA256.digest(of: text)))\n".utf8
  }

  private static func word(_ version: UInt64?) -> String { version.map { "\($0)" } ?? "-" }

  package init?(_ bytes: [UInt8]) {
    let text = Array(bytes.dropLast(65))
    let sum = "\(hexadecimal(SHA256.digest(of: text)))\n"
    let lines = String(decoding: text, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard bytes.dropFirst(text.count).elementsEqual(sum.utf8), lines.count == 11,
      lines[0] == Self.title + Self.format, let compression = Compression(lines[3]),
      let headers = decodedHexadecimal(lines[4]), let packed = decodedHexadecimal(lines[5]),
      let packedSize = UInt64(lines[6])
    else { return nil }
    (checks, digest, self.compression) = (lines[1], lines[2], compression)
    (self.headers, self.packed, self.packedSize) = (headers, packed, packedSize)
    output = UInt64(lines[7])
    blocks = lines[8].split(separator: " ").compactMap { decodedHexadecimal(String($0)) }
    files = lines[9].split(separator: " ").map { UInt64($0) }
  }

  /// The record next to `output`, if there is one that can belong to a pack of its size: neither a
  /// file in a pack nor a block takes less than a byte there.
  init?(beside output: BytePath) {
    // Without a record, the pack is made again.
    guard let pack = try? FileStatus.following(output),
      let file = try? FileDescriptor.opening(
        workingDirectory, Self.path(beside: output).bytes, [.noFollow, .nonBlocking]),
      let status = try? file.status(), status.kind == .file,
      status.size <= min(1 << 28, (1 << 16) + 65 * min(pack.size, 1 << 40)),
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

extension Selection {
  /// The versions of files that were last changed well before `time`; nil for others.
  func settledVersions(before time: Int64) -> [UInt64?] {
    files.map { FileStatus.settled($0.version, touched: $0.touched, before: time) }
  }
}

extension PackRecord {
  /// The record of a published pack, made from the files in `job`, which were read after `time`.
  init(
    _ job: PackBatch.Job, _ layout: ArchiveLayout, _ digests: StreamDigests,
    _ compression: Compression, _ status: FileStatus, startedAt time: Int64
  ) {
    // A file that was just written has its version, if the file system's clock is finer than a second.
    let output = status.touched % 1_000_000_000 == 0 ? nil : status.version
    self.init(
      digest: compression.packDigest(streamSize: layout.size, blocks: digests.blocks),
      checks: job.checks, compression: compression, headers: layout.headerDigest,
      blocks: digests.blocks,
      packed: digests.packed, packedSize: status.size, output: output,
      files: job.selection.settledVersions(before: time))
  }
}

extension Compression {
  /// A digest, in hexadecimal, of everything that the bytes of a pack depend on: the archive stream,
  /// which contains the manifest, paths, modes, times and contents and has `size` bytes and `blocks`
  /// with these digests; the compression; and the versions of this program and, for zlib packs, of
  /// zlib. It is computed without compressing anything.
  func packDigest(streamSize size: UInt64, blocks: [[UInt8]]) -> String {
    var digest = SHA256()
    digest.update(Array("ba-package \(toolVersion)\n\(recipe)\n\(size)\n".utf8))
    for block in blocks { digest.update(block) }
    return hexadecimal(digest.finalize())
  }

  /// A description of everything that the compression depends on.
  var recipe: String { codec.version.isEmpty ? "\(self)" : "\(self) \(codec.version)" }
}
