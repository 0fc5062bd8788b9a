import BAPackCore

/// A pack that was checked before anything is sent.
package struct LocalPack: Sendable {
  package let path: BytePath
  /// The manifest's `assetPackID`.
  package let identifier: String
  /// Bytes of the file.
  package let size: UInt64
  /// Digests of the file, in lower-case hexadecimal digits.
  package let sha256: String
  let md5: String
  /// The embedded manifest, byte for byte.
  let manifest: [UInt8]
  /// The open file: what is sent is what was checked, whatever happens to its name.
  let input: ArchiveInput
  private let status: FileStatus

  /// The name that the store keeps.
  var fileName: String { String(decoding: path.name, as: UTF8.self) }

  /// What checking a pack found.
  package struct Check: Sendable {
    /// The pack; nil where it must not be uploaded.
    package let pack: LocalPack?
    /// What verifying it found.
    package let report: PackReport
    /// What the store's rules say about the manifest.
    package let storeFindings: [Finding]
  }

  /// Verifies the pack at `path` to the last byte, holds its manifest against the store's rules, and
  /// reads its digests.
  package static func check(_ path: BytePath, jobs: Int) throws(StoreError) -> Check {
    let status = try mapping(StoreError.system, FileStatus.following(path))
    guard status.kind == .file else {
      throw .file("'\(path)' is \(status.kind), and not a pack's file")
    }
    return try check(path, status, jobs)
  }

  private static func check(
    _ path: BytePath, _ status: FileStatus, _ jobs: Int
  ) throws(StoreError) -> Check {
    do throws(ArchiveError) {
      let report = try PackReport.verify(path, jobs: jobs)
      guard report.isSound, let pack = report.pack, let bytes = pack.manifest,
        let manifest = (try? pack.decodedManifest())?.value
      else { return Check(pack: nil, report: report, storeFindings: []) }
      // What is a warning before packaging would be refused here, after a version is spent.
      let findings = manifest.storeFindings(.apple).treatingWarningsAsErrors()
      guard !findings.hasErrors else {
        return Check(pack: nil, report: report, storeFindings: findings)
      }
      let digests = try FileDigests(of: pack.input, jobs: jobs)
      let checked = LocalPack(
        path: path, identifier: manifest.assetPackID.value, size: digests.size,
        sha256: hexadecimal(digests.sha256), md5: hexadecimal(digests.md5), manifest: bytes,
        input: pack.input, status: status)
      return Check(pack: checked, report: report, storeFindings: findings)
    } catch {
      if case .interrupted(let signal) = error.cause { throw .interrupted(signal) }
      throw .archive(error)
    }
  }

  /// Fails where the file was written to since it was checked. One that was replaced is as it was:
  /// the old one is still open, also where nothing can be looked at under its name.
  func checkUnchanged() throws(StoreError) {
    guard let now = try? FileStatus.following(path), now.identity == status.identity else { return }
    guard now.size == status.size, now.modified == status.modified else { throw .changed(path) }
  }
}
