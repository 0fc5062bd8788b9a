/// The manifest that `ba-package template` writes, to be edited in place: all keys and selectors of
/// 1.x and 2.0, with placeholders in brackets. It keeps the schema as it stands.
public let manifestTemplate = """
  {
  \t// The name by which the app asks for the pack. App Store Connect takes ASCII letters, digits
  \t// and hyphens, with no hyphen at either end.
  \t"assetPackID": "[Asset-Pack ID]",

  \t// When devices download the pack. Keep one of three policies:
  \t//   "essential"  as part of the app's installation, which waits for it
  \t//   "prefetch"   in the background, from the installation on
  \t//   "onDemand"   when the app asks; it takes an empty object: "onDemand": {}
  \t"downloadPolicy": {
  \t\t"essential": {
  \t\t\t// Keep the events that begin a download, at least one.
  \t\t\t"installationEventTypes": [
  \t\t\t\t"firstInstallation",
  \t\t\t\t"subsequentUpdate"
  \t\t\t]
  \t\t}
  \t},

  \t// What goes into the pack: any number of selectors, in any order. Remove the kinds that are not
  \t// needed. Paths start from the source root; in the pack, files keep them.
  \t"fileSelectors": [
  \t\t// A file.
  \t\t{ "file": "[Path to File]" },

  \t\t// A folder with all that is below it.
  \t\t{ "directory": "[Path to Directory]" },

  \t\t// Files by pattern, such as Audio/*.wav or Levels/**/*.json.
  \t\t{ "filePattern": "[Pattern]" },

  \t\t// A file, or a folder's contents, under another path.
  \t\t{ "fileSource": "[Path to File]", "fileDestination": "[Path in Pack]" },
  \t\t{ "directorySource": "[Path to Directory]", "directoryDestination": "[Directory in Pack]" },

  \t\t// Leaves out what another selector takes: a file, a folder or a pattern.
  \t\t{ "fileExclusion": "[Path or Pattern]" }
  \t],

  \t// The platforms of the pack. Remove those that do not get it; an empty list means all.
  \t"platforms": [
  \t\t"iOS", // iPad too
  \t\t"macOS",
  \t\t"tvOS",
  \t\t"visionOS"
  \t],

  \t// The keys below may be left out. Take away the slashes of those that are needed.

  \t// The folder that paths start from, relative to this file's own folder. Without it they start
  \t// from the folder in which the command runs.
  \t// "sourceRoot": "[Path to Source Root]",

  \t// The language of the contents.
  \t// "language": "[Language Tag]", // such as de, pt-BR or zh-Hant

  \t// Data of your own for the download manifest; packs that Apple hosts cannot have it.
  \t// "userInfo": {},
  }

  """

/// The template's placeholders, which nobody means to keep.
let templatePlaceholders: Set<String> = [
  "[Asset-Pack ID]", "[Path to File]", "[Path to Directory]", "[Pattern]", "[Path in Pack]",
  "[Directory in Pack]", "[Path or Pattern]", "[Path to Source Root]", "[Language Tag]",
]
