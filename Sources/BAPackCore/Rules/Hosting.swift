/// The host of the packs.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, after an upload to App Store Connect.
  case apple
  /// The developer's own server, to which the store's rules don't apply.
  case `self`
}

extension Rule {
  /// The rules that don't apply to self-hosted packs.
  static let appleOnly: Set<Rule> = [
    .assetPackID, .userInfoHosting, .machOExecutable, .tooManyPacks, .packTooLarge, .versionInID,
  ]
}

extension Manifest {
  /// What App Store Connect would reject after the upload: identifiers that violate ITMS-91133, and
  /// `userInfo`. Empty for self-hosted packs, and warnings if it isn't stated who hosts them, which
  /// the caller's option or key `name` does.
  package func storeFindings(
    _ hosting: Hosting?, statedBy name: String = "hosting"
  ) -> [Finding] {
    if hosting == .`self` { return [] }
    let severity = hosting == nil ? Severity.warning : nil
    let note =
      hosting == nil
      ? Note("with '\(name) apple' this is an error, with '\(name) self' it is none") : nil
    var findings: [Finding] = []
    if let problem = identifierProblem {
      var known: Set<String> = []
      let valid = AssetPackIdentifier.make(from: assetPackID.value, except: &known)
      findings.report(
        .assetPackID, severity: severity, problem, at: assetPackID.location, notes: [note],
        fix: Fix(assetPackID.location, valid, isCertain: false))
    }
    if let userInfo {
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
    let identifier = assetPackID.value
    if let wrong = identifier.unicodeScalars.first(where: { !isAllowed($0) }) {
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

  private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-": true
    default: false
    }
  }
}

extension Selection {
  /// Files that `manifest` selects and that are unreliable on devices: stray and empty files, and
  /// names that clash on volumes that ignore case or normalization.
  package func storeFindings(of manifest: Manifest) -> [Finding] {
    storeFindings(of: manifest, RuleSettings().scope(manifest: nil, root: nil))
  }

  /// The same, without files for which `scope` turns a rule off.
  func storeFindings(of manifest: Manifest, _ scope: RuleSettings.Scope) -> [Finding] {
    var clashes = NameClashes(manifest)
    clashes.check(files)
    return
      (clashes.findings + FileRule.stray.findings(files, manifest, scope)
      + FileRule.empty.findings(files, manifest, scope)).limited()
  }
}
