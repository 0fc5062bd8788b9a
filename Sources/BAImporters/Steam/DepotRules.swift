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
    remedy: "Fix the text at the caret.",
    example: #""DepotBuild" { "DepotID }"#)

  package static let depotEscapes = Rule(
    "depot-escapes", .warning, .depot, "The script is valid only with escapes",
    reason: """
      In KeyValues a backslash is a plain character: `"..\\content\\"` is a path. This script is valid \
      only if backslashes are escapes, as some generators write them, and is read that way.
      """,
    remedy: "Check the paths in the generated manifest.")

  package static let depotConditional = Rule(
    "depot-conditional", .error, .depot, "The script contains a condition",
    reason: """
      `[$WIN32]` and similar conditions depend on the machine that builds. A manifest has no \
      conditions, so it is unclear which branch is meant.
      """,
    remedy: "Remove the condition, or its line.",
    example: #""ContentRoot" "win" [$WIN32]"#)

  package static let depotInclude = Rule(
    "depot-include", .error, .depot, "The script includes another file",
    reason: "`#include` and `#base` read another script. Only one file is converted at a time.",
    remedy: "Replace the line with the text of the other file.",
    example: #"#base "common.vdf""#)

  package static let depotKind = Rule(
    "depot-kind", .error, .depot, "The script does not describe one depot",
    reason: """
      A depot is described by a `DepotBuild` block, or listed in the `Depots` of an `AppBuild`. A \
      manifest describes one pack, with the files of one depot.
      """,
    remedy: "Convert the file that describes the depot, or choose one of several.",
    example: #""InstallScript" { "Run Process" { } }"#)

  package static let depotKey = Rule(
    "depot-key", .error, .depot, "A key that can't be converted",
    reason: "Steam does not document this key. It is neither guessed at nor ignored.",
    remedy: "Correct the spelling of the key, or remove it.",
    example: #""FileMaping" { "LocalPath" "*" }"#)

  package static let depotValue = Rule(
    "depot-value", .error, .depot, "A value is missing, duplicate or of the wrong type",
    reason:
      "`FileMapping` is a block with `LocalPath` and `DepotPath`; other keys have a string value.",
    remedy: "Fix the value at the caret.",
    example: #""FileMapping" { "LocalPath" "*" "Recursive" "yes" }"#)

  package static let depotPath = Rule(
    "depot-path", .error, .depot, "A path that a manifest can't express",
    reason: """
      A manifest selects files in one folder, the content root, and has no drive letters. Wildcards \
      are allowed in the last component of a `LocalPath`, which names files and not a folder.
      """,
    remedy: """
      Write the path relative to `ContentRoot`. If the content root itself is a drive of another \
      machine, tell the command where it is on this one.
      """,
    example: """
      "LocalPath" "..\\shared\\*"
      """)

  package static let depotLeftOut = Rule(
    "depot-left-out", .warning, .depot, "A key has no equivalent and is ignored",
    reason: """
      Install scripts, file attributes and upload settings are Steam's. A pack contains files only.
      """,
    remedy: "Make sure that the app works without it. The script need not be changed.",
    example: #""InstallScript" "setup.vdf""#)

  package static let depotListed = Rule(
    "depot-listed", .warning, .depot, "Files are listed by name",
    reason: """
      A manifest has no pattern that gives files another folder, and none that matches names with a \
      dot first unless the dot is written; and Apple's tool fails on `"directory": "."`. So the files, \
      or the entries of the top, that the script's pattern matches now are listed; those that come \
      later are not in the list.
      """,
    remedy: "Convert again when files are added, or move the files to their destination.",
    example: """
      "FileMapping" { "LocalPath" "bin\\*.dll" "DepotPath" "." }
      """)

  package static let depotReading = Rule(
    "depot-reading", .warning, .depot, "Steam's documentation is ambiguous",
    reason: """
      Steam documents its scripts by example: that `LocalPath` is a file or a pattern of names, that \
      `DepotPath` is a folder. It does not say what happens to names that differ in case, or to two \
      files at one place.
      """,
    remedy: "Compare the files of the pack with the depot that Steam builds.")
}
