import BAPackCore

/// A pack that can be served: open, verified, and with its data for the download manifest.
struct LoadedPack: Sendable {
  /// The archive.
  let file: OpenPack
  /// The pack's data for the download manifest.
  let facts: PackFacts
  /// The SHA-256 of the archive in hexadecimal.
  let sha256: String

  /// A strong validator: different bytes have different tags.
  var tag: String { "\"\(sha256)\"" }
}

/// Why packs are not served: one sentence per problem, with the name of the pack.
package struct PackRefusal: Error, Sendable {
  /// The sentences.
  package var problems: [String]

  init(_ problems: [String]) { self.problems = problems }

  init(_ problem: some CustomStringConvertible) { problems = [problem.description] }
}

extension LoadedPack {
  /// Opens the archive at `path`, and verifies it unless that was done before. `shown` is its name
  /// in messages.
  static func load(
    _ path: BytePath, shown: BytePath, _ known: inout KnownPacks
  ) throws(PackRefusal) -> LoadedPack {
    // If the file is replaced while it is read, it is read again, a few times.
    for _ in 0..<3 {
      let file = try mapping({ PackRefusal($0 as SystemError) }, OpenPack(path))
      var found = known[file.status]
      if found == nil { found = try examine(file, shown) }
      guard let found, let now = try? FileStatus.following(path), file.status.isSame(as: now) else {
        continue
      }
      let pack = try LoadedPack(file, found, shown)
      known[file.status] = found
      return pack
    }
    throw PackRefusal("'\(shown)' changes while it is read; start again when it is finished")
  }

  /// Verifies a pack and computes its digests.
  private static func examine(
    _ file: OpenPack, _ shown: BytePath
  ) throws(PackRefusal) -> KnownPacks.Known {
    do throws(ArchiveError) {
      let report = try PackReport.verify(file.path)
      guard report.isSound else { throw ArchiveError(.damage(.unsound(report)), in: file.path) }
      let pack = try Pack.read(file.path, .contentsDigest)
      guard let contents = pack.contentsDigest, let manifest = pack.manifest else {
        throw ArchiveError(
          .damage(ArchiveDamage(.manifestInvalid, "it has no manifest", at: ArchivePlace())),
          in: file.path)
      }
      let digest = try mapping({ ArchiveError(.system($0), in: file.path) }, file.sha256())
      return KnownPacks.Known(sha256: hexadecimal(digest), contents: contents, manifest: manifest)
    } catch {
      switch error.cause {
      case .damage(let damage):
        throw PackRefusal(
          "'\(shown)': \(damage). 'ba-package verify' shows all that is wrong with the pack")
      default:
        throw PackRefusal(error)
      }
    }
  }

  private init(
    _ file: OpenPack, _ found: KnownPacks.Known, _ shown: BytePath
  ) throws(PackRefusal) {
    do throws(ArchiveDamage) {
      let decoded = try decodeEmbeddedManifest(found.manifest, of: shown)
      guard let manifest = decoded.value, !decoded.findings.hasErrors else {
        throw ArchiveDamage(
          .manifestInvalid, "the embedded manifest is invalid" + decoded.findings.firstError,
          at: ArchivePlace())
      }
      facts = PackFacts(
        path: shown, identifier: manifest.assetPackID.value,
        downloadPolicy: manifest.downloadPolicy, platforms: manifest.platforms,
        userInfo: manifest.userInfo, downloadSize: file.status.size, contents: found.contents)
    } catch {
      throw PackRefusal("'\(shown)': \(error)")
    }
    self.file = file
    sha256 = found.sha256
  }
}

extension ArchiveDamage {
  /// The first problem of an invalid pack.
  fileprivate static func unsound(_ report: PackReport) -> ArchiveDamage {
    report.problems.first
      ?? ArchiveDamage(
        .manifestInvalid, "the embedded manifest is invalid" + report.manifestFindings.firstError,
        at: ArchivePlace())
  }
}

extension [Finding] {
  /// The first error, to follow a sentence; empty if there is none.
  fileprivate var firstError: String {
    first { $0.severity == .error }.map { ": \($0.message)" } ?? ""
  }
}
