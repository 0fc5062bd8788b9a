extension Rule.Area {
  package static let keys = Rule.Area("Keys and values")
}

extension Rule {
  package static let keyRules: [Rule] = [
    .unknownKey, .missingKey, .wrongType, .nullValue, .emptyList, .repeatedElement, .unknownValue,
    .missingPolicy, .severalPolicies, .invalidLanguage, .placeholder, .notPlainJSON,
  ]

  package static let unknownKey = Rule(
    "unknown-key", .error, .keys, "A key that manifests don't have",
    reason: """
      A key that is not understood would be ignored without a word, and most are slips: a misspelt \
      `sourceRoot` packages other files than meant. `$schema`, which editors use, and `toolsVersion`, \
      which Apple's tool writes into the manifests that it embeds, are allowed.
      """,
    remedy: """
      Correct the key, or remove it. Keys are case-sensitive. Data of your own belongs in \
      `userInfo`, or in a comment.
      """,
    example: """
      "downloadPolicy": { "onDemnad": {} }
      """)

  package static let missingKey = Rule(
    "missing-key", .error, .keys, "A required key is missing",
    reason: """
      A manifest needs `assetPackID`, `downloadPolicy`, `fileSelectors` and `platforms`; the policies \
      `essential` and `prefetch` need `installationEventTypes`.
      """,
    remedy: "Add the key. `ba-package template` prints a manifest with all of them.",
    example: """
      "downloadPolicy": { "essential": {} }
      """)

  package static let wrongType = Rule(
    "wrong-type", .error, .keys, "A value of the wrong type",
    reason: "Each key takes one type of value; nothing is converted.",
    remedy: """
      Write the type that the message names. Lists need their brackets even around one element, and \
      a policy is an object: `"onDemand": {}`.
      """,
    example: """
      "platforms": "iOS"
      """)

  package static let nullValue = Rule(
    "null-value", .error, .keys, "A value is null",
    reason: """
      `null` says neither yes nor no. App Store Connect refuses `"onDemand": null` after the upload \
      (ITMS-91140), and a list's element or a required key cannot be absent. An optional key with \
      `null` counts as absent, which is a warning only.
      """,
    remedy: "Write a value, or remove the key. `onDemand` takes an empty object.",
    example: """
      "downloadPolicy": { "onDemand": null }
      """)

  package static let emptyList = Rule(
    "empty-list", .error, .keys, "A list that needs elements is empty",
    reason: """
      Without an event, `essential` and `prefetch` would never download the pack; without a selector \
      there is nothing to pack. `platforms` alone may be empty: that means every platform.
      """,
    remedy: "Name at least one element, or choose `onDemand`.",
    example: """
      "essential": { "installationEventTypes": [] }
      """)

  package static let repeatedElement = Rule(
    "repeated-element", .warning, .keys, "A list names the same thing twice",
    reason: "The second has no effect. It may stand where something else was meant.",
    remedy: "Remove one of the two.",
    example: """
      "platforms": ["iOS", "macOS", "iOS"]
      """)

  package static let unknownValue = Rule(
    "unknown-value", .error, .keys, "A platform or an event that does not exist",
    reason: """
      Platforms are `iOS`, `macOS`, `tvOS` and `visionOS`, events are `firstInstallation` and \
      `subsequentUpdate`, written just so. `iPadOS` is no platform of its own: `iOS` covers iPad.
      """,
    remedy: "Use one of the names.",
    example: """
      "platforms": ["ios", "iPadOS"]
      """)

  package static let missingPolicy = Rule(
    "missing-policy", .error, .keys, "No download policy is chosen",
    reason: """
      `downloadPolicy` says when a device gets the pack and must hold just one of `essential`, \
      `prefetch` and `onDemand`.
      """,
    remedy: """
      Choose one: `essential` downloads with the app, `prefetch` in the background, `onDemand` when \
      the app asks.
      """,
    example: """
      "downloadPolicy": {}
      """)

  package static let severalPolicies = Rule(
    "several-policies", .error, .keys, "More than one download policy",
    reason: """
      `downloadPolicy` must hold just one of `essential`, `prefetch` and `onDemand`. Templates that \
      list all of them are meant to be cut down.
      """,
    remedy: "Keep one of the policies and remove the others.",
    example: """
      "downloadPolicy": {
        "prefetch": { "installationEventTypes": ["firstInstallation"] },
        "onDemand": {}
      }
      """)

  package static let invalidLanguage = Rule(
    "invalid-language", .error, .keys, "The language is not a language tag",
    reason: """
      `language` is a BCP-47 tag (RFC 5646): a language of two or three letters, then if needed a \
      script of four letters and a region of two letters or three digits, joined by hyphens.
      """,
    remedy: "Write a tag such as `de`, `pt-BR`, `zh-Hant` or `sr-Latn-RS`.",
    example: """
      "language": "pt_BR"
      """)

  package static let placeholder = Rule(
    "placeholder", .error, .keys, "A placeholder of the template is left",
    reason: """
      `ba-package template` writes what is to be filled in between brackets. Left as it is, it would \
      become the name of a pack, or of a file in it.
      """,
    remedy: "Write the value in its place, or remove what the pack does not need.",
    example: """
      "assetPackID": "[Asset-Pack ID]"
      """)

  package static let notPlainJSON = Rule(
    "not-plain-json", .error, .keys, "A value or character that plain JSON does not allow",
    reason: """
      The manifest is embedded in the pack as plain JSON, which has neither `Infinity` nor `NaN` \
      (RFC 8259, section 6). Tabs in strings, and spaces beyond ASCII between values (U+00A0 is often \
      copied from web pages), are valid JSON5 and only a warning: they are replaced in the pack, but \
      Foundation's JSON5 reader, and so most likely Apple's tool, rejects the file.
      """,
    remedy: """
      Use a finite number or a string; write a tab as `\\t`, and plain spaces between values.
      """,
    example: """
      "userInfo": { "weight": Infinity }
      """)
}
