extension Rule {
  /// A released file is in no pack.
  public static let pathRemoved = Rule(
    "path-removed", .error, .releases, "A released file is in no pack", adjustment: .all)
  /// A released pack has no manifest.
  public static let packRemoved = Rule(
    "pack-removed", .error, .releases, "A released pack has no manifest", adjustment: .all)
  /// A released file is in another pack.
  public static let pathMoved = Rule(
    "path-moved", .warning, .releases, "A released file is in another pack")
  /// A released file has another hash in its name.
  public static let pathRenamed = Rule(
    "path-renamed", .warning, .releases, "A released file has another hash in its name")
  /// A pack that came by itself is now on demand.
  public static let policyChanged = Rule(
    "policy-changed", .warning, .releases, "A pack that came by itself is now on demand")
  /// A pack lacks a platform it was released for.
  public static let platformDropped = Rule(
    "platform-dropped", .error, .releases, "A pack lacks a platform it was released for",
    adjustment: .all)
  /// A released pack has another language.
  public static let languageChanged = Rule(
    "language-changed", .error, .releases, "A released pack has another language", adjustment: .all)
  /// An identifier with a version.
  public static let versionInID = Rule(
    "version-in-id", .warning, .releases, "An identifier with a version")
}

/// A pack of a release.
private typealias OldPack = (manifest: Manifest, paths: [RelativePath])

/// What builds of an app that read `released` packs, of one release or several in any order, miss in
/// the packs with the manifests `now` and these paths. The index of a pack of `now` is in
/// ``Finding/manifests``.
package func releaseFindings(
  since released: [PackIndex], in now: [Manifest], _ paths: AppPaths, hosting: Hosting?
) -> [Finding] {
  let old = Dictionary(
    grouping: zip(released, AppPaths(released).packs).compactMap { pack, paths in
      pack.manifest.map { (manifest: $0, paths: paths) }
    }, by: \.manifest.assetPackID)
  let current = Dictionary(now.indices.map { (now[$0].assetPackID, $0) }) { first, _ in first
  }
  let names = paths.withoutHashes
  let platforms = Set(
    Platform.all(in: (now + released.compactMap(\.manifest)).map(\.platforms)))
  var findings: [Finding] = []
  for (identifier, packs) in old.sorted(by: { $0.key < $1.key }) {
    if let index = current[identifier] {
      let release = ReleasedPack(
        old: packs, index: index, now: now, hosting: hosting, allPlatforms: platforms)
      findings += release.changedManifest + release.lostPaths(paths, names)
    } else {
      findings.append(removed(identifier, packs, paths))
    }
  }
  if hosting == .ownServer { return findings }
  return findings + identifiersWithVersions(old, now, current, paths)
}

private func removed(_ identifier: String, _ packs: [OldPack], _ now: AppPaths) -> Finding {
  let paths = Set(packs.flatMap(\.paths))
  let lost = paths.count { now[$0].isEmpty }
  let message =
    "no pack has the identifier '\(printable(identifier.utf8))', which was released"
  guard !paths.isEmpty else { return Finding(.packRemoved, message, at: nil) }
  let files = counted(paths.count, "file")
  let rest =
    switch lost {
    case 0: "in other packs now"
    case paths.count: "in no pack now"
    default: "\(grouped(lost)) of them in no pack now"
    }
  return Finding(.packRemoved, message, at: nil, notes: [Note("it had \(files), \(rest)")])
}

/// The versions of a released pack that builds may have, and the pack that replaces them.
private struct ReleasedPack {
  let old: [OldPack]
  let index: Int
  let now: [Manifest]
  let hosting: Hosting?
  /// Those that are known, and others in any of these packs.
  let allPlatforms: Set<Platform>

  private var pack: Manifest { now[index] }
  private var location: SourceLocation? { pack.writtenID.location.ifWritten }
  private var name: String { "'\(pack.name)'" }

  private func report(
    _ rule: Rule, _ message: String, at location: SourceLocation? = nil, notes: [Note?] = [],
    also others: [Int] = [], _ findings: inout [Finding]
  ) {
    findings.report(
      rule, message, at: location ?? self.location, notes: notes, manifests: [index] + others)
  }

