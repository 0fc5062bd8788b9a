extension RuleDocumentation {
  static let depotSyntax = RuleDocumentation(
    .error, .depot, "The script is not KeyValues text",
    reason: """
      Steam's build scripts are KeyValues: quoted keys, each with a quoted value or a block in braces.
      """,
    remedy: "Mend the text where the caret stands.",
    example: """
      "DepotBuild" { "DepotID }
      """)

  static let depotEscapes = RuleDocumentation(
    .warning, .depot, "The script reads only with escapes",
    reason: """
      In KeyValues a backslash is a plain character, so that `"..\\content\\"` is a path. This script \
      makes sense only if backslashes are escapes, as some generators write them, and is read so.
      """,
    remedy: "Check the paths of the manifest that is made.")

  static let depotConditional = RuleDocumentation(
    .error, .depot, "The script holds a condition",
    reason: """
      `[$WIN32]` and the like choose by the machine that builds. A manifest has no conditions, so that \
      it cannot be told which side is meant.
      """,
    remedy: "Remove the condition, or the line that it stands on.",
    example: """
      "ContentRoot" "win" [$WIN32]
      """)

  static let depotInclude = RuleDocumentation(
    .error, .depot, "The script includes another file",
    reason: "`#include` and `#base` pull in another script. Only one file is converted at a time.",
    remedy: "Put the other file's text in place of the line.",
    example: """
      #base "common.vdf"
      """)
}
