/// The result of checking all packs of an app, one by one and then together.
public struct AppCheck: Sendable {
  /// The manifests, each once.
  public let manifests: [BytePath]
  /// The result for each manifest, in the same order.
  public let checks: [ManifestCheck]
  /// Problems of the packs together.
  public let findingsTogether: [Finding]

  /// Checks the manifests at `paths` as the packs of one app; a folder means every manifest in it,
  /// see ``manifests(at:)``.
  public init(
    reading paths: [BytePath], _ options: ManifestCheck.Options = ManifestCheck.Options()
  ) throws(ManifestFilesError) {
    manifests = try Self.manifests(at: paths)
    checks = manifests.map { ManifestCheck(reading: $0, options) }
    findingsTogether = Self.findings(
      inPacks: checks.compactMap(\.pack), hosting: options.hosting)
  }

  /// All findings: those of each manifest, then those of all together.
  public var findings: [Finding] { checks.flatMap(\.findings) + findingsTogether }

  /// The files in `folder` that are in none of the packs.
  package func coverage(of folder: BytePath) throws(SystemError) -> Coverage {
    try Coverage(of: folder, in: checks.compactMap(\.pack?.selection), except: manifests)
  }
}

extension AppCheck {
  /// Problems of the packs of one app together: duplicate identifiers, different contents at one
  /// path (devices merge all packs into one folder), and App Store Connect's limits.
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
            .repeatedAssetPackID, "another pack has the same identifier '\(printable(key))'",
            at: identifier.location, notes: [Note("the first is here", at: earlier.location)]))
      } else {
        first[key] = identifier
      }
    }
    return findings
  }

  /// App Store Connect's limits for one app.
  private static let maximumTotalSize: UInt64 = 200_000_000_000
  private static let maximumPacks = 200

  private static func storeLimits(_ packs: [CheckedPack]) -> [Finding] {
    var findings: [Finding] = []
    if packs.count > maximumPacks {
      findings.append(
        Finding(
          .tooManyPacks,
          "\(counted(packs.count, "pack")); App Store Connect accepts \(maximumPacks) for an app",
          at: packs[maximumPacks].manifest.assetPackID.location))
    }
    var size: UInt64 = 0
    for pack in packs {
      let (sum, isTooLarge) = size.addingReportingOverflow(pack.selection?.size ?? 0)
      let goesBeyond = isTooLarge || sum > maximumTotalSize
      size = isTooLarge ? .max : sum
      guard goesBeyond else { continue }
      let what = packs.count == 1 ? "the pack's files have" : "with this pack the files have"
      findings.append(
        Finding(
          .packTooLarge,
          "\(what) \(byteCount(size)) before compression;"
            + " App Store Connect accepts \(byteCount(maximumTotalSize)) for an app",
          at: pack.manifest.assetPackID.location))
      break
    }
    return findings
  }
}
