import BAPackCore

extension AppInfo {
  /// Findings about the `Info.plist` at `path`. Throws if it is a bundle, an archive or binary.
  package func check(_ path: BytePath) throws -> [Finding] {
    if try FileStatus.following(path).kind == .directory {
      let list = try ["Contents/Info.plist", "Info.plist"].map { path.appending($0.utf8) }
        .first { try FileStatus.ifPresent($0) != nil }
      throw PackagingError(
        "'\(path)' is a folder; name the app's Info.plist" + (list.map { ": '\($0)'" } ?? " in it"))
    }
    if path.hasExtension("ipa") {
      throw PackagingError(
        "'\(path)' is an archive; unzip it, and name the Info.plist of the app in 'Payload'")
    }
    let bytes = try path.contents(limit: PropertyListLimits.size)
    if bytes.isBinaryPropertyList {
      throw PackagingError(
        "'\(path)' is a binary property list; check the XML of 'plutil -convert xml1 -o Info.xml "
          + "\(path)'")
    }
    return check(SourceText(name: path.bytes, bytes: bytes))
  }

  package func check(_ source: SourceText) -> [Finding] {
    do throws(Finding) {
      let root = try XMLPropertyListReader.read(source)
      guard root.object != nil else {
        throw Finding(
          .propertyListSyntax, "an Info.plist is a dictionary, not \(root.listKind)",
          at: SourceLocation(source, root.range))
      }
      var check = AppInfoCheck(info: self, source: source, root: root)
      check.run()
      return check.findings.sortedByLocation().limited()
    } catch {
      return [error]
    }
  }
}

private struct AppInfoCheck {
  let info: AppInfo
  let source: SourceText
  let root: JSONValue
  var findings: [Finding] = []
  /// The keys that were reported as missing.
  var missing: Set<String> = []

  mutating func run() {
    checkDuplicates(root)
    checkTrue("BAHasManagedAssetPacks")
    checkText("BAAppGroupID", info.appGroup)
    switch info.hosting {
    case .apple:
      checkTrue("BAUsesAppleHosting")
      checkOthersAreAbsent()
    case .ownServer:
      if let flag = root["BAUsesAppleHosting"], flag.flag != false {
        report(
          "'BAUsesAppleHosting' must be absent or false for packs on your own server",
          at: flag.range)
      }
      if !reportsScheme() { checkText("BAManifestURL", info.manifestURL) }
      checkHosts()
      for size in info.sizes { check(size) }
    }
  }

  private mutating func checkDuplicates(_ value: JSONValue) {
    var seen: Set<String> = []
    for member in value.object ?? [] where member.key.hasPrefix("BA") {
      if !seen.insert(member.key).inserted {
        report("'\(member.key)' is there twice", at: member.keyRange)
      }
      if member.key == AppInfo.restrictions { checkDuplicates(member.value) }
    }
  }

  private mutating func checkTrue(_ key: String) {
    guard let value = value([key]), value.flag != true else { return }
    report("'\(key)' must be true", at: value.range)
  }

  private mutating func checkText(_ key: String, _ expected: String?) {
    guard let value = value([key]) else { return }
    guard let text = value.string else {
      return report("'\(key)' must be a string, not \(value.listKind)", at: value.range)
    }
    if text.isEmpty { return report("'\(key)' is empty", at: value.range) }
    guard let expected, !text.utf8.elementsEqual(expected.utf8), !hasVariable(text) else { return }
    report(
      "'\(key)' is '\(printable(text.utf8))', not '\(printable(expected.utf8))'", at: value.range)
  }

  /// Reports a manifest's URL without TLS; false if there is nothing to report.
  private mutating func reportsScheme() -> Bool {
    guard let value = root["BAManifestURL"], let url = value.string, !url.isEmpty,
      !hasVariable(url), !url.lowercased().hasPrefix("https://")
    else { return false }
    report("'BAManifestURL' must begin with 'https://'", at: value.range)
    return true
  }

