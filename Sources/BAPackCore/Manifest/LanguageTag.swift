/// Whether `tag` is a BCP-47 language tag (RFC 5646) of a language with an optional script and an
/// optional region, the subtags that manifests use: `de`, `pt-BR`, `zh-Hant-TW`, `es-419`. As in
/// the RFC, case is ignored. Doesn't check whether the subtags are registered.
package func isLanguageTag(_ tag: String) -> Bool {
  var parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...]
  guard let language = parts.popFirst(), (2...3).contains(language.count),
    language.allSatisfy(ASCII.isLetter)
  else { return false }
  if let script = parts.first, script.count == 4, script.allSatisfy(ASCII.isLetter) {
    parts.removeFirst()
  }
  if let region = parts.first {
    let isRegion =
      region.count == 2 && region.allSatisfy(ASCII.isLetter)
      || region.count == 3
        && region.allSatisfy(ASCII.isDigit)
    if isRegion { parts.removeFirst() }
  }
  return parts.isEmpty
}
