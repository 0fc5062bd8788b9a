extension Rule {
  /// An identifier that App Store Connect rejects.
  public static let assetPackID = Rule(
    "asset-pack-id", .error, .store, "An identifier that App Store Connect rejects",
    adjustment: .all)
  /// userInfo in a pack that Apple hosts.
  public static let userInfoHosting = Rule(
    "user-info-hosting", .error, .store, "userInfo in a pack that Apple hosts", adjustment: .all)
  /// More data than App Store Connect accepts.
  public static let packTooLarge = Rule(
    "pack-too-large", .warning, .store, "More data than App Store Connect accepts")
  /// More packs than App Store Connect accepts.
  public static let tooManyPacks = Rule(
    "too-many-packs", .warning, .packs, "More packs than App Store Connect accepts")
}

extension Manifest {
  /// What App Store Connect would reject after the upload: identifiers that violate ITMS-91133, and
  /// `userInfo`. Empty for self-hosted packs, and warnings if it isn't stated who hosts them, which
  /// the caller's option or key `name` does.
  package func storeFindings(
    _ hosting: Hosting?, statedBy name: String = "hosting"
  ) -> [Finding] {
    if hosting == .ownServer { return [] }
    let severity = hosting == nil ? Severity.warning : nil
    let note =
      hosting == nil
      ? Note("with '\(name) apple' this is an error, with '\(name) self' it is none") : nil
    var findings: [Finding] = []
    if let problem = identifierProblem {
      var known: Set<String> = []
      let valid = AssetPackIdentifier.make(from: assetPackID, except: &known)
      findings.report(
        .assetPackID, severity: severity, problem, at: writtenID.location, notes: [note],
        fix: assetPackID.utf8.allSatisfy { $0 < 0x80 }
          ? Fix(writtenID.location, valid, isCertain: false) : nil)
    }
    if let userInfo = userInfoValue {
      findings.report(
        .userInfoHosting, severity: severity,
        "'userInfo' is for self-hosted packs; App Store Connect rejects it",
        at: SourceLocation(
          source,
          userInfo.range.lowerBound..<min(userInfo.range.lowerBound + 1, source.bytes.count)),
        notes: [note])
    }
    return findings
  }

  private var identifierProblem: String? {
    let identifier = assetPackID
    let wrong = identifier.unicodeScalars.first { scalar in
      !(UInt8(exactly: scalar.value).map { ASCII.isLetter($0) || ASCII.isDigit($0) } ?? false)
        && scalar != "-"
    }
    if let wrong {
      let shown = printable(String(wrong).utf8)
      return "App Store Connect rejects '\(shown)' in 'assetPackID': only ASCII letters, digits and"
        + " hyphens are allowed (ITMS-91133)"
    }
    if identifier.hasPrefix("-") || identifier.hasSuffix("-") {
      return "'assetPackID' \(identifier.hasPrefix("-") ? "begins" : "ends") with a hyphen, which"
        + " App Store Connect rejects (ITMS-91133)"
    }
    return nil
  }
}

extension AppCheck {
  /// App Store Connect's limits for one app.
  private static let maximumTotalSize: UInt64 = 200_000_000_000
  private static let maximumPacks = 200

  static func storeLimits(_ packs: [CheckedPack]) -> [Finding] {
    var findings: [Finding] = []
    if packs.count > maximumPacks {
      findings.report(
        .tooManyPacks,
        "\(counted(packs.count, "pack")); App Store Connect accepts \(maximumPacks) for an app",
        at: packs[maximumPacks].manifest.writtenID.location, manifests: [maximumPacks])
    }
    var size: UInt64 = 0
    for (index, pack) in packs.enumerated() {
      size = saturatingSum(size, pack.selection?.size ?? 0)
      guard size > maximumTotalSize else { continue }
      let subject = packs.count == 1 ? "the pack's files have" : "with this pack the files have"
      findings.report(
        .packTooLarge,
        "\(subject) \(byteCount(size)) before compression;"
          + " App Store Connect accepts \(byteCount(maximumTotalSize)) for an app",
        at: pack.manifest.writtenID.location, manifests: [index])
      break
    }
    return findings
  }
}
