/// A key of manifests. This table is used by the decoder, and the schema and the guide's table are
/// generated from it.
package struct ManifestKey: Sendable {
  package let name: String
  /// Whether a manifest without it is invalid.
  package let isRequired: Bool
  /// The first version of Apple's tool that accepts it.
  package let since: String
  /// The description, for editors and the guide; code is in backticks.
  package let meaning: String
  /// The constraints on its value, as keywords of JSON Schema.
  let schema: JSONValue

  init(
    _ name: String, isRequired: Bool = false, since: String = "1.0", _ meaning: String,
    _ schema: JSONValue
  ) {
    self.name = name
    self.isRequired = isRequired
    self.since = since
    self.meaning = meaning
    self.schema = schema
  }

  package static let all: [ManifestKey] = [
    ManifestKey(
      "assetPackID", isRequired: true,
      """
      The name by which the app asks for the pack. App Store Connect accepts only ASCII letters, \
      digits and hyphens, with no hyphen at either end.
      """, ["type": "string", "minLength": JSONValue(1)]),
    ManifestKey(
      "downloadPolicy", isRequired: true, "When devices download the pack: one of the policies.",
      [
        "type": "object", "minProperties": JSONValue(1), "maxProperties": JSONValue(1),
        "additionalProperties": false.json,
        "properties": JSONValue(.object(PolicyForm.all.map(\.schema))),
      ]),
    ManifestKey(
      "fileSelectors", isRequired: true,
      "The files of the pack, as a list of selectors. The order has no meaning.",
      [
        "type": "array", "minItems": JSONValue(1),
        "items": SelectorForm.schema,
      ]),
    ManifestKey(
      "platforms", isRequired: true,
      """
      The platforms of the pack: \(Platform.list). An empty list means every platform. iOS covers iPad.
      """,
      [
        "type": "array",
        "items": [
          "enum": Platform.known.rawValues.json,
          "enumDescriptions": Platform.known.map(\.devices).json,
        ],
      ]),
    ManifestKey(
      "sourceRoot", since: "2.0",
      """
      The folder that paths of selectors are relative to, itself relative to the manifest's folder. \
      Another root can be named when packs are made; without either it is the working directory.
      """, ["type": ["string", "null"], "pattern": #"^[^\u0000]+$"#]),
    ManifestKey(
      "language", since: "2.0",
      "The language of the contents, a BCP 47 tag such as `de`, `pt-BR` or `zh-Hant`.",
      languageSchema),
    ManifestKey(
      "userInfo", since: "2.0",
      """
      An object with your own data, for the download manifest of self-hosted packs. Packs that Apple \
      hosts can't have it.
      """, ["type": ["object", "null"]]),
  ]

  static let languageSchema: JSONValue = [
    "type": ["string", "null"],
    "pattern": "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$",
  ]

  /// Keys that are allowed but have no effect.
  package static let tolerated: [ManifestKey] = [
    ManifestKey("$schema", "The schema of this file, for editors.", [:]),
    ManifestKey(
      "toolsVersion", since: "2.0",
      "The version of the tool that embedded this manifest in a pack.",
      [:]),
  ]

  /// The schema of the value, with its description.
  func described(by keywords: JSONValue) -> JSONMember {
    let text = meaning.filter { $0 != "`" }
    return JSONMember(
      name,
      JSONValue(.object([JSONMember("description", JSONValue(text))] + (keywords.object ?? []))))
  }
}

extension PolicyForm {
  fileprivate var schema: JSONMember {
    let value: [JSONMember] =
      hasEvents
      // Beside a reference, a description would be ignored.
      ? [JSONMember("allOf", [["$ref": "#/definitions/events"]])]
      : [JSONMember("type", "object"), JSONMember("additionalProperties", false.json)]
    return JSONMember(
      kind.rawValue, JSONValue(.object([JSONMember("description", JSONValue(meaning))] + value)))
  }

  static let eventsSchema = object(
    required: ["installationEventTypes"],
    [
      JSONMember(
        "installationEventTypes",
        [
          "description": "The events that start a download.", "type": "array",
          "minItems": JSONValue(1),
          "items": [
            "enum": InstallationEventType.known.rawValues.json,
            "enumDescriptions": InstallationEventType.meanings.json,
          ],
        ])
    ])
}

/// A form of selectors: the keys that are used together.
package struct SelectorForm: Sendable {
  /// The keys; the first one names the form.
  package let keys: [ManifestKey]
  package let example: String

  package static let all = [
    SelectorForm(
      keys: [key("file", "1.0", "A file, relative to the source root.")],
      example: #"{ "file": "Credits.txt" }"#),
    SelectorForm(
      keys: [key("directory", "1.0", "A folder with everything in it.")],
      example: #"{ "directory": "Textures" }"#),
    SelectorForm(
      keys: [key("filePattern", "2.0", "Files that match a pattern.")],
      example: #"{ "filePattern": "Audio/**/*.wav" }"#),
    SelectorForm(
      keys: [
        key("fileSource", "2.0", "A file, relative to the source root."),
        key("fileDestination", "2.0", "Its path in the pack."),
      ], example: #"{ "fileSource": "build/a.png", "fileDestination": "Textures/a.png" }"#),
    SelectorForm(
      keys: [
        key("directorySource", "2.0", "A folder, relative to the source root."),
        key("directoryDestination", "2.0", "The folder in the pack that its contents go to."),
      ], example: #"{ "directorySource": "raw", "directoryDestination": "Textures" }"#),
    SelectorForm(
      keys: [
        key(
          "fileExclusion", "2.0",
          "Excludes what other selectors match: a file, a folder or a pattern.")
      ], example: #"{ "fileExclusion": "**/*.psd" }"#),
  ]

  private static func key(_ name: String, _ since: String, _ meaning: String) -> ManifestKey {
    ManifestKey(
      name, isRequired: true, since: since, meaning,
      ["type": "string", "minLength": JSONValue(1), "pattern": #"^(?!/)(?!(.*/)?\.\.(/|$))"#])
  }

  /// The schema of a selector. With the keys of all forms in one object, editors name the one that
  /// is wrong.
  fileprivate static var schema: JSONValue {
    func required(_ keys: [ManifestKey]) -> JSONValue {
      ["required": keys.map(\.name).json]
    }
    return [
      "type": "object", "additionalProperties": false.json,
      "properties": JSONValue(
        .object(all.flatMap(\.keys).map { $0.described(by: $0.schema) })),
      "oneOf": all.map { required($0.keys) }.json,
      "dependencies": JSONValue(
        .object(
          all.flatMap { form in
            form.keys.dropFirst().map { JSONMember($0.name, required([form.keys[0]])) }
          })),
    ]
  }
}

/// The schema of an object with these keys and no others.
private func object(required: [String], _ members: [JSONMember]) -> JSONValue {
  [
    "type": "object", "required": required.json,
    "additionalProperties": false.json, "properties": JSONValue(.object(members)),
  ]
}

extension Manifest {
  /// A JSON Schema (draft 7) of the manifest, for completion, explanations and validation in
  /// editors. It accepts what `ManifestDecoder` decodes without an error, and also duplicate keys,
  /// numbers beyond plain JSON and broken patterns, which no schema can reject, and the template's
  /// placeholders.
  package static let schema: String = {
    let keys = ManifestKey.tolerated + ManifestKey.all
    return JSONWriter.text([
      "$schema": "http://json-schema.org/draft-07/schema#",
      "$id": "urn:ba-package:manifest",
      "title": "Asset pack manifest",
      "description": "The name of an asset pack, when devices download it, and which files it has.",
      "type": "object",
      "required": ManifestKey.all.filter(\.isRequired).map(\.name).json,
      "additionalProperties": false.json,
      "properties": JSONValue(.object(keys.map { $0.described(by: $0.schema) })),
      "definitions": ["events": PolicyForm.eventsSchema],
    ])
  }()
}
