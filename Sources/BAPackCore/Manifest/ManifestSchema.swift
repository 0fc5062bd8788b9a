extension Manifest {
  /// A JSON Schema (draft 7) of the manifest, with which editors complete and explain keys and mark
  /// mistakes. It accepts what `ManifestDecoder` decodes without an error, and also duplicate keys
  /// and numbers beyond plain JSON, which no schema can reject, and the template's placeholders.
  public static let schema = """
    {
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "Asset pack manifest",
      "description": "The name of an asset pack, when devices download it, and which files it has.",
      "type": "object",
      "required": ["assetPackID", "downloadPolicy", "fileSelectors", "platforms"],
      "additionalProperties": false,
      "properties": {
        "$schema": { "description": "The schema of this file, for editors." },
        "toolsVersion": {
          "description": "The version of the tool that embedded this manifest in a pack."
        },
        "assetPackID": {
          "description": "The name by which the app asks for the pack. App Store Connect accepts \
              only ASCII letters, digits and hyphens, with no hyphen at either end.",
          "type": "string",
          "minLength": 1
        },
        "downloadPolicy": {
          "description": "When devices download the pack.",
          "oneOf": [
            {
              "type": "object",
              "required": ["essential"],
              "additionalProperties": false,
              "properties": {
                "essential": {
                  "description": "With the app, whose installation waits for it.",
                  "$ref": "#/definitions/events"
                }
              }
            },
            {
              "type": "object",
              "required": ["prefetch"],
              "additionalProperties": false,
              "properties": {
                "prefetch": {
                  "description": "In the background, after installation or an update.",
                  "$ref": "#/definitions/events"
                }
              }
            },
            {
              "type": "object",
              "required": ["onDemand"],
              "additionalProperties": false,
              "properties": {
                "onDemand": {
                  "description": "When the app asks for it.",
                  "type": "object",
                  "additionalProperties": false
                }
              }
            }
          ]
        },
        "fileSelectors": {
          "description": "The files of the pack. The order has no meaning.",
          "type": "array",
          "minItems": 1,
          "items": {
            "oneOf": [
              {
                "type": "object",
                "required": ["file"],
                "additionalProperties": false,
                "properties": {
                  "file": {
                    "description": "A file, relative to the source root.",
                    "type": "string"
                  }
                }
              },
              {
                "type": "object",
                "required": ["directory"],
                "additionalProperties": false,
                "properties": {
                  "directory": {
                    "description": "A folder with everything in it.",
                    "type": "string"
                  }
                }
              },
              {
                "type": "object",
                "required": ["filePattern"],
                "additionalProperties": false,
                "properties": {
                  "filePattern": {
                    "description": "Files by pattern: * matches any bytes and ? one byte, except a \
                      slash; [a-z] matches one byte; ** matches any folders.",
                    "type": "string"
                  }
                }
              },
              {
                "type": "object",
                "required": ["fileSource", "fileDestination"],
                "additionalProperties": false,
                "properties": {
                  "fileSource": {
                    "description": "A file, relative to the source root.",
                    "type": "string"
                  },
                  "fileDestination": {
                    "description": "Its path in the pack.",
                    "type": "string"
                  }
                }
              },
              {
                "type": "object",
                "required": ["directorySource", "directoryDestination"],
                "additionalProperties": false,
                "properties": {
                  "directorySource": {
                    "description": "A folder, relative to the source root.",
                    "type": "string"
                  },
                  "directoryDestination": {
                    "description": "The folder in the pack that its contents go to.",
                    "type": "string"
                  }
                }
              },
              {
                "type": "object",
                "required": ["fileExclusion"],
                "additionalProperties": false,
                "properties": {
                  "fileExclusion": {
                    "description": "Excludes what other selectors match: a file, a folder or a \
                      pattern.",
                    "type": "string"
                  }
                }
              }
            ]
          }
        },
        "platforms": {
          "description": "The platforms of the pack; an empty list means every platform. iOS covers \
    iPad.",
          "type": "array",
          "items": { "enum": ["iOS", "macOS", "tvOS", "visionOS"] }
        },
        "sourceRoot": {
          "description": "The folder that paths are relative to, itself relative to this file's \
          folder.",
          "type": ["string", "null"],
          "pattern": "^[^\\\\u0000]+$"
        },
        "language": {
          "description": "The language of the contents, a BCP-47 tag such as de or zh-Hant.",
          "type": ["string", "null"],
          "pattern": "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$"
        },
        "userInfo": {
          "description": "Data of your own for the download manifest of self-hosted packs.",
          "type": ["object", "null"]
        }
      },
      "definitions": {
        "events": {
          "type": "object",
          "required": ["installationEventTypes"],
          "additionalProperties": false,
          "properties": {
            "installationEventTypes": {
              "description": "The events that start a download.",
              "type": "array",
              "minItems": 1,
              "items": { "enum": ["firstInstallation", "subsequentUpdate"] }
            }
          }
        }
      }
    }

    """
}
