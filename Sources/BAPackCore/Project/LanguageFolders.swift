/// Folders with the contents of one language: `de.lproj`, or `de`, `pt-BR` and `zh_Hant` next to
/// similar ones.
enum LanguageFolders {
  /// The language of the folder `name`, one of `siblings`, all folders in its parent; nil if it has
  /// none. A name without `.lproj` counts only if another sibling is a language and, unless it has
  /// a script or region, at least half of the siblings are: `io` next to `lib` and `test` isn't
  /// one.
  static func language(_ name: [UInt8], among siblings: some Collection<[UInt8]>) -> String? {
    if let localized = localizedName(name) { return language(ofProject: localized) }
    guard let language = tag(name) else { return nil }
    let others = siblings.filter { localizedName($0) == nil }
    let languages = others.count { tag($0) != nil }
    let isClear = languages * 2 >= others.count || language.contains("-")
    return languages >= 2 && isClear ? language : nil
  }

  /// `de` of `de.lproj`.
  private static func localizedName(_ name: [UInt8]) -> String? {
    guard name.count > 6, name.suffix(6).elementsEqual(".lproj".utf8) else { return nil }
    return String(decoding: name.dropLast(6), as: UTF8.self)
  }

  private static func language(ofProject name: String) -> String? {
    let old = [
      "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja",
      "Dutch": "nl", "Spanish": "es",
    ]
    let tag = old[name] ?? name.replacing("_", with: "-")
    return name != "Base" && isLanguageTag(tag) ? tag : nil
  }

  /// A tag with a language of ISO 639-1, and optionally a script and a region.
  private static func tag(_ name: [UInt8]) -> String? {
    let text = String(decoding: name, as: UTF8.self).replacing("_", with: "-")
    let parts = text.split(separator: "-")
    guard let first = parts.first, languages.contains(first.lowercased()), isLanguageTag(text),
      unregisteredPart(ofLanguageTag: text) == nil
    else {
      return nil
    }
    return text
  }
}
