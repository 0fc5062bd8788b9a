/// The parts of a pack that a download manifest has.
package struct PackFacts: Sendable {
  package let path: BytePath
  package let manifest: Manifest
  package var downloadSize: UInt64
  package let contents: [UInt8]
  /// The SHA-256 of the archive, if it is part of the pack's name on the server.
  package let sha256: [UInt8]?

  package init(
    path: BytePath, _ manifest: Manifest, downloadSize: UInt64, contents: [UInt8],
    sha256: [UInt8]? = nil
  ) {
    self.path = path
    self.manifest = manifest
    self.downloadSize = downloadSize
    self.contents = contents
    self.sha256 = sha256
  }

  package var identifier: String { manifest.assetPackID }
  package var platforms: [Platform] { manifest.platforms }

  /// The name of the archive on the server: the identifier, or `IDENTIFIER-DIGEST.aar`.
  package var serverName: String {
    guard let sha256 else { return identifier }
    return "\(identifier)-\(hexadecimal(sha256.prefix(Self.digestSize))).aar"
  }

  /// The size of the digest in a name: 64 bits are more than enough to distinguish a pack's
  /// versions.
  private static let digestSize = 8

  /// Whether `name`, the last component of a URL, is a ``serverName`` with any digest.
  func isNameWithDigest(_ name: Substring) -> Bool {
    let (start, end) = (percentEncoded(identifier) + "-", ".aar")
    guard name.hasPrefix(start), name.hasSuffix(end) else { return false }
    let digits = name.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    return digits.count == Self.digestSize * 2
      && digits.allSatisfy { ASCII.hexadecimalValue($0) != nil }
  }

  /// Reads the pack at `path`, a file, a pipe or `-`. All blocks are decoded. The name on the
  /// server has a digest if `hasDigestInName`. Calls `progress` with the number of bytes of the
  /// file read so far.
  package static func read(
    _ path: BytePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available,
    hasDigestInName: Bool = false, progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> PackFacts {
    let pack = try PackIndex.read(
      ArchiveInput(path, digestingPipe: hasDigestInName), contentsDigest: true,
      fileDigests: hasDigestInName, limits: limits, jobs: jobs, progress: progress)
    let embedded = try pack.decodedManifest()
    guard let manifest = embedded.value, let contents = pack.contentsDigest,
      !embedded.findings.hasErrors
    else {
      let reason =
        embedded.findings.first { $0.severity == .error }.map { ": \($0.message)" } ?? ""
      let damage = ArchiveDamage(
        .manifestInvalid, "the embedded manifest is invalid\(reason)",
        at: ArchivePlace(path: RelativePath.manifest.bytes))
      throw damage.named(path)
    }
    return PackFacts(
      path: path, manifest, downloadSize: pack.downloadSize, contents: contents,
      sha256: pack.fileDigests?.sha256)
  }
}
