/// A language as devices compare it: a tag with its likely subtags, so that `en`, `en-US` and
/// `en-Latn-US` are the same language, and `en-CA` is another.
package struct Language: Hashable, Sendable {
  /// The language and the script, such as `en-Latn`.
  private let base: String
  private let region: String

  /// The language of `tag`, after Add Likely Subtags of UTS 35, part 1.
  package init(_ tag: some StringProtocol) {
    var (language, script, region) = subtags(tag)
    if script == "Zzzz" { script = "" }
    if region == "ZZ" { region = "" }
    if language == "und" || script.isEmpty || region.isEmpty {
      let keys = [
        [language, script, region], [language, region], [language, script], [language],
        ["und", script],
      ]
      let added = keys.lazy.compactMap { key in
        likely[key.filter { !$0.isEmpty }.joined(separator: "-")]
      }.first.map(subtags)
      if language == "und", let added { language = added.language }
      if script.isEmpty, let added { script = added.script }
      if region.isEmpty, let added { region = added.region }
    }
    base = "\(language)-\(script)"
    self.region = region
  }

  /// Whether the languages are equal except for their regions.
  package func hasRegion(of other: Language) -> Bool { base == other.base }
}

extension Manifest {
  /// The language of a localized pack.
  package var likelyLanguage: Language? { language.map { Language($0.value) } }
}

/// The subtags of a tag in their usual case; missing ones are `und` or empty.
private func subtags(
  _ tag: some StringProtocol
) -> (language: String, script: String, region: String) {
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

/// The subtags to add, by the tag that they are added to.
private let likely: [String: String] = {
  var likely: [String: String] = [:]
  for group in likelySubtags.split(separator: "; ") {
    let words = group.split(separator: " ").map(String.init)
    for tag in words.dropFirst() { likely[tag] = words[0] }
  }
  return likely
}()
