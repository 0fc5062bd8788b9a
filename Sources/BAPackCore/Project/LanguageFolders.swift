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
    guard let first = parts.first, languages.contains(first.lowercased()), isLanguageTag(text)
    else {
      return nil
    }
    return text
  }

  private static let languages = Set(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de \
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia \
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo \
    lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl \
    ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk \
    tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split(separator: " ").map(String.init))
}
