extension Rule.Area {
  package static let project = Rule.Area("Projects")
}

extension Rule {
  package static let projectRules: [Rule] = [.projectFile, .sizeBudget, .unusedIgnore]

  package static let projectFile = Rule(
    "project-file", .error, .project, "The project file is invalid",
    reason: """
      `.ba-package.json` is looked for in the working directory and the folders above it. A rule that \
      does not exist, or a size that can't be read, would be ignored silently.
      """,
    remedy: "Correct the file. Rules that a pack requires can't be turned off.",
    example: #""rules": { "stray-file": "no" }"#)

  package static let sizeBudget = Rule(
    "size-budget", .warning, .project, "Packs are larger than their budget",
    reason: """
      Users wait for essential packs before they can start an app, so essential packs of more than \
      200 MB together are reported even without a project file: those without a language and those of \
      the largest language. `sizeBudgets` in the project file sets other limits, for the sum of \
      `essential` packs, for each pack with another policy, or for a single pack. The limit applies to \
      uncompressed sizes.
      """,
    remedy: """
      Move files that are not needed at the start to a pack with another policy, or raise the budget.
      """,
    example: #""sizeBudgets": { "essential": "100 MB", "packs": { "tutorial": "50 MB" } }"#)

  package static let unusedIgnore = Rule(
    "unused-ignore", .warning, .project, "A comment ignores nothing",
    reason: """
      `// ba-package: ignore stray-file` ignores findings of that rule on its own line, or on the next \
      line if nothing else is on the comment's line. A comment that ignores nothing has a typo or is \
      no longer needed, and would hide a later finding.
      """,
    remedy: "Correct the name of the rule, move the comment, or remove it.",
    example: #"{ "file": "Credits.txt" }, // ba-package: ignore stray-files"#)
}
