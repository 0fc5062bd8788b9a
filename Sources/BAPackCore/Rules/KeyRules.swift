extension Rule {
  /// A key that is not part of a manifest.
  public static let unknownKey = Rule(
    "unknown-key", .error, .keys, "A key that is not part of a manifest")
  /// A required key is missing.
  public static let missingKey = Rule("missing-key", .error, .keys, "A required key is missing")
  /// A value of the wrong type.
  public static let wrongType = Rule("wrong-type", .error, .keys, "A value of the wrong type")
  /// A value is null.
  public static let nullValue = Rule(
    "null-value", .error, .keys, "A value is null", adjustment: .warnings)
  /// A list is empty that must not be.
  public static let emptyList = Rule(
    "empty-list", .error, .keys, "A list is empty that must not be")
  /// A duplicate element in a list.
  public static let repeatedElement = Rule(
    "repeated-element", .warning, .keys, "A duplicate element in a list")
  /// An unknown platform or event.
  public static let unknownValue = Rule(
    "unknown-value", .error, .keys, "An unknown platform or event")
  /// No download policy.
  public static let missingPolicy = Rule("missing-policy", .error, .keys, "No download policy")
  /// More than one download policy.
  public static let severalPolicies = Rule(
    "several-policies", .error, .keys, "More than one download policy")
  /// The language is not a language tag.
  public static let invalidLanguage = Rule(
    "invalid-language", .error, .keys, "The language is not a language tag")
  /// A language, script or region that does not exist.
  public static let unregisteredLanguage = Rule(
    "unregistered-language", .warning, .keys, "A language, script or region that does not exist")
  /// A language tag with another usual form.
  public static let replacedLanguage = Rule(
    "replaced-language", .warning, .keys, "A language tag with another usual form")
  /// A placeholder from the template.
  public static let placeholder = Rule(
    "placeholder", .error, .keys, "A placeholder from the template")
}
