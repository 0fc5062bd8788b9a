import BAPackCore

extension AppInfo {
  package func check(_ source: SourceText) -> [Finding] {
    do {
      return check(try PropertyList(source, isInfo: true))
    } catch {
      return [error]
    }
  }

  func check(_ list: PropertyList) -> [Finding] {
    var check = AppInfoCheck(info: self, source: list.source, root: list.root)
    check.run()
    return check.findings.sortedByLocation()
  }
}

private struct AppInfoCheck {
  let info: AppInfo
  let source: SourceText
  let root: PropertyListValue
  private(set) var findings: [Finding] = []

  private var missing: Set<String> = []

  init(info: AppInfo, source: SourceText, root: PropertyListValue) {
    self.info = info
    self.source = source
    self.root = root
  }

  mutating func run() {
    checkDuplicates(root)
    checkTrue("BAHasManagedAssetPacks")
    checkText("BAAppGroupID", info.appGroup)
    switch info.hosting {
    case .apple:
      checkTrue("BAUsesAppleHosting")
      checkOthersAreAbsent()
    case .`self`:
      if let flag = root["BAUsesAppleHosting"], !isFalse(flag) {
        report(
          .appInfoValue,
          "'BAUsesAppleHosting' must be absent or false for packs on your own server",
          flag)
      }
      if !reportsScheme() { checkText("BAManifestURL", info.manifestURL) }
      checkHosts()
      for size in info.sizes { check(size) }
    }
  }

  private mutating func checkDuplicates(_ value: PropertyListValue) {
    var seen: Set<String> = []
    for member in value.dictionary ?? [] where member.key.hasPrefix("BA") {
      if !seen.insert(member.key).inserted {
        report(
          .appInfoValue, "'\(member.key)' is there twice", at: member.keyRange)
      }
      if member.key == AppInfo.restrictions { checkDuplicates(member.value) }
    }
  }

  private mutating func checkTrue(_ key: String) {
    guard let value = value([key]) else { return }
    if case .boolean(true) = value.content { return }
    report(.appInfoValue, "'\(key)' must be true", value)
  }

  private func isFalse(_ value: PropertyListValue) -> Bool {
    if case .boolean(false) = value.content { true } else { false }
  }

  private mutating func checkText(_ key: String, _ expected: String?) {
    guard let value = value([key]), let text = text(value, key) else { return }
    if text.isEmpty { return report(.appInfoValue, "'\(key)' is empty", value) }
    guard let expected, !text.utf8.elementsEqual(expected.utf8), !hasVariable(text) else { return }
    report(
      .appInfoValue,
      "'\(key)' is '\(printable(text.utf8))', not '\(printable(expected.utf8))'", value)
  }

  /// Reports a manifest's URL without TLS; false if there is nothing to report.
  private mutating func reportsScheme() -> Bool {
    guard let value = root["BAManifestURL"], let url = value.string, !url.isEmpty,
      !hasVariable(url), !url.lowercased().hasPrefix("https://")
    else { return false }
    report(.appInfoValue, "'BAManifestURL' must begin with 'https://'", value)
    return true
  }

  /// Apple: "omit all other Background Assets information property list keys".
  private mutating func checkOthersAreAbsent() {
    let others = [
      "BAManifestURL", AppInfo.restrictions, "BAEssentialMaxInstallSize", "BAMaxInstallSize",
    ]
    for member in root.dictionary ?? [] where others.contains(member.key) {
      report(
        .appInfoExtra, "'\(member.key)' must be absent for packs that Apple hosts",
        at: member.keyRange)
    }
  }

  private mutating func checkHosts() {
    guard let list = value([AppInfo.restrictions, AppInfo.domains]) else { return }
    guard let elements = list.array else {
      return report(
        .appInfoValue, "'\(AppInfo.domains)' must be an array, not \(list.kindName)", list)
    }
    let domains = elements.compactMap(\.string)
    for element in elements {
      guard let domain = element.string else {
        report(.appInfoValue, "a domain must be a string, not \(element.kindName)", element)
        continue
      }
      if domain.isEmpty || domain.contains("/") || domain.contains(":") {
        report(
          .appInfoValue,
          "'\(printable(domain.utf8))' is not a domain; write it without scheme, port and path",
          element)
      }
    }
    if domains.contains(where: hasVariable) { return }
    for host in info.hosts where !domains.contains(where: { allows($0, host) }) {
      report(.appInfoDomain, "no domain in '\(AppInfo.domains)' allows '\(host)'", list)
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
        .appInfoValue, severity: .warning,
        "'\(key)' is a build setting, '\(printable(text.utf8))', whose value is not known here",
        value)
    }
    guard let stated = value.size else {
      return report(.appInfoValue, "'\(key)' must be a number of bytes", value)
    }
    guard stated < size.least else { return }
    report(
      .appInfoSize,
      "'\(key)' is \(grouped(stated)), but \(size.subject) \(counted(size.least, "byte"))", value,
      note: info.downloads.isUpperBound && size.path.count == 2
        ? "before compression; give the packs instead of their manifests for the exact size" : nil)
  }

  // MARK: Values

  /// The value at `path`. A missing value is a finding, unless its dictionary is missing too, which
  /// is reported once.
  private mutating func value(_ path: [String]) -> PropertyListValue? {
    var value = root
    for (depth, key) in path.enumerated() {
      guard value.dictionary != nil else {
        if depth > 0, !isReported(value.range) {
          report(
            .appInfoValue, "'\(path[depth - 1])' must be a dictionary, not \(value.kindName)", value
          )
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

  private func isReported(_ range: Range<Int>) -> Bool {
    !range.isEmpty && findings.contains { $0.location?.range == range }
  }

  private mutating func reportMissing(_ key: String, in value: PropertyListValue) {
    guard missing.insert(key).inserted else { return }
    let near = (value.dictionary ?? []).first { $0.key.lowercased() == key.lowercased() }
    report(
      .appInfoMissing, "'\(key)' is missing", at: near?.keyRange ?? openingTag(of: value),
      note: near.map { "'\(printable($0.key.utf8))' differs in case" })
  }

  private func openingTag(of value: PropertyListValue) -> Range<Int> {
    // A binary list has no text.
    guard let end = source.bytes[value.range].firstIndex(of: UInt8(ascii: ">")) else {
      return value.range.lowerBound..<value.range.lowerBound
    }
    return value.range.lowerBound..<(end + 1)
  }

  private mutating func text(_ value: PropertyListValue, _ key: String) -> String? {
    if value.string == nil {
      report(.appInfoValue, "'\(key)' must be a string, not \(value.kindName)", value)
    }
    return value.string
  }

  private mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, _ value: PropertyListValue,
    note: String? = nil
  ) {
    report(rule, severity: severity, message, at: value.range, note: note)
  }

  private mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, at range: Range<Int>,
    note: String? = nil
  ) {
    findings.append(
      Finding(
        rule, severity: severity, message, at: SourceLocation(source, range),
        notes: note.map { [Note($0)] } ?? []))
  }
}
