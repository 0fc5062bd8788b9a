import BAPackCore

extension TagConversion {
  private static let initialKey = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"
  private static let prefetchKey = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"

  /// The download policies of tags that are in the build settings.
  mutating func policies() -> [String: DownloadPolicy] {
    let initial = buildSettings.words(Self.initialKey)
    let prefetched = buildSettings.words(Self.prefetchKey)
    for finding in buildSettings.fileFindings + buildSettings.findings(Self.initialKey)
      + buildSettings.findings(Self.prefetchKey)
    {
      report(finding)
    }
    if buildSettings.words("ENABLE_ON_DEMAND_RESOURCES").first?.uppercased() == "NO" {
      report(
        .onDemandSettings, "On-Demand Resources are disabled in this target",
        buildSettings.location("ENABLE_ON_DEMAND_RESOURCES"))
    }
    let events = InstallationEventType.allCases
    var policies: [String: DownloadPolicy] = [:]
    for tag in prefetched { policies[tag] = .prefetch(events) }
    for tag in initial { policies[tag] = .essential(events) }
    for (key, words) in [(Self.initialKey, initial), (Self.prefetchKey, prefetched)] {
      for tag in words where paths[tag] == nil && !tag.contains("$") {
        report(
          .onDemandTag, "the tag '\(printable(tag.utf8))' in \(key) has no files to package",
          buildSettings.location(key))
      }
    }
    let used = prefetched.filter { paths[$0] != nil && policies[$0] == .prefetch(events) }
    if let first = used.first, let second = used.first(where: { $0 != first }) {
      report(
        .onDemandOrder,
        "packs have no order: '\(printable(second.utf8))' may be downloaded before "
          + "'\(printable(first.utf8))'", buildSettings.location(Self.prefetchKey))
    }
    // A tag whose files are missing is reported with them.
    if !findings.hasErrors { reportUnusedTags(Set(initial + prefetched)) }
    return policies
  }

  private mutating func reportUnusedTags(_ reported: Set<String>) {
    for tag in project.root["attributes"]?["KnownAssetTags"]?.array ?? [] {
      guard let name = tag.string, paths[name] == nil, !reported.contains(name) else { continue }
      report(
        .onDemandTag, "the tag '\(printable(name.utf8))' has no files to package in this target",
        location(tag.range))
    }
  }
}
