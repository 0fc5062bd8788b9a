import CommandLine

@main
struct Main {
  static func main() {
    let sourceDateEpoch = Program.EnvironmentVariable(
      "SOURCE_DATE_EPOCH",
      "The time of all entries of a pack, in seconds since 1970; 2001 begins unless set.")
    Program(root: tool, environment: [sourceDateEpoch]).main()
  }
}