  /// Changes of the policy, the platforms and the language.
  var changedManifest: [Finding] {
    var findings: [Finding] = []
    let policies = old.map(\.manifest.downloadPolicy).filter { $0.kind.isKnown && $0 != .onDemand }
    if pack.downloadPolicy == .onDemand, let policy = policies.map(\.kind.shown).min() {
      report(
        .policyChanged,
        "\(name) was released as \(policy) and is onDemand now: builds that don't ask for it"
          + " never get it", &findings)
    }
    let dropped = old.reduce(into: Set<Platform>()) { $0.formUnion(platforms(of: $1.manifest)) }
      .subtracting(platforms(of: pack))
    if !dropped.isEmpty {
      report(
        .platformDropped,
        "\(name) was released for \(dropped.inOrder.shown) and is not any more"
          + (hosting == .ownServer ? "" : "; App Store Connect rejects that (ITMS-91148)"),
        &findings)
    }
    let language = pack.language
    let others = old.map(\.manifest.language).filter { !isSame($0, language) }
    if let other = others.map(words).min() {
      report(
        .languageChanged,
        "\(name) was released \(other) and is \(words(language)) now",
        at: pack.writtenLanguage?.location.ifWritten, &findings)
    }
    return findings
  }

  /// The paths that the pack lost, as a finding for those in no pack, one for those with another
  /// hash, which `renamed` lacks, and one for each pack that has the others.
  func lostPaths(_ paths: AppPaths, _ renamed: AppPaths) -> [Finding] {
    var missing: Set<RelativePath> = []
    var found: [RelativePath: Int] = [:]
    var names: [RelativePath: RelativePath] = [:]
    for old in old {
      /// The first of these files whose packs devices with the old one get; nil if not all do.
      func owner(among files: some Sequence<AppPaths.Owner>) -> AppPaths.Owner? {
        let platforms = platforms(of: old.manifest)
        let fitting = files.filter {
          now[$0.pack].isFor(old.manifest.language)
            && !self.platforms(of: now[$0.pack]).isDisjoint(with: platforms)
        }
        let left = fitting.reduce(platforms) { $0.subtracting(self.platforms(of: now[$1.pack])) }
        return left.isEmpty ? fitting.first : nil
      }
      /// By name without hash, so that each is looked for once.
      var renames: [RelativePath: AppPaths.Owner?] = [:]
      func rename(of name: RelativePath) -> AppPaths.Owner? {
        if let known = renames[name] { return known }
        let others = renamed[name].filter { paths.packs[$0.pack][$0.file] != name }
        let owner = others.first { $0.pack == index } ?? owner(among: others)
        renames[name] = .some(owner)
        return owner
      }
      for path in old.paths where !paths[path].contains(where: { $0.pack == index }) {
        if let pack = owner(among: paths[path])?.pack {
          found[path] = min(pack, found[path] ?? pack)
          continue
        }
        let name = path.withoutHash
        if name != path, let owner = rename(of: name) {
          let other = paths.packs[owner.pack][owner.file]
          names[path] = min(other, names[path] ?? other)
        } else {
          missing.insert(path)
        }
      }
    }
    let moved = Dictionary(grouping: found.filter { !missing.contains($0.key) }, by: \.value)
    let lost = missing.sorted()
    var findings: [Finding] = []
    if let first = lost.first {
      let near = paths[first].first?.pack
      report(
        .pathRemoved, "\(name) was released with '\(first)', which is in no pack now",
        notes: [
          Note(onOtherFiles: lost.dropFirst().lazy.map { "'\($0)'" }),
          near.map { note(on: first, in: $0) },
        ], also: near.map { [$0] } ?? [], &findings)
    }
    let hashed = names.keys.filter { !missing.contains($0) }.sorted()
    if let first = hashed.first, let name = names[first] {
      report(
        .pathRenamed,
        "\(self.name) was released with '\(first)', which was renamed '\(name)'",
        notes: [Note(onOtherFiles: hashed.dropFirst().lazy.map { "'\($0)'" })], &findings)
    }
    for (owner, paths) in moved.sorted(by: { $0.key < $1.key }) {
      let paths = paths.map(\.key).sorted()
      let other = now[owner].writtenID
      report(
        .pathMoved,
        "\(name) was released with '\(paths[0])', which is in"
          + " '\(printable(other.value.utf8))' now",
        notes: [
          Note(onOtherFiles: paths.dropFirst().lazy.map { "'\($0)'" }),
          other.location.ifWritten.map { Note("that pack is here", at: $0) },
        ], also: [owner], &findings)
    }
    return findings
  }

