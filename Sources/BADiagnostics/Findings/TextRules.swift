extension Rule.Area {
  package static let text = Rule.Area("The text of a manifest")
}

extension Rule {
  package static let textRules: [Rule] = [
    .syntax, .invalidUTF8, .manifestTooLarge, .duplicateKey, .notPlainJSON,
  ]

  package static let syntax = Rule("syntax", .error, .text, "The manifest is not JSON5")
  package static let invalidUTF8 = Rule("invalid-utf8", .error, .text, "The manifest is not UTF-8")
  package static let manifestTooLarge = Rule(
    "manifest-too-large", .error, .text, "The manifest is too large or nested too deeply")
  package static let duplicateKey = Rule(
    "duplicate-key", .error, .text, "A duplicate key in an object")
  package static let notPlainJSON = Rule(
    "not-plain-json", .error, .text, "A value or character that plain JSON does not allow",
    adjustment: .warnings)
}
