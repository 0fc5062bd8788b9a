/// Who serves the packs to devices.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, after an upload to App Store Connect.
  case apple
  /// The developer's own server, which is free of the store's rules.
  case `self`
}

extension Manifest {
  /// What App Store Connect would refuse after the upload: identifiers that break ITMS-91133, and
  /// `userInfo`. Nothing for self-hosted packs.
  public func storeFindings(_ hosting: Hosting) -> [Finding] {
    guard hosting == .apple else { return [] }
    var findings: [Finding] = []
    if let problem = identifierProblem {
      findings.append(Finding(.assetPackID, problem, at: assetPackID.location))
    }
    if let userInfo {
      findings.append(
        Finding(
          .userInfoHosting, "'userInfo' is for self-hosted packs; App Store Connect refuses it",
          at: SourceLocation(
            source,
            userInfo.range.lowerBound..<min(userInfo.range.lowerBound + 1, source.bytes.count))))
    }
    return findings
  }

  private var identifierProblem: String? {
    let identifier = assetPackID.value
    if let wrong = identifier.unicodeScalars.first(where: { !isAllowed($0) }) {
      let shown = printable(String(wrong).utf8)
      return "'\(shown)' in 'assetPackID'; App Store Connect takes ASCII letters, digits and"
        + " hyphens only (ITMS-91133)"
    }
    if identifier.hasPrefix("-") || identifier.hasSuffix("-") {
      return "'assetPackID' \(identifier.hasPrefix("-") ? "begins" : "ends") with a hyphen, which"
        + " App Store Connect refuses (ITMS-91133)"
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
  /// What the store, devices and other volumes would stumble over in the files that `manifest`
  /// selects: stray files, names that clash where case or normalization does not count, and, for
  /// packs that Apple hosts, executable code.
  public func storeFindings(of manifest: Manifest, _ hosting: Hosting) -> [Finding] {
    var clashes = NameClashes(manifest)
    clashes.check(files)
    let code = hosting == .apple ? MachO.findings(self, manifest) : []
    return (clashes.findings + StrayFiles.findings(files, manifest) + code).limited()
  }
}