  /// Apple: "omit all other Background Assets information property list keys".
  private mutating func checkOthersAreAbsent() {
    let others = [
      "BAManifestURL", AppInfo.restrictions, "BAEssentialMaxInstallSize", "BAMaxInstallSize",
    ]
    for member in root.object ?? [] where others.contains(member.key) {
      report(
        "'\(member.key)' must be absent for packs that Apple hosts", at: member.keyRange,
        .appInfoExtra)
    }
  }

  private mutating func checkHosts() {
    guard let list = value([AppInfo.restrictions, AppInfo.domains]) else { return }
    guard let elements = list.array else {
      return report(
        "'\(AppInfo.domains)' must be an array, not \(list.listKind)", at: list.range)
    }
    let domains = elements.compactMap(\.string)
    for element in elements {
      guard let domain = element.string else {
        report("a domain must be a string, not \(element.listKind)", at: element.range)
        continue
      }
      if domain.isEmpty || domain.contains("/") || domain.contains(":") {
        report(
          "'\(printable(domain.utf8))' is not a domain; write it without scheme, port and path",
          at: element.range)
      }
    }
    if domains.contains(where: hasVariable) { return }
    for host in info.hosts where !domains.contains(where: { allows($0, host) }) {
      report(
        "no domain in '\(AppInfo.domains)' allows '\(host)'", at: list.range, .appInfoDomain)
    }
  }

  /// Whether `domain`, which may begin with `*.`, allows `host`.
  private func allows(_ domain: String, _ host: String) -> Bool {
    let domain = domain.lowercased()
    guard domain.hasPrefix("*") else { return domain == host.lowercased() }
    return host.lowercased().hasSuffix(domain.dropFirst())
  }

  private mutating func check(_ size: AppInfo.Size) {
    guard let value = value(size.path) else { return }
    let key = size.path[size.path.count - 1]
    if let text = value.string, hasVariable(text) {
      return report(
        "'\(key)' is a build setting, '\(printable(text.utf8))', whose value is not known here",
        at: value.range, severity: .warning)
    }
    guard let stated = value.count else {
      return report("'\(key)' must be a number of bytes", at: value.range)
    }
    guard stated < size.least else { return }
    report(
      "'\(key)' is \(grouped(stated)), but \(size.subject) \(counted(size.least, "byte"))",
      at: value.range, .appInfoSize,
      note: info.downloads.isUpperBound && size.path.count == 2
        ? "before compression; give the packs instead of their manifests for the exact size" : nil)
  }

  // MARK: Values

  /// The value at `path`. A missing value is a finding, unless its dictionary is missing too, which
  /// is reported once.
  private mutating func value(_ path: [String]) -> JSONValue? {
    var value = root
    for (depth, key) in path.enumerated() {
      guard value.object != nil else {
        let isReported =
          !value.range.isEmpty && findings.contains { $0.location?.range == value.range }
        if !isReported {
          report(
            "'\(path[depth - 1])' must be a dictionary, not \(value.listKind)", at: value.range)
        }
        return nil
      }
      guard let next = value[key] else {
        reportMissing(key, in: value)
        return nil
      }
      value = next
    }
    return value
  }

  private mutating func reportMissing(_ key: String, in value: JSONValue) {
    guard missing.insert(key).inserted else { return }
    let near = (value.object ?? []).first { $0.key.lowercased() == key.lowercased() }
    report(
      "'\(key)' is missing", at: near?.keyRange ?? openingTag(of: value), .appInfoMissing,
      note: near.map { "'\(printable($0.key.utf8))' differs in case" })
  }

  private func openingTag(of value: JSONValue) -> Range<Int> {
    guard let end = source.bytes[value.range].firstIndex(of: UInt8(ascii: ">")) else {
      return value.range.lowerBound..<value.range.lowerBound
    }
    return value.range.lowerBound..<(end + 1)
  }

  private mutating func report(
    _ message: String, at range: Range<Int>, _ rule: Rule = .appInfoValue,
    severity: Severity? = nil, note: String? = nil
  ) {
    findings.report(
      rule, severity: severity, message, at: SourceLocation(source, range),
      notes: [note.map { Note($0) }])
  }
}

/// Whether a text contains a build setting: `$(NAME)` or `${NAME}`.
private func hasVariable(_ text: String) -> Bool { text.contains("$(") || text.contains("${") }
