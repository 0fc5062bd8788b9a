extension Manifest {
  /// A JSON Schema (draft 7) of the manifest, for completion, explanations and validation in
  /// editors. It accepts what `ManifestDecoder` decodes without an error, and also duplicate keys
  /// and numbers beyond plain JSON, which no schema can reject, and the template's placeholders.
  package static let schema: String = {
    let keys = ManifestKey.tolerated + ManifestKey.all
    let required = ManifestKey.all.filter(\.isRequired).map { JSONValue($0.name) }
    return JSONWriter.text([
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "Asset pack manifest",
      "description": "The name of an asset pack, when devices download it, and which files it has.",
      "type": "object",
      "required": JSONValue(.array(required)),
      "additionalProperties": JSONValue(.bool(false)),
      "properties": JSONValue(.object(keys.map { $0.described(by: $0.schema) })),
      "definitions": ["events": PolicyForm.eventsSchema],
    ])
  }()
}
