extension Manifest {
  /// The manifest that `ba-package template` writes, to be edited: all keys and selectors of 1.x
  /// and 2.0, with placeholders in brackets. It conforms to the schema.
  package static let template = """
    {
    \t// The name by which the app asks for the pack. App Store Connect accepts only ASCII letters,
    \t// digits and hyphens, with no hyphen at either end.
    \t"assetPackID": "[Asset-Pack ID]",

    \t// When devices download the pack. Keep one of three policies:
    \t//   "essential"  with the app, whose installation waits for it
    \t//   "prefetch"   in the background, after installation or an update
    \t//   "onDemand"   when the app asks, with an empty object: "onDemand": {}
    \t"downloadPolicy": {
    \t\t"essential": {
    \t\t\t// Keep the events that start a download, at least one.
    \t\t\t"installationEventTypes": [
    \(InstallationEventType.known.map { "\t\t\t\t\"\($0.rawValue)\"" }.joined(separator: ",\n"))
    \t\t\t]
    \t\t}
    \t},

    \t// The files of the pack: any number of selectors, in any order. Remove the kinds that you don't
    \t// need. Paths are relative to the source root, and files keep them in the pack.
    \t"fileSelectors": [
    \t\t// A file.
    \t\t{ "file": "[Path to File]" },

    \t\t// A folder with everything in it.
    \t\t{ "directory": "[Path to Directory]" },

    \t\t// Files by pattern, such as Audio/*.wav or Levels/**/*.json.
    \t\t{ "filePattern": "[Pattern]" },

    \t\t// A file, or a folder's contents, under another path.
    \t\t{ "fileSource": "[Path to File]", "fileDestination": "[Path in Pack]" },
    \t\t{ "directorySource": "[Path to Directory]", "directoryDestination": "[Directory in Pack]" },

    \t\t// Excludes what other selectors match: a file, a folder or a pattern.
    \t\t{ "fileExclusion": "[Path or Pattern]" }
    \t],

    \t// The platforms of the pack. Remove those it is not for; an empty list means all.
    \t"platforms": [
    \(platforms)
    \t],

    \t// The keys below are optional. Uncomment the ones you need.

    \t// The folder that paths are relative to, itself relative to this file's folder. Without it,
    \t// paths are relative to the working directory.
    \t// "sourceRoot": "[Path to Source Root]",

    \t// The language of the contents.
    \t// "language": "[Language Tag]", // such as de, pt-BR or zh-Hant

    \t// An object with your own data, for the download manifest of self-hosted packs.
    \t// "userInfo": {},
    }

    """

  /// A line for each platform: `"tvOS", // Apple TV`.
  private static var platforms: String {
    Platform.known.map {
      "\t\t\"\($0.rawValue)\"\($0 == Platform.known.last ? "" : ",") // \($0.devices)"
    }.joined(separator: "\n")
  }
}

/// The template's placeholders.
let templatePlaceholders = Set(
  Manifest.template.split(separator: "\"").filter { $0.hasPrefix("[") && $0.hasSuffix("]") })
