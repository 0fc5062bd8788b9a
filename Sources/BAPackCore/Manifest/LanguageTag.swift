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

private func words(_ text: String) -> Set<String> {
  Set(text.split(separator: " ").map(String.init))
}

/// ISO 639-1.
private let languages = words(
  """
  aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de \
  dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia \
  id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo \
  lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl \
  ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk \
  tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
  """)

/// Earlier codes that are still in use.
private let replacedLanguages: Set = ["bh", "in", "iw", "ji", "jw", "mo", "sh"]

/// ISO 15924.
private let scripts = words(
  """
  Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Blis Bopo Brah \
  Brai Bugi Buhd Cakm Cans Cari Cham Cher Cirt Copt Cprt Cyrl Cyrs Deva Dsrt Dupl Egyd Egyh \
  Egyp Elba Ethi Geok Geor Glag Goth Gran Grek Gujr Guru Hanb Hang Hani Hano Hans Hant Hatr \
  Hebr Hira Hluw Hmng Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Khar Khmr Khoj Kitl \
  Kits Knda Kore Kpel Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci \
  Lydi Mahj Mand Mani Marc Maya Mend Merc Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Narb \
  Nbat Newa Nkgb Nkoo Nshu Ogam Olck Orkh Orya Osge Osma Palm Pauc Perm Phag Phli Phlp Phlv \
  Phnx Piqd Plrd Prti Qaaa Qabx Rjng Roro Runr Samr Sara Sarb Saur Sgnw Shaw Shrd Sidd Sind \
  Sinh Sora Sund Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Telu Teng Tfng \
  Tglg Thaa Thai Tibt Tirh Ugar Vaii Visp Wara Wole Xpeo Xsux Yiii Zinh Zmth Zsye Zsym Zxxx \
  Zyyy Zzzz
  """)

/// ISO 3166-1, with reserved and former codes, and the areas of UN M.49.
private let regions = words(
  """
  001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 \
  143 145 150 151 154 155 202 419 AC AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB \
  BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BU BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN \
  CO CP CR CS CU CV CW CX CY CZ DD DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET EU EZ FI FJ FK \
  FM FO FR FX GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID \
  IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS \
  LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF \
  NG NI NL NO NP NR NT NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA \
  SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SU SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM \
  TN TO TP TR TT TV TW TZ UA UG UM UN US UY UZ VA VC VE VG VI VN VU WF WS XK YD YE YT YU ZA ZM \
  ZR ZW
  """)

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
