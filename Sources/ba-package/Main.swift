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
      ]
    ).main()
  }
}
