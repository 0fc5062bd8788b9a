import CommandLine

@main
struct Main {
  static func main() {
    Program(
      root: tool,
      environment: [
        Program.EnvironmentVariable(
          "XDG_DATA_HOME", "The folder above that of the authority and the versions of packs."),
        Program.EnvironmentVariable(
          "XDG_CACHE_HOME", "The folder above that of packs made from manifests."),
      ]
    ).main()
  }
}
