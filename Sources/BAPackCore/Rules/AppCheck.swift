/// The result of checking all packs of an app, one by one and then together.
public struct AppCheck: Sendable {
  /// The manifests, without duplicates.
  public let manifests: [BytePath]
  /// Files in folders that are other output of this program rather than manifests.
  package let skipped: [ManifestFiles.Skipped]
  /// The result for each manifest, in the same order.
  public let checks: [ManifestCheck]
  /// Problems of the packs together.
  package let findingsTogether: [Finding]
  /// Ignore comments that had no effect.
  package let unusedIgnores: [Finding]

  /// Checks the manifests at `paths` as the packs of one app. A folder means every manifest in it
  /// and its subfolders.
  public init(
    reading paths: [BytePath], _ options: ManifestCheck.Options = ManifestCheck.Options()
  ) throws(InputFilesError) {
    self.init(of: try ManifestFiles(at: paths), options)
  }

  /// Checks these manifests as the packs of one app. Those in `fixes` are checked as fixed.
  package init(
    of files: ManifestFiles, _ options: ManifestCheck.Options, with fixes: [ManifestFixes] = []
  ) {
    manifests = files.files.map(\.path)
    skipped = files.skipped
    var checks: [ManifestCheck] = []
    for file in files.files {
      let fixed = fixes.first { $0.file == file.path }?.fixed
      checks.append(
        fixed.map { ManifestCheck(of: $0, readFrom: file.path, options) }
          ?? ManifestCheck(of: file, options))
    }
    let together =
      Self.findings(inPacks: checks.compactMap(\.pack), hosting: options.hosting)
      + (options.isThorough ? Self.contentFindings(checks) : [])
    var adjusted: [Finding] = []
    for finding in together {
      let name = finding.location?.source.name
      if let index = manifests.firstIndex(where: { $0.textName == name }) {
        adjusted += checks[index].adjusted([finding])
      } else {
        adjusted += options.rules.applied(to: [finding])
      }
    }
    findingsTogether = adjusted
    // Most rules need the files.
    let unchecked = options.hosting == .apple ? [] : Rule.appleOnly
    unusedIgnores =
      options.selectsFiles && options.isThorough
      ? checks.flatMap { $0.unusedIgnores(except: unchecked).limited() } : []
    self.checks = checks
  }

  /// All findings: those of each manifest, then those of all together.
  public var findings: [Finding] {
    checks.flatMap(\.findings) + findingsTogether + unusedIgnores
  }

  /// The files in `folder` that are in none of the packs.
  package func coverage(of folder: BytePath) throws(SystemError) -> Coverage {
    try Coverage(of: folder, in: checks.compactMap(\.pack?.selection), except: manifests)
  }
}

extension AppCheck {
  /// Copies of the same contents, and files that Git does not track.
  private static func contentFindings(_ checks: [ManifestCheck]) -> [Finding] {
    let checks = checks.filter { $0.pack?.selection != nil }
    let packs = checks.compactMap(\.pack)
    var untracked = UntrackedFiles()
    return DuplicateFiles.findings(packs) { checks[$0].scope.isOff(.duplicateFiles, about: $1) }
      + zip(packs, checks).flatMap { untracked.findings($0, $1.scope) }
  }

  /// Problems of an app's packs together: duplicate identifiers, different contents at one path
  /// (devices merge all packs into one folder), and App Store Connect's limits.
  package static func findings(inPacks packs: [CheckedPack], hosting: Hosting) -> [Finding] {
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
