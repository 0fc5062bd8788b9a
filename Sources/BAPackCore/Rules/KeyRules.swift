extension Rule {
  package static let unknownKey = Rule(
    "unknown-key", .error, .keys, "A key that is not part of a manifest")
  package static let missingKey = Rule("missing-key", .error, .keys, "A required key is missing")
  package static let wrongType = Rule("wrong-type", .error, .keys, "A value of the wrong type")
  package static let nullValue = Rule(
    "null-value", .error, .keys, "A value is null", adjustment: .warnings)
  package static let emptyList = Rule(
    "empty-list", .error, .keys, "A list is empty that must not be")
  package static let repeatedElement = Rule(
    "repeated-element", .warning, .keys, "A duplicate element in a list")
  package static let unknownValue = Rule(
    "unknown-value", .error, .keys, "An unknown platform or event")
  package static let missingPolicy = Rule("missing-policy", .error, .keys, "No download policy")
  package static let severalPolicies = Rule(
    "several-policies", .error, .keys, "More than one download policy")
  package static let invalidLanguage = Rule(
    "invalid-language", .error, .keys, "The language is not a language tag")
  package static let unregisteredLanguage = Rule(
    "unregistered-language", .warning, .keys, "A language, script or region that does not exist")
  package static let replacedLanguage = Rule(
    "replaced-language", .warning, .keys, "A language tag with another usual form")
  package static let placeholder = Rule(
    "placeholder", .error, .keys, "A placeholder from the template")
}
