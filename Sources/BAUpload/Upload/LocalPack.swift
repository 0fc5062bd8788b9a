import BAPackCore

package struct LocalPack: Sendable {
  package let path: BytePath
  /// The manifest's `assetPackID`.
  package let identifier: String
  package let size: UInt64
  /// Digests of the file, in lowercase hexadecimal.
  package let sha256: String
  let md5: String
  /// Why the store may reject it although no rule forbids it.
  package let warning: String?
  /// The embedded manifest, byte for byte.
  let manifest: [UInt8]
  /// The open file, so what is sent is what was checked, even if the file is renamed or
  /// replaced.
  let input: ArchiveInput
  /// The version of the file whose contents are known.
  private let version: Monitor<UInt64>

  var fileName: String { String(decoding: path.name, as: UTF8.self) }

  /// A pack, which is nil if it must not be uploaded, with its problems.
  package typealias Check = (pack: LocalPack?, report: PackReport, storeFindings: [Finding])

  /// Verifies the whole pack at `path`, checks its manifest against the store's rules, and computes
  /// its digests.
  package static func check(_ path: BytePath, jobs: Int) throws -> Check {
    guard let status = try optional(.noSuchFile, call: FileStatus.following(path)) else {
      throw StoreError(
        "there is no '\(path)'" + (path.similar("aar").map { "; did you mean '\($0)'?" } ?? ""))
    }
    guard status.kind == .file else {
      throw StoreError("'\(path)' is \(status.kind), not a pack")
    }
    let input = try ArchiveInput(path)
    let version = try input.status().version
    let report = try PackReport.verify(input, jobs: jobs)
    guard report.isSound, let pack = report.pack, let bytes = pack.embedded,
      let manifest = pack.manifest
    else { return (nil, report, []) }
    // A warning before packaging would be rejected here, after using up a version number.
    let findings = manifest.storeFindings(.apple).treatingWarningsAsErrors()
    guard !findings.hasErrors else { return (nil, report, findings) }
    var other: String?
    if case .blocks(let algorithm, _) = try pack.archive().1.kind, algorithm != .lzfse {
      other = algorithm.name
    }
    let digests = try FileDigests(of: input, jobs: jobs)
    let checked = LocalPack(
      path: path, identifier: manifest.assetPackID, size: digests.size,
      sha256: hexadecimal(digests.sha256), md5: hexadecimal(digests.md5),
      warning: other.map {
        "compressed with \($0); nobody has reported that the store takes these; 'ba-package"
          + " --compression lzfse' makes what Apple's tool makes"
      },
      manifest: bytes, input: input, version: Monitor(version))
    return (checked, report, findings)
  }

  /// The version of the file, which still has the contents that were checked: they are read again
  /// after anything touched it, since a program can set the time of modification. A replaced file is
  /// fine: the old one is still open, even if its name no longer exists.
  func unchangedVersion() throws -> UInt64 {
    try version.withLock { version in
      let now = try input.status()
      if now.version == version { return version }
      guard now.size == size,
        (try? FileDigests.sha256(of: input)).map({ hexadecimal($0) }) == sha256
      else {
        throw StoreError(
          "'\(path)' changed while it was uploaded, and was not committed; run the command again",
          isOfOnePack: true)
      }
      version = now.version
      return version
    }
  }
}
