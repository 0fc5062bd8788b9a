/// A language as devices compare it: a canonical tag with its likely subtags, so that `en`, `en-US`
/// and `en-Latn-US` are the same language, and so are `iw` and `he`; `en-CA` is another than `en`.
package struct Language: Hashable, Sendable {
  private let language: String
  fileprivate let script: String
  private let region: String

  /// The language of `tag`, after the canonicalization and Add Likely Subtags of UTS 35, part 1.
  package init(_ tag: some StringProtocol) { self.init(canonical(subtags(tag))) }

  private init(_ tag: Subtags) {
    var (language, script, region) = tag
    if script == "Zzzz" { script = "" }
    if region == "ZZ" { region = "" }
    if script.isEmpty || region.isEmpty, let added = likelySubtags(of: tag) {
      if script.isEmpty { script = added.script }
      if region.isEmpty { region = added.region }
    }
    (self.language, self.script, self.region) = (language, script, region)
  }

  fileprivate func hasName(of other: Language) -> Bool { language == other.language }

  /// The language without a script or a region.
  fileprivate var base: Language { Language((language, "", "")) }

  /// The languages that take the place of this one, the nearest first: by CLDR's parents, and then
  /// without its region. English that isn't American takes British at first.
  fileprivate var parents: [Language] {
    var chain = [self]
    while let last = chain.last {
      let next: Language? =
        if let parent = inherited[last] { parent } else {
          Language((last.language, last.script, ""))
        }
      guard let next, !chain.contains(next) else { break }
      chain.append(next)
    }
    let isBritish =
      !["CA", "IL"].contains(region) && chain.dropFirst().contains(Language("en-001"))
    return (isBritish ? [Language("en-GB")] : []) + chain.dropFirst()
  }
}

/// The language whose packs a system provides by itself: one for all packs of an app.
package struct ResolvedLanguage: Sendable, Equatable {
  /// The tag of the first pack in this language.
  package let tag: String
  /// The tag of the preferred language, or the primary one, that it is resolved for.
  package let wanted: String
  /// Whether Apple's documentation says so; otherwise it is inferred.
  package let isCertain: Bool

  package var language: Language { Language(tag) }

  /// Resolves the language of a player with these preferences among those of all localized packs of
  /// an app; nil if it is none of them, so that the player gets no localized pack.
  ///
  /// - Throws: `PackagingError.severalRegions` where Apple leaves it open, and
  ///   `PackagingError.noPrimaryLanguage` if the primary language would decide.
  init?(_ preferred: [String], primary: String?, among tags: [String]) throws {
    let available = tags.map { (tag: $0, language: Language($0)) }
    func tag(of language: Language) -> String? { available.first { $0.language == language }?.tag }
    for (index, wanted) in (preferred + [primary].compactMap(\.self)).enumerated() {
      let language = Language(wanted)
      let parent = language.parents.lazy.compactMap(tag(of:)).first
      let regions = available.filter { other in
        other.language.hasName(of: language) && other.language.script == language.script
      }.map(\.tag)
      if let equal = tag(of: language) {
        self.init(tag: equal, wanted: wanted, isCertain: true)
        return
      }
      guard let found = parent ?? regions.first else { continue }
      if parent == nil, regions.count > 1 {
        throw PackagingError.severalRegions(of: wanted, regions)
      }
      let resolved = Language(found)
      // What else a system could choose: another region, or a later language that is there.
      let isOnly =
        available.count { $0.language.hasName(of: resolved) } == 1
        && !preferred.dropFirst(index + 1).contains { tag(of: Language($0)) != nil }
      let isDocumented =
        resolved == language.base || resolved == primary.map { Language($0) }
      self.init(tag: found, wanted: wanted, isCertain: isOnly && isDocumented)
      return
    }
    if primary == nil {
      throw PackagingError.noPrimaryLanguage(tags, wanted: preferred)
    }
    return nil
  }

  private init(tag: String, wanted: String, isCertain: Bool) {
    (self.tag, self.wanted, self.isCertain) = (tag, wanted, isCertain)
  }
}

extension Manifest {
  /// The language of a localized pack.
  package var likelyLanguage: Language? { language.map { Language($0) } }
}

/// The tag with the usual codes for those that were replaced; nil if it has none.
func replacement(ofLanguageTag tag: String) -> String? {
  let old = subtags(tag)
  // CLDR keeps the code of Norwegian, which is Bokmål as a rule.
  let new = old.language == "no" ? ("nb", old.script, old.region) : canonical(old)
  return new == old ? nil : joined(new)
}

private typealias Subtags = (language: String, script: String, region: String)

/// The subtags of a tag in their usual case; missing ones are `und` or empty.
private func subtags(_ tag: some StringProtocol) -> Subtags {
  let parts = tag.split(separator: "-")
  var (script, region) = ("", "")
  for part in parts.dropFirst() {
    if part.utf8.count == 4 {
      script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
    } else {
      region = part.uppercased()
    }
  }
  return (parts.first?.lowercased() ?? "und", script, region)
}

private func joined(_ tag: Subtags) -> String {
  [tag.language, tag.script, tag.region].filter { !$0.isEmpty }.joined(separator: "-")
}

/// The subtags with the codes that took the place of old ones.
private func canonical(_ tag: Subtags) -> Subtags {
  var (language, script, region) = tag
  if let new = aliases["\(language)-\(region)"].map(subtags) {
    (language, region) = (new.language, new.region)
  } else if let new = aliases[language].map(subtags) {
    language = new.language
    if script.isEmpty { script = new.script }
    if region.isEmpty { region = new.region }
  }
  if let regions = regionsInstead[region] {
    let usual = likelySubtags(of: (language, script, ""))?.region
    region = regions.first { $0 == usual } ?? regions[0]
  }
  return (language, script == "Qaai" ? "Zinh" : script, region)
}

private func likelySubtags(of tag: Subtags) -> Subtags? {
  let (language, script, region) = (
    tag.language, tag.script == "Zzzz" ? "" : tag.script, tag.region == "ZZ" ? "" : tag.region
  )
  let keys = [
    (language, script, region), (language, "", region), (language, script, ""),
    (language, "", ""), ("", script, ""),
  ]
  return keys.lazy.compactMap { likely[joined($0)] }.first.map { subtags("und-\($0)") }
}

/// The first words of the lines of each table in `language-tables.txt`, by each of the others.
private let firstWords = tables(in: PackageResources.language_tables_txt).mapValues { lines in
  var first: [String: String] = [:]
  for line in lines {
    let words = line.split(separator: " ").map(String.init)
    for word in words.dropFirst() { first[word] = words[0] }
  }
  return first
}

/// The subtags to add, by the tag that they are added to.
private let likely = firstWords["likelySubtags"] ?? [:]
/// The tags that took the place of others.
private let aliases = firstWords["languageAliases"] ?? [:]
private let regionsInstead = (firstWords["regionAliases"] ?? [:]).mapValues {
  $0.split(separator: ",").map(String.init)
}
/// The parents of languages that don't inherit from themselves without a region; nil for none.
private let inherited: [Language: Language?] = {
  var inherited: [Language: Language?] = [:]
  for (tag, parent) in firstWords["parentLanguages"] ?? [:] {
    inherited[Language(tag)] = .some(parent == "root" ? nil : Language(parent))
  }
  return inherited
}()
