import BAPackCore

extension AppDownloads {
  /// The first line of a Swift file with constants, by which one that may be replaced is known.
  package static let swiftHeader =
    "// The names of asset packs, made by 'ba-package app-info --swift': changes are lost.\n"

  /// Swift source with the identifiers of all packs as constants and, with paths, those of their files:
  /// the names themselves, as raw identifiers (Swift 6.2), so that a wrong one doesn't compile.
  package func swiftSource(withPaths: Bool) throws -> [UInt8] {
    let all = packs.map { ($0.manifest.assetPackID, $0.paths.sorted()) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    var text =
      try Self.swiftHeader + "\nenum AssetPacks {\n" + constants(all.map(\.0), "  ") + "}\n"
    guard withPaths else { return Array(text.utf8) }
    guard all.reduce(0, { $0 + $1.1.count }) <= 2000 else {
      throw PackagingError("Swift would take minutes to compile the paths of more than 2,000 files")
    }
    text += "\nenum AssetPackPaths {\n"
    for (identifier, paths) in all {
      let names = try paths.map { path in
        if let name = String(validating: path.bytes, as: UTF8.self) { return name }
        throw PackagingError("the path '\(path)' is not UTF-8, as Swift requires")
      }
      text += try "  enum \(swiftName(identifier)) {\n" + constants(names, "    ") + "  }\n"
    }
    return Array((text + "}\n").utf8)
  }
}

private func constants(_ values: [String], _ indent: String) throws -> String {
  // Swift takes canonically equivalent names for one, as strings are.
  var known: [String: String] = [:]
  return try values.map { value in
    let name = swiftName(value)
    if let other = known.updateValue(value, forKey: name) {
      throw PackagingError(
        "'\(brief(other.utf8))' and '\(brief(value.utf8))' would both be \(brief(name.utf8)) in Swift"
      )
    }
    return "\(indent)static let \(name) = \"\(escaped(value, "\"") { "\\u{\($0)}" })\"\n"
  }.joined()
}

/// A raw identifier. What can't be in one is replaced by its number.
private func swiftName(_ text: String) -> String {
  let name = escaped(text, "`") { "_\($0)_" }
  // These have a meaning after a period, and names of nothing but operators are operators.
  let isTaken =
    ["init", "self", "Type", "Protocol"].contains(name) || name.hasPrefix("$")
    || !name.contains { $0.isLetter || $0.isNumber }
  return "`\(isTaken ? "_" : "")\(name)`"
}

/// The text with backslashes, `mark` and all that can't be seen replaced by `escape` of its number.
private func escaped(
  _ text: String, _ mark: Unicode.Scalar, _ escape: (String) -> String
) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    let isPlain =
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      case .spaceSeparator: scalar == " "
      default: scalar != "\\" && scalar != mark
      }
    result += isPlain ? String(scalar) : escape(String(scalar.value, radix: 16, uppercase: true))
  }
}
