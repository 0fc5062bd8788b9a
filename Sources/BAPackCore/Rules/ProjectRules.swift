extension Rule {
  /// The project file is invalid.
  public static let projectFile = Rule(
    "project-file", .error, .project, "The project file is invalid")
  /// Packs are larger than their budget.
  public static let sizeBudget = Rule(
    "size-budget", .warning, .project, "Packs are larger than their budget")
}

/// The maximum sizes of packs before compression.
package struct SizeBudgets: Sendable {
  /// Limits by the name of the download policy: for the sum of essential packs, for each other one.
  package var policies: [String: UInt64] = ["essential": 200_000_000]
  /// Limits by identifier, which take precedence over those of a single pack's policy.
  package var packs: [String: UInt64] = [:]

  /// 200 MB for essential packs, no limit for others.
  package init() {}

  /// The limit of a pack by itself.
  package func limit(of manifest: Manifest) -> UInt64? {
    let policy = manifest.downloadPolicy.kind
    return packs[manifest.assetPackID]
      ?? (policy == .essential ? nil : policies[policy.rawValue])
  }

  /// A finding if the files of a pack exceed its budget.
  func findings(_ manifest: Manifest, _ selection: Selection) -> [Finding] {
    let identifier = manifest.writtenID
    guard let limit = limit(of: manifest), selection.size > limit else { return [] }
    let owner =
      packs[identifier.value] == nil ? "'\(manifest.downloadPolicy.kind.shown)' packs" : "this pack"
    return [
      finding(
        "the files have \(byteCount(selection.size, besides: limit)); the budget of \(owner) is \(byteCount(limit, besides: selection.size))",
        at: identifier.location, largest: selection.files.map { ("\($0.source)", $0.size) })
    ]
  }

  /// A finding if the packs that a player's installation or update waits for exceed their budget.
  func findings(inPacks packs: [CheckedPack], _ players: Players) -> [Finding] {
    guard let limit = policies["essential"] else { return [] }
    let sizes = packs.map { $0.selection?.size ?? 0 }
    for event in InstallationEventType.known {
      func waits(for pack: Int) -> Bool {
        packs[pack].manifest.downloadPolicy.isEssential(at: event)
      }
      let (player, size) = players.largest { waits(for: $0) ? sizes[$0] : 0 }
      let waiting = player.packs.filter(waits)
      guard size > limit, let largest = waiting.max(by: { sizes[$0] < sizes[$1] }) else { continue }
      let names = waiting.map { packs[$0].manifest.name }
      let files = packs[largest].selection?.files.map { ("\($0.source)", $0.size) } ?? []
      return [
        finding(
          (waiting.count == 1
            ? "the files have \(byteCount(size, besides: limit))"
            : "\(event.verb) the app waits for"
              + " \(waiting.count) packs with \(byteCount(size, besides: limit))"
              + (player.words("in").map { " " + $0 } ?? ""))
            + "; the budget of 'essential' packs is \(byteCount(limit, besides: size))",
          at: packs[largest].manifest.writtenID.location,
          largest: waiting.count == 1 ? files : Array(zip(names, waiting.map { sizes[$0] })),
          manifests: [largest])
      ]
    }
    return []
  }

  private func finding(
    _ message: String, at location: SourceLocation, largest: [(name: String, size: UInt64)],
    manifests: [Int] = []
  ) -> Finding {
    let shown = largest.sorted { $0.size > $1.size }.prefix(3)
      .map { "'\($0.name)' (\(byteCount($0.size)))" }
    return Finding(
      .sizeBudget, message, at: location,
      notes: [Note("the largest: " + shown.joined(separator: ", "))], manifests: manifests)
  }
}
