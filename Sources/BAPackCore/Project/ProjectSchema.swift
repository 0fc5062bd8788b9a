extension Project {
  /// A JSON Schema (draft 7) of project files, in which `rules` can be set. It accepts what
  /// `ProjectDecoder` decodes without an error, except for patterns and sizes beyond 64 bits.
  package static func schema(rules: [Rule] = Rule.all) -> String {
    let size: JSONValue = [
      "description": "A number of bytes, or a text such as \"100 MB\".",
      "oneOf": [
        ["type": "integer", "minimum": JSONValue(0)],
        [
          "type": "string",
          "pattern": #"^[0-9]+(\.[0-9]{1,3})? *([kKmMgGtT]?[bB]?|[kKmMgGtT][iI][bB])$"#,
        ],
      ],
    ]
    let path: JSONValue = ["type": ["string", "null"], "pattern": #"^[^\u0000]+$"#]
    func described(_ text: String, _ schema: JSONValue) -> JSONValue {
      JSONValue(.object([JSONMember("description", JSONValue(text))] + (schema.object ?? [])))
    }
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> JSONValue {
      ["enum": (Choice.allCases.map(\.rawValue.json) + [JSONValue(.null)]).json]
    }
    func key(_ key: ProjectKey, _ text: String, _ schema: JSONValue) -> JSONMember {
      JSONMember(key.rawValue, described(text, schema))
    }
    let flag: JSONValue = ["type": ["boolean", "null"]]
    let budgets = DownloadPolicy.Kind.known.rawValues.map {
      JSONMember($0, ["$ref": "#/definitions/budget"])
    }
    let budgetOfPacks = described(
      "Budgets of single packs, by identifier.",
      ["type": ["object", "null"], "additionalProperties": ["$ref": "#/definitions/size"]])
    let properties = [
      key(.hosting, "Who hosts the packs.", choice(Hosting.self)),
      key(
        .root,
        "The folder that selectors start from in manifests without a sourceRoot, relative to this"
          + " file's own folder.", path),
      key(
        .outputFolder, "The folder that packs are written to if no output path is given.", path),
      key(
        .primaryLanguage,
        "The app's primary language, a tag such as \"en\": players whose language has no packs get"
          + " those.", ManifestKey.languageSchema),
      key(
        .compression,
        "The compression algorithm of packs: lzfse, as Apple's tool uses, zlib or store.",
        choice(Codec.self)),
      key(
        .compressionLevel,
        "The level of the compression, from 1 (fastest) to 9 (smallest).",
        [
          "type": ["integer", "null"], "minimum": JSONValue(Codec.allLevels.lowerBound),
          "maximum": JSONValue(Codec.allLevels.upperBound),
        ]),
      key(
        .links,
        "Where symbolic links may lead: inside the source root, or anywhere with follow.",
        choice(LinkPolicy.self)),
      key(
        .allowStubs,
        "Package Git LFS pointers and other placeholders for files that were not fetched.", flag),
      key(.strict, "Treat warnings as errors.", flag),
      key(
        .sizeBudgets, "How large packs may be before compression.",
        [
          "type": ["object", "null"], "additionalProperties": false.json,
          "properties": JSONValue(.object(budgets + [JSONMember("packs", budgetOfPacks)])),
        ]),
      key(
        .rules, "Which rules are off, and which have another severity.",
        [
          "type": ["object", "null"], "additionalProperties": false.json,
          "properties": JSONValue(.object(rules.map { JSONMember($0.id, setting($0)) })),
        ]),
    ]
    let schema: JSONValue = [
      "$schema": "http://json-schema.org/draft-07/schema#",
      "$id": "urn:ba-package:project",
      "title": "Project file of ba-package",
      "description": "Settings for all commands that run in this file's folder or below it.",
      "type": "object", "additionalProperties": false.json,
      "properties": JSONValue(
        .object(
          [JSONMember("$schema", ["description": "The schema of this file, for editors."])]
            + properties)),
      "definitions": [
        "size": size, "budget": ["oneOf": [["$ref": "#/definitions/size"], ["type": "null"]]],
        "anyLevel": ["enum": RuleSettings.Level.allCases.map(\.rawValue).json],
        "error": ["enum": ["error"]],
      ],
    ]
    return JSONWriter.text(schema)
  }
}

/// The schema of a rule's setting: a level, or levels by path.
private func setting(_ rule: Rule) -> JSONValue {
  let level: JSONValue = [
    "$ref": rule.adjustment == .none ? "#/definitions/error" : "#/definitions/anyLevel"
  ]
  return [
    "description": JSONValue(rule.title),
    "oneOf": [level, ["type": "object", "additionalProperties": level]],
  ]
}

extension Project {
  /// A project file with every key, all but the hosting commented out.
  package static let template = filled(
    PackageResources.project_template_json, ["@LEVEL@": "\(Codec.defaultLevel)"])
}
