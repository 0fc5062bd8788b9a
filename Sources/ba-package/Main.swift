import BACommandLine
import BAPackCore

@main
struct Main {
  static func main() {
    Program(
      root: tool,
      environment: [
        Packing.compressionVariable:
          "The compression of packs unless --compression is given: "
          + "\(listed(Codec.allCases.map(\.rawValue), "or")), or with a level, such as 'lzfse 9'.",
        Packing.timeVariable:
          "The modification time of all entries of a pack, in seconds since 1970. "
          + "Default: 2001-01-01.",
        GitHubStep.summaryVariable:
          "With --format github, a file that a table of the packs is appended to.",
        GitHubStep.outputVariable:
          "With --format github, a file that the step's outputs are appended to.",
      ],
      files: [
        ".ba-package.json":
          "The project file, which sets rules, budgets and defaults. It is found in the working "
          + "directory or the folders above it.",
        "NAME.aar.record": "What a pack was made of, for --if-changed.",
        "NAME.digests.json": "Digests of the packs that a download manifest lists.",
      ],
      seeAlso: [("ba-package-manifest", 5)], words: words
    ).main()
  }
}

package let tool: CommandRow = CommandRow(
  name: "ba-package",
  overview: "Make asset packs for apps and games on Apple's platforms.",
  discussion: [
    """
    A manifest lists the files of a repository that belong to an asset pack. 'package' puts them into \
    an archive with the extension .aar.
    """
  ],
  options: CommandRow.generators,
  exitStatus: [
    "0": "Success; there may have been warnings.",
    "1": "There were errors.",
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  groups: groups.map { ($0.title, $0.rows.map(\.name)) },
  defaultSubcommand: Package.row.name
)

/// The commands by what they are for, in the order of the help text.
private let groups: [(title: String, rows: [CommandRow])] = [
  ("Make", [Template.row, Validate.row, Package.row, Report.row]),
  (
    "Look",
    [List.row, Info.row, Cat.row, Diff.row, Verify.row, Extract.row, Explain.row]
  ),
  ("Publish", [DownloadManifestCommand.row, AppInfoCommand.row]),
  ("Build systems", [Evaluate.row, Digest.row]),
  ("Migrate", [Convert.row]),
]
private let commands = groups.flatMap(\.rows) + [License.row, foundationModels] + otherPrograms

/// Features of Apple's tool that are out of scope.
private let foundationModels = CommandRow(
  name: "foundation-models", overview: "Not supported: package adapters of Foundation Models.",
  isHidden: true,
  refusal: "'foundation-models' is not supported. Apple's ba-package, which comes with Xcode, "
    + "packages adapters of Foundation Models.")

/// Words for what other programs do.
private let otherPrograms =
  [
    ("serve", "ba-serve"), ("watch", "ba-serve --watch"), ("upload", "ba-upload"),
    ("publish", "ba-upload"), ("submit", "ba-upload submit"), ("status", "ba-upload status"),
  ].map { name, program in
    CommandRow(
      name: name, overview: "Not here: a program of its own.", isHidden: true,
      refusal:
        "'\(name)' is \(program == "ba-" + name ? "" : "done by ")a program of its own: \(program)")
  } + [
    CommandRow(
      name: "xcrun", overview: "Not needed.", isHidden: true,
      refusal: "leave 'xcrun' out: this program is 'ba-package' by itself")
  ]
