import BAPackCore

/// A pack that can be served: open, verified, and with its data for the download manifest.
package struct ServedPack: Sendable {
  let file: OpenPack
  let facts: PackFacts
  let sha256: String
  /// Assigned when all packs are loaded.
  package internal(set) var version = 0

  /// Whether the open file still has the bytes that ``tag`` is for.
  var isUnchanged: Bool { file.stillHas(sha256) }

  /// A strong validator: different bytes have different tags.
  var tag: String { "\"\(sha256)\"" }
  /// The version with the start of the digest: another file has another label, also if the version
  /// is the same.
  var label: String { "\(version)-\(sha256.prefix(16))" }

  package var identifier: String { facts.identifier }
  /// Empty means every platform.
  package var platforms: [Platform] { facts.platforms }
  /// The tag of its language; nil for a pack without one.
  package var language: String? { facts.manifest.language }
  /// The archive or the manifest, as the user named it.
  package var path: BytePath { facts.path }
  package var size: UInt64 { facts.downloadSize }

  func isFor(_ platform: Platform) -> Bool { platforms.isEmpty || platforms.contains(platform) }
}

extension ServedPack {
  /// Opens the archive at `path`, and verifies it unless that was done before. `shown` is its name
  /// in messages.
  static func load(
    _ path: BytePath, shown: BytePath, _ known: inout KnownPacks
  ) throws -> ServedPack {
    // If the file is replaced while it is read, it is read again, a few times.
    for _ in 0..<3 {
      let file = try OpenPack(path)
      var found = known[file.status]
      if found == nil { found = try examine(file, shown) }
      guard let found, let now = try? FileStatus.following(path), file.status.version == now.version
      else {
        continue
      }
      let pack = try ServedPack(file, found, shown)
      known[file.status] = found
      return pack
    }
    throw PackagingError("'\(shown)' changes while it is read; start again when it is finished")
  }

  private static func examine(_ file: OpenPack, _ shown: BytePath) throws -> KnownPacks.Known {
    func damaged(_ problem: some CustomStringConvertible) -> PackagingError {
      PackagingError(
        "'\(shown)': \(problem). 'ba-package verify' shows all that is wrong with the pack")
    }
    do {
      let report = try PackReport.verify(file.input, digests: true)
      if let problem = report.problems.first { throw damaged(problem) }
      guard let digests = report.digests, let manifest = report.pack?.embedded else {
        throw damaged("it has no manifest")
      }
      return KnownPacks.Known(
        sha256: hexadecimal(digests.file), contents: digests.contents, manifest: manifest)
    } catch let damage as ArchiveDamage {
      throw damaged(damage.named(nil))
    }
  }

  private init(_ file: OpenPack, _ found: KnownPacks.Known, _ shown: BytePath) throws {
    let decoded: Checked<Manifest?>
    do {
      decoded = try decodeEmbeddedManifest(found.manifest, of: shown)
    } catch {
      throw PackagingError("'\(shown)': \(error)")
    }
    let error = decoded.findings.first { $0.severity == .error }
    guard let manifest = decoded.value, error == nil else {
      throw PackagingError(
        "'\(shown)': the embedded manifest is invalid" + (error.map { ": \($0.message)" } ?? ""))
    }
    facts = PackFacts(
      path: shown, manifest, downloadSize: file.status.size, contents: found.contents)
    self.file = file
    sha256 = found.sha256
  }
}
