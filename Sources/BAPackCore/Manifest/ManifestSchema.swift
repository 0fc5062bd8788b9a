/// A JSON Schema (draft 7) of the manifest, for editors: they complete keys, show what they mean and
/// mark mistakes. It takes what `ManifestDecoder` decodes without an error, apart from keys that
/// stand twice and numbers beyond plain JSON, which no schema can see, and the placeholders of the
/// template, which an editor need not mark.
public let manifestSchema = """
  {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Asset pack manifest",
    "description": "What an asset pack is called, when devices get it, and which files it takes.",
    "type": "object",
    "required": ["assetPackID", "downloadPolicy", "fileSelectors", "platforms"],
    "additionalProperties": false,
    "properties": {
      "$schema": { "description": "The schema of this file, for editors." },
      "toolsVersion": {
        "description": "The version of the tool that embedded this manifest in a pack."
      },
      "assetPackID": {
        "description": "The name by which the app asks for the pack. App Store Connect takes ASCII \
  letters, digits and hyphens, with no hyphen at either end.",
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
                "description": "As part of the app's installation, which waits for it.",
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
                "description": "In the background, from the installation on.",
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
        "description": "The files of the pack. The order carries no meaning.",
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
                  "description": "A file, from the source root on.",
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
                  "description": "A folder with all that is below it.",
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
                  "description": "Files by pattern: * and ? stop at a slash, ** crosses folders, \
  ? and [a-z] are one byte.",
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
                  "description": "A file, from the source root on.",
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
                  "description": "A folder, from the source root on.",
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
                  "description": "Leaves out what another selector takes: a file, a folder or a \
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
        "description": "The folder that paths start from, relative to this file's own folder.",
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
            "description": "The events that begin a download.",
            "type": "array",
            "minItems": 1,
            "items": { "enum": ["firstInstallation", "subsequentUpdate"] }
          }
        }
      }
    }
  }

  """