  /// Why the pack that has a lost path doesn't count.
  private func note(on path: RelativePath, in owner: Int) -> Note {
    let other = now[owner]
    let platforms = platforms(of: other)
    let limits = [
      platforms.count == allPlatforms.count ? nil : platforms.inOrder.shown,
      other.language.map { "the language \(printable($0.utf8))" },
    ]
    return Note(
      "'\(other.name)' has it, but is only for "
        + limits.compactMap(\.self).joined(separator: " and "),
      at: other.writtenID.location.ifWritten)
  }

  /// The platforms of a pack, which are all that there are if it lists none.
  private func platforms(of manifest: Manifest) -> Set<Platform> {
    manifest.platforms.isEmpty ? allPlatforms : Set(manifest.platforms)
  }

  private func words(_ language: String?) -> String {
    language.map { "for the language \(printable($0.utf8))" } ?? "for all languages"
  }
}

extension Manifest {
  /// Whether devices that got a pack for `language` also get this one.
  fileprivate func isFor(_ language: String?) -> Bool {
    self.language == nil || isSame(self.language, language)
  }
}

private func isSame(_ one: String?, _ other: String?) -> Bool {
  one.map { Language($0) } == other.map { Language($0) }
}

extension SourceLocation {
  /// Nil for a manifest without a text.
  fileprivate var ifWritten: SourceLocation? { range.isEmpty ? nil : self }
}

/// New identifiers that differ from a released one only in a version.
private func identifiersWithVersions(
  _ old: [String: [OldPack]], _ now: [Manifest], _ current: [String: Int], _ paths: AppPaths
) -> [Finding] {
  var released: [[UInt8]: [String]] = [:]
  for identifier in old.keys.sorted() {
    released[withoutVersion(identifier), default: []].append(identifier)
  }
  return now.indices.compactMap { index in
    let identifier = now[index].writtenID
    let stem = withoutVersion(identifier.value)
    guard !stem.isEmpty, old[identifier.value] == nil,
      // A series of packs, such as chapters, has other files in each.
      let earlier = released[stem]?.last(where: { earlier in
        current[earlier] == nil
          || old[earlier, default: []].contains {
            $0.paths.contains { paths[$0].contains { $0.pack == index } }
          }
      })
    else { return nil }
    return Finding(
      .versionInID,
      "'\(printable(identifier.value.utf8))' differs from the released"
        + " '\(printable(earlier.utf8))' only in a version; App Store Connect keeps the versions of"
        + " each identifier",
      at: identifier.location.ifWritten, manifests: [index])
  }
}

/// The words of an identifier, without numbers (`2`, `v2`, the end of `level07`) and without a
/// hexadecimal word at the end.
private func withoutVersion(_ identifier: String) -> [UInt8] {
  var words = identifier.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
    .map(Array.init)
  if let last = words.last, last.count >= 6, last.contains(where: ASCII.isDigit),
    last.allSatisfy({ ASCII.hexadecimalValue($0) != nil })
  {
    words.removeLast()
  }
  return Array(
    words.compactMap { word in
      let name = word.prefix { !ASCII.isDigit($0) }
      let rest = word.dropFirst(name.count)
      guard !rest.isEmpty, rest.allSatisfy(ASCII.isDigit) else { return word[...] }
      return name.isEmpty || ["v", "V"].contains(String(decoding: name, as: UTF8.self)) ? nil : name
    }.joined(separator: [UInt8(ascii: "-")]))
}
