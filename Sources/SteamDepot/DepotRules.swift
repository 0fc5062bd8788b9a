import BAPackCore

extension Rule.Area {
  package static let depot = Rule.Area("Steam build scripts")
}

extension Rule {
  package static let depotRules: [Rule] = [
    .depotSyntax, .depotEscapes, .depotConditional, .depotInclude, .depotKind, .depotKey,
    .depotValue, .depotPath, .depotLeftOut, .depotListed, .depotReading,
  ]

  package static let depotSyntax = Rule(
    "depot-syntax", .error, .depot, "The script is not KeyValues text",
    reason: """
      Steam's build scripts are KeyValues: quoted keys, each with a quoted value or a block in braces.
      """,
    remedy: "Mend the text where the caret stands.",
    example: """
      "DepotBuild" { "DepotID }
      """)

  package static let depotEscapes = Rule(
    "depot-escapes", .warning, .depot, "The script reads only with escapes",
    reason: """
      In KeyValues a backslash is a plain character, so that `"..\\content\\"` is a path. This script \
      makes sense only if backslashes are escapes, as some generators write them, and is read so.
      """,
    remedy: "Check the paths of the manifest that is made.")

  package static let depotConditional = Rule(
    "depot-conditional", .error, .depot, "The script holds a condition",
    reason: """
      `[$WIN32]` and the like choose by the machine that builds. A manifest has no conditions, so that \
      it cannot be told which side is meant.
      """,
    remedy: "Remove the condition, or the line that it stands on.",
    example: """
      "ContentRoot" "win" [$WIN32]
      """)

  package static let depotInclude = Rule(
    "depot-include", .error, .depot, "The script includes another file",
    reason: "`#include` and `#base` pull in another script. Only one file is converted at a time.",
    remedy: "Put the other file's text in place of the line.",
    example: """
      #base "common.vdf"
      """)

  package static let depotKind = Rule(
    "depot-kind", .error, .depot, "The script does not describe one depot",
    reason: """
      A depot is described by one block `DepotBuild`, or stands in the `Depots` of an `AppBuild`. A \
      manifest is one pack, and takes the files of one depot.
      """,
    remedy: "Convert the file that describes the depot, or choose one of several with `--depot`.",
    example: """
      "InstallScript" { "Run Process" { } }
      """)

  package static let depotKey = Rule(
    "depot-key", .error, .depot, "The script holds a key that can't be converted",
    reason: "What a key means that Steam does not document is not guessed, nor is it passed over.",
    remedy: "Mend the key's spelling, or remove it.",
    example: """
      "FileMaping" { "LocalPath" "*" }
      """)

  package static let depotValue = Rule(
    "depot-value", .error, .depot, "A value is missing, stands twice or is not of its kind",
    reason:
      "`FileMapping` is a block with a `LocalPath` and a `DepotPath`; other keys have a text.",
    remedy: "Mend the value where the caret stands.",
    example: """
      "FileMapping" { "LocalPath" "*" "Recursive" "yes" }
      """)

  package static let depotPath = Rule(
    "depot-path", .error, .depot, "A path that a manifest can't say",
    reason: """
      A manifest takes files of one folder, the content root, and has no drives. Wildcards stand in \
      the last part of a `LocalPath`, which names a file or files and not a folder.
      """,
    remedy: """
      Write the path relative to `ContentRoot`. Where the content root itself is on a drive of \
      another machine, `--content-root` says where it is on this one.
      """,
    example: """
      "LocalPath" "..\\shared\\*"
      """)

  package static let depotLeftOut = Rule(
    "depot-left-out", .warning, .depot, "A key has no counterpart and is left out",
    reason: """
      Install scripts, attributes of files and the settings of an upload belong to Steam. A pack holds \
      files alone.
      """,
    remedy: "Make sure that the app works without; nothing has to be done to the script.",
    example: """
      "InstallScript" "setup.vdf"
      """)

  package static let depotListed = Rule(
    "depot-listed", .warning, .depot, "Files are listed by name",
    reason: """
      A manifest has no pattern that gives files another folder, and none that matches names with a \
      dot first unless the dot is written; and Apple's tool fails on `"directory": "."`. So the files, \
      or the entries of the top, that the script's pattern matches now are listed; those that come \
      later are not in the list.
      """,
    remedy: """
      Convert again when files are added, or move the files so that they lie where they come to.
      """,
    example: """
      "FileMapping" { "LocalPath" "bin\\*.dll" "DepotPath" "." }
      """)

  package static let depotReading = Rule(
    "depot-reading", .warning, .depot, "Steam's documentation leaves a meaning open",
    reason: """
      Steam documents its scripts by example: that `LocalPath` is a file or a pattern of names, that \
      `DepotPath` is a folder. It does not say what happens to names that differ in case, or to two \
      files at one place.
      """,
    remedy: "Compare what `ba-package evaluate` lists with the depot that Steam builds.")
}
