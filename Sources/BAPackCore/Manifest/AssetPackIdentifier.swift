/// Identifiers that App Store Connect accepts.
package enum AssetPackIdentifier {
  /// An identifier similar to `name`: ASCII letters and digits, separated by single hyphens. It is
  /// unique among those in `known`, ignoring case, and is added to them in lowercase.
  package static func make(from name: String, except known: inout Set<String>) -> String {
    let words = name.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
    let joined = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    let base = joined.isEmpty ? "pack" : joined
    var identifier = base
    var number = 2
    while !known.insert(identifier.lowercased()).inserted {
      identifier = "\(base)-\(number)"
      number += 1
    }
    return identifier
  }
}
