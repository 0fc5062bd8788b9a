/// The first unregistered part of a syntactically valid language tag, and its kind; nil if all are
/// registered. The registries are ISO 639-1, ISO 15924, and ISO 3166 with the areas of UN M.49, as in
/// RFC 5646; private-use codes are allowed, and so are all languages with three letters.
package func unregisteredPart(ofLanguageTag tag: String) -> (kind: String, part: String)? {
  let parts = tag.split(separator: "-").map(String.init)
  guard let language = parts.first?.lowercased() else { return nil }
  if language.count == 2, !languages.contains(language), !replacedLanguages.contains(language) {
    return ("language", parts[0])
  }
  for part in parts.dropFirst() {
    if part.count == 4 {
      let script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
      if !scripts.contains(script), !("Qaaa"..."Qabx").contains(script) { return ("script", part) }
    } else {
      let region = part.uppercased()
      if !regions.contains(region), !isPrivateRegion(region) { return ("region", part) }
    }
  }
  return nil
}

private func isPrivateRegion(_ region: String) -> Bool {
  region == "AA" || region == "ZZ" || ("QM"..."QZ").contains(region)
    || region.count == 2 && ("XA"..."XZ").contains(region)
}

/// The codes of `language-registry.txt`, by the name of their table.
private let registry = tables(in: PackageResources.language_registry_txt).mapValues { lines in
  Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
}

/// The lines of each table in a file, where an empty line follows it, by its name, which is the first
/// word.
func tables(in bytes: [UInt8]) -> [String: ArraySlice<Substring>] {
  let tables = String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map { table in
    (String(table.prefix { $0 != ":" }), table.split(separator: "\n").dropFirst())
  }
  return Dictionary(tables) { first, _ in first }
}

/// ISO 639-1.
private let languages = registry["languages"] ?? []

/// Earlier codes that are still in use.
private let replacedLanguages: Set = ["bh", "in", "iw", "ji", "jw", "mo", "sh"]

/// ISO 15924.
private let scripts = registry["scripts"] ?? []

/// ISO 3166-1, with reserved and former codes, and the areas of UN M.49.
private let regions = registry["regions"] ?? []

/// Whether `tag` is a BCP-47 language tag (RFC 5646) of a language with an optional script and an
/// optional region, the subtags that manifests use: `de`, `pt-BR`, `zh-Hant-TW`, `es-419`. As in
/// the RFC, case is ignored. Codes for no particular language, such as `und`, are none. Doesn't check
/// whether the subtags are registered.
package func isLanguageTag(_ tag: String) -> Bool {
  surplus(ofLanguageTag: tag)?.isEmpty == true && noLanguages[base(ofLanguageTag: tag)] == nil
}

private func base(ofLanguageTag tag: String) -> String { tag.prefix { $0 != "-" }.lowercased() }

/// The parts of `tag` after its language, script and region, such as variants and extensions; nil
/// if it doesn't begin with a language.
func surplus(ofLanguageTag tag: String) -> [Substring]? {
  var parts = tag.split(separator: "-", omittingEmptySubsequences: false)[...]
  func has(_ lengths: ClosedRange<Int>, _ isAllowed: (UInt8) -> Bool) -> Bool {
    parts.first.map { lengths.contains($0.utf8.count) && $0.utf8.allSatisfy(isAllowed) } ?? false
  }
  guard has(2...3, ASCII.isLetter) else { return nil }
  parts.removeFirst()
  if has(4...4, ASCII.isLetter) { parts.removeFirst() }
  if has(2...2, ASCII.isLetter) || has(3...3, ASCII.isDigit) { parts.removeFirst() }
  return Array(parts)
}

/// A language in lowercase, a script capitalized and a region in uppercase: `zh-Hant-TW`.
private func usualCase(ofLanguageTag tag: String) -> String {
  tag.split(separator: "-").enumerated().map { index, part in
    if index == 0 { return part.lowercased() }
    return part.utf8.count == 4
      ? part.prefix(1).uppercased() + part.dropFirst().lowercased() : part.uppercased()
  }.joined(separator: "-")
}

extension KeyDecoding {
  /// A language tag; nil for anything else, which is reported.
  mutating func language(_ tag: Located<String>) -> Located<String>? {
    if isLanguageTag(tag.value) {
      if let usual = replacement(ofLanguageTag: tag.value) {
        report(
          .replacedLanguage, "the usual tag for '\(tag.value)' is '\(usual)'", tag.location,
          fix: Fix(tag.location, usual, isCertain: Language(usual) == Language(tag.value)))
      } else if let (kind, part) = unregisteredPart(ofLanguageTag: tag.value) {
        let meant = kind == "language" ? languageOfCountry[part.lowercased()] : nil
        report(
          .unregisteredLanguage,
          "'\(part)' is not a registered \(kind)" + (meant.map { "; did you mean '\($0)'?" } ?? ""),
          tag.location,
          fix: meant.map { language in
            Fix(tag.location, language + tag.value.dropFirst(part.count), isCertain: false)
          })
      } else if usualCase(ofLanguageTag: tag.value) != tag.value {
        let usual = usualCase(ofLanguageTag: tag.value)
        report(
          .replacedLanguage, "'\(tag.value)' is usually written '\(usual)'", tag.location,
          fix: Fix(tag.location, usual))
      }
      return tag
    }
    if let contents = noLanguages[base(ofLanguageTag: tag.value)] {
      report(
        .invalidLanguage,
        "no player has '\(printable(tag.value.utf8))', which stands for \(contents)",
        tag.location)
      return nil
    }
    let dashed = String(tag.value.map { $0 == "_" ? "-" : $0 })
    let shown = printable(tag.value.utf8)
    if dashed != tag.value, isLanguageTag(dashed) {
      report(
        .invalidLanguage,
        "'\(shown)' is not a language tag; join its parts with hyphens: '\(dashed)'", tag.location,
        fix: Fix(tag.location, dashed))
    } else if let surplus = surplus(ofLanguageTag: tag.value), surplus.allSatisfy({ !$0.isEmpty }) {
      let part = surplus.joined(separator: "-")
      let rest = String(tag.value.dropLast(part.count + 1))
      report(
        .invalidLanguage,
        "'\(printable(part.utf8))' is neither a script nor a region, and devices compare only these; "
          + "write '\(rest)'", tag.location, fix: Fix(tag.location, rest, isCertain: false))
    } else {
      report(
        .invalidLanguage,
        "'\(shown)' is not a language tag; examples are 'de', 'pt-BR' and 'zh-Hant'", tag.location)
    }
    return nil
  }
}

/// Codes of ISO 639 that no player's language has.
private let noLanguages = [
  "mis": "languages without a code", "mul": "several languages", "und": "an unknown language",
  "zxx": "contents without a language",
]

/// Codes of countries that are no languages.
let languageOfCountry = [
  "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk", "vn": "vi",
]
