import CommandLine

@main
struct Main {
  static func main() {
    let sourceDateEpoch = Program.EnvironmentVariable(
      "SOURCE_DATE_EPOCH",
      "The modification time of all entries of a pack, in seconds since 1970. Default: 2001-01-01.")
    Program(
      root: tool,
      environment: [
        Packing.compressionVariable, sourceDateEpoch, GitHubStep.summaryVariable,
        GitHubStep.outputVariable,
      ],
      files: [
        (
          ".ba-package.json",
          "The project file, which sets rules, budgets and defaults. It is found in the working "
            + "directory or the folders above it."
        ),
        ("NAME.aar.record", "What a pack was made of, for --if-changed."),
        ("NAME.digests.json", "Digests of the packs that a download manifest lists."),
      ],
      seeAlso: [("ba-package-manifest", 5)], words: words
    ).main()
  }
}
