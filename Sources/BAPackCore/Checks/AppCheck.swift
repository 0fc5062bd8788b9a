/// All packs of an app, checked one by one and then together.
public struct AppCheck: Sendable {
  /// The manifests, each once.
  public let manifests: [FilePath]
  /// What was found in each manifest, in the same order.
  public let checks: [ManifestCheck]
  /// What is wrong with the packs together, though each may be right by itself.
  public let findingsTogether: [Finding]

  /// Checks the manifests at `paths` as the packs of one app; a folder stands for the manifests in
  /// it, as ``manifests(at:)`` says.
  public init(
    reading paths: [FilePath], _ options: ManifestCheck.Options = ManifestCheck.Options()
  ) throws(ManifestFilesError) {
    manifests = try Self.manifests(at: paths)
    checks = manifests.map { ManifestCheck(reading: $0, options) }
    findingsTogether = Self.findings(
      inPacks: checks.compactMap(\.pack), hosting: options.hosting)
  }

  /// All that is wrong: manifest by manifest, then with all of them together.
  public var findings: [Finding] { checks.flatMap(\.findings) + findingsTogether }

  /// The files below `folder` that are in none of the packs, in the order of an archive. The
  /// folder's own `.git` and the manifests are left out.
  public func filesInNoPack(below folder: FilePath) throws(SystemError) -> [RelativePath] {
    try folder.filesNotTaken(by: checks.compactMap(\.pack?.selection), except: manifests)
  }
}

extension AppCheck {
  /// What is wrong with packs of one app together: one identifier twice, different contents at one
  /// path (devices merge all packs into one folder), and more than App Store Connect takes.
  public static func findings(inPacks packs: [CheckedPack], hosting: Hosting) -> [Finding] {
    repeatedIdentifiers(packs) + contentsClashes(packs)
      + (hosting == .apple ? storeLimits(packs) : [])
  }

  private static func repeatedIdentifiers(_ packs: [CheckedPack]) -> [Finding] {
    var first: [[UInt8]: Located<String>] = [:]
    var findings: [Finding] = []
    for pack in packs {
      let identifier = pack.manifest.assetPackID
      guard !identifier.location.range.isEmpty else { continue }
      let key = Array(identifier.value.utf8)
      if let earlier = first[key] {
        findings.append(
          Finding(
            .repeatedAssetPackID, "another pack is called '\(printable(key))' too",
            at: identifier.location, notes: [Note("the first is here", at: earlier.location)]))
      } else {
        first[key] = identifier
      }
    }
    return findings
  }

  /// App Store Connect's limits for one app.
  private static let largestPacks: UInt64 = 200_000_000_000
  private static let mostPacks = 200

  private static func storeLimits(_ packs: [CheckedPack]) -> [Finding] {
    var findings: [Finding] = []
    if packs.count > mostPacks {
      findings.append(
        Finding(
          .tooManyPacks,
          "\(counted(packs.count, "pack")); App Store Connect takes \(mostPacks) for an app",
          at: packs[mostPacks].manifest.assetPackID.location))
    }
    var size: UInt64 = 0
    for pack in packs {
      let (sum, isTooLarge) = size.addingReportingOverflow(pack.selection?.size ?? 0)
      let goesBeyond = isTooLarge || sum > largestPacks
      size = isTooLarge ? .max : sum
      guard goesBeyond else { continue }
      let what = packs.count == 1 ? "the pack's files have" : "with this pack the files have"
      findings.append(
        Finding(
          .packTooLarge,
          "\(what) \(byteCount(size)) before compression;"
            + " App Store Connect takes \(byteCount(largestPacks)) for an app",
          at: pack.manifest.assetPackID.location))
      break
    }
    return findings
  }
}
