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

/// A manifest and the files that it selects; nil where the files are left alone.
public struct CheckedPack: Sendable {
  /// The manifest.
  public let manifest: Manifest
  /// Its files.
  public let selection: Selection?

  /// A manifest with its files.
  public init(_ manifest: Manifest, _ selection: Selection?) {
    self.manifest = manifest
    self.selection = selection
  }
}

/// What is wrong with packs of one app together, though each may be right by itself: one identifier
/// twice, different contents at one path (devices merge all packs into one folder), and more than
/// App Store Connect takes.
public func findings(of packs: [CheckedPack], _ hosting: Hosting) -> [Finding] {
  repeatedIdentifiers(packs) + contentsClashes(packs)
    + (hosting == .apple ? storeLimits(packs) : [])
}

private func repeatedIdentifiers(_ packs: [CheckedPack]) -> [Finding] {
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
private let largestPacks: UInt64 = 200_000_000_000
private let mostPacks = 200

private func storeLimits(_ packs: [CheckedPack]) -> [Finding] {
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
