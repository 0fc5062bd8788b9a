/// What a download manifest says about an asset pack, read from the pack.
package struct PackFacts: Sendable {
  /// The path of the archive, as the user wrote it, for messages.
  package let path: BytePath
  /// The identifier in the embedded manifest.
  package let identifier: String
  /// The policy in the embedded manifest.
  package let downloadPolicy: DownloadPolicy
  /// The platforms in the embedded manifest; empty means every platform.
  package let platforms: [Platform]
  /// The language in the embedded manifest.
  package let language: String?
  /// The author's own data in the embedded manifest.
  package let userInfo: JSONValue?
  /// The size of the archive in bytes.
  package let downloadSize: UInt64
  /// The digest of the pack's contents.
  package let contents: ContentsDigest.Value

  /// The summary of the archive at `path`.
  package init(
    path: BytePath, identifier: String, downloadPolicy: DownloadPolicy, platforms: [Platform],
    language: String? = nil, userInfo: JSONValue? = nil, downloadSize: UInt64,
    contents: ContentsDigest.Value
  ) {
    self.path = path
    self.identifier = identifier
    self.downloadPolicy = downloadPolicy
    self.platforms = platforms
    self.language = language
    self.userInfo = userInfo
    self.downloadSize = downloadSize
    self.contents = contents
  }
}

extension PackFacts {
  /// Reads the pack at `path`, a file, a pipe or `-`. All blocks are decoded.
  package static func read(
    _ path: BytePath, limits: ReadingLimits = ReadingLimits(), jobs: Int = Processors.available
  ) throws(ArchiveError) -> PackFacts {
    let pack = try Pack.read(path, .contentsDigest, limits: limits, jobs: jobs)
    return try mappingErrors(pack.input.error) { () throws(ArchiveDamage) in
      let embedded = try pack.embeddedManifest()
      guard let manifest = embedded.value, let contents = pack.contentsDigest,
        !embedded.findings.hasErrors
      else {
        let reason =
          embedded.findings.first { $0.severity == .error }.map { ": \($0.message)" } ?? ""
        throw ArchiveDamage(
          .manifestInvalid, "the embedded manifest is invalid\(reason)",
          at: ArchivePlace(path: RelativePath.manifest.bytes))
      }
      return PackFacts(
        path: path, identifier: manifest.assetPackID.value,
        downloadPolicy: manifest.downloadPolicy, platforms: manifest.platforms,
        language: manifest.language?.value, userInfo: manifest.userInfo,
        downloadSize: pack.container.packedSize, contents: contents)
    }
  }
}
