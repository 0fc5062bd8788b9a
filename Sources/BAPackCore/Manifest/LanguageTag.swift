/// Whether `tag` is a BCP-47 language tag (RFC 5646) of a language with an optional script and an
/// optional region, the parts that manifests use: `de`, `pt-BR`, `zh-Hant-TW`, `es-419`. Case is
/// free, as the RFC has it; whether the parts are registered is not checked.
public func isLanguageTag(_ tag: String) -> Bool {
  var parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...]
  guard let language = parts.popFirst(), (2...3).contains(language.count), isLetters(language)
  else { return false }
  if let script = parts.first, script.count == 4, isLetters(script) { parts.removeFirst() }
  if let region = parts.first {
    let isRegion =
      region.count == 2 && isLetters(region)
      || region.count == 3
        && region.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isRegion { parts.removeFirst() }
  }
  return parts.isEmpty
}

private func isLetters(_ part: Substring.UTF8View) -> Bool {
  part.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
}
