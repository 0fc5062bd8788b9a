extension Rule {
  package static let unknownKey = Rule(
    "unknown-key", .error, .keys, "A key that is not part of a manifest",
    reason: """
      An unknown key would be silently ignored, and most are typos: with a misspelled `sourceRoot`, \
      the wrong files are packaged. `$schema`, which editors use, and `toolsVersion`, which Apple's \
      tool adds to the manifests that it embeds, are allowed.
      """,
    remedy: """
      Correct or remove the key. Keys are case-sensitive. Put data of your own in `userInfo` or in a \
      comment.
      """,
    example: #""downloadPolicy": { "onDemnad": {} }"#)

  package static let missingKey = Rule(
    "missing-key", .error, .keys, "A required key is missing",
    reason: """
      A manifest needs `assetPackID`, `downloadPolicy`, `fileSelectors` and `platforms`; the policies \
      `essential` and `prefetch` need `installationEventTypes`.
      """,
    remedy: "Add the key. The template of a manifest has all of them.",
    example: #""downloadPolicy": { "essential": {} }"#)

  package static let wrongType = Rule(
    "wrong-type", .error, .keys, "A value of the wrong type",
    reason: "Each key has one type of value; nothing is converted.",
    remedy: """
      Write a value of the type in the message. A list needs brackets even with one element, and a \
      policy is an object: `"onDemand": {}`.
      """,
    example: #""platforms": "iOS""#)

  package static let nullValue = Rule(
    "null-value", .error, .keys, "A value is null",
    adjustment: .warnings,
    reason: """
      `null` means that a value is absent, and required keys and elements of lists can't be absent. \
      App Store Connect rejects `"onDemand": null` after the upload (ITMS-91140). For an optional \
      key, `null` is only a warning.
      """,
    remedy: "Write a value, or remove the key. The value of `onDemand` is an empty object, `{}`.",
    example: #""downloadPolicy": { "onDemand": null }"#)

  package static let emptyList = Rule(
    "empty-list", .error, .keys, "A list is empty that must not be",
    reason: """
      Without an event, `essential` and `prefetch` would never download the pack; without a selector \
      there is nothing to package. Only `platforms` may be empty, which means every platform.
      """,
    remedy: "Add at least one element, or use `onDemand`.",
    example: #""essential": { "installationEventTypes": [] }"#)

  package static let repeatedElement = Rule(
    "repeated-element", .warning, .keys, "A duplicate element in a list",
    reason: "The second has no effect; something else may have been meant.",
    remedy: "Remove one of the two.",
    example: #""platforms": ["iOS", "macOS", "iOS"]"#)

  package static let unknownValue = Rule(
    "unknown-value", .error, .keys, "An unknown platform or event",
    reason: """
      Platforms are \(Platform.list); events are \(InstallationEventType.list). Case matters. \
      `iPadOS` is not a separate platform: `iOS` includes iPad. In a pack, another name is only a \
      warning: a newer tool may know it.
      """,
    remedy: "Use one of these names.",
    example: #""platforms": ["ios", "iPadOS"]"#)

  package static let missingPolicy = Rule(
    "missing-policy", .error, .keys, "No download policy",
    reason: """
      `downloadPolicy` says when a device downloads the pack. It must contain exactly one of \
      `essential`, `prefetch` and `onDemand`.
      """,
    remedy: """
      Choose one: `essential` downloads with the app, `prefetch` in the background, `onDemand` when \
      the app asks for the pack.
      """,
    example: #""downloadPolicy": {}"#)

  package static let severalPolicies = Rule(
    "several-policies", .error, .keys, "More than one download policy",
    reason: """
      `downloadPolicy` must contain exactly one of `essential`, `prefetch` and `onDemand`. A template \
      may list them all; keep one.
      """,
    remedy: "Keep one policy and remove the others.",
    example: """
      "downloadPolicy": {
        "prefetch": { "installationEventTypes": ["firstInstallation"] },
        "onDemand": {}
      }
      """)

  package static let invalidLanguage = Rule(
    "invalid-language", .error, .keys, "The language is not a language tag",
    reason: """
      `language` is a BCP-47 tag (RFC 5646): a language of two or three letters, optionally followed \
      by a script of four letters and a region of two letters or three digits, joined by hyphens. \
      Variants and extensions, as in `de-1996` or `de-u-co-phonebk`, match no device, and neither do \
      the codes for no particular language, such as `und` and `mul`.
      """,
    remedy: "Write a tag such as `de`, `pt-BR`, `zh-Hant` or `sr-Latn-RS`.",
    example: #""language": "pt_BR""#)

  package static let unregisteredLanguage = Rule(
    "unregistered-language", .warning, .keys, "A language, script or region that does not exist",
    reason: """
      The tag is formed correctly, but one of its parts is not registered (ISO 639, ISO 15924 and ISO \
      3166), so no device has this language. Often a country's code is meant: Japanese is `ja`, and \
      `JP` is Japan.
      """,
    remedy: "Correct the tag. App Store Connect uses the same tags.",
    example: #""language": "jp""#)

  package static let replacedLanguage = Rule(
    "replaced-language", .warning, .keys, "A language tag with another usual form",
    reason: """
      Codes of languages and regions are replaced: Hebrew was `iw` and is `he`. By Unicode's data \
      (CLDR), which devices use, `deu` is `de`, `sh` is `sr-Latn`, and `de-DD` is `de-DE`. Devices \
      compare both as one language, but other tools, and people, may not. Norwegian is `nb` in the \
      settings of devices, and `no` is another tag.
      """,
    remedy: "Write the tag in the message.",
    example: #""language": "iw""#)

  package static let placeholder = Rule(
    "placeholder", .error, .keys, "A placeholder from the template",
    reason: """
      The template of a manifest has placeholders in brackets. One that is not replaced would become \
      the name of a pack or of a file in it.
      """,
    remedy: "Replace it with a value, or remove the key if the pack does not need it.",
    example: #""assetPackID": "[Asset-Pack ID]""#)
}
