extension Rule.Area {
  package static let text = Rule.Area("The text of a manifest")
}

extension Rule {
  package static let textRules: [Rule] = [
    .syntax, .invalidUTF8, .manifestTooLarge, .duplicateKey, .notPlainJSON,
  ]

  /// The manifest is not JSON5.
  public static let syntax = Rule("syntax", .error, .text, "The manifest is not JSON5")
  /// The manifest is not UTF-8.
  public static let invalidUTF8 = Rule("invalid-utf8", .error, .text, "The manifest is not UTF-8")
  /// The manifest is too large or nested too deeply.
  public static let manifestTooLarge = Rule(
    "manifest-too-large", .error, .text, "The manifest is too large or nested too deeply")
  /// A duplicate key in an object.
  public static let duplicateKey = Rule(
    "duplicate-key", .error, .text, "A duplicate key in an object")
  /// A value or character that plain JSON does not allow.
  public static let notPlainJSON = Rule(
    "not-plain-json", .error, .text, "A value or character that plain JSON does not allow",
    adjustment: .warnings)
}
