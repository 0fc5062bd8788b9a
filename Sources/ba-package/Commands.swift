import BAPackCore
import CommandLine

/// The root of the command table.
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
    ExitStatus("0", "Success; there may have been warnings."),
    ExitStatus("1", "There were errors."),
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Package.row.name
)

/// The commands, in the order of the help text.
private let commands: [CommandRow] = [
  Template.row,
  Validate.row,
  Package.row,
  Evaluate.row,
  Digest.row,
  Convert.row,
  DownloadManifestCommand.row,
  AppInfoCommand.row,
  List.row,
  Info.row,
  Verify.row,
  Extract.row,
  Cat.row,
  Diff.row,
  Report.row,
  Explain.row,
  License.row,
  foundationModels,
]

/// Features of Apple's tool that are out of scope.
private let foundationModels = CommandRow(
  name: "foundation-models", overview: "Not supported: package adapters of Foundation Models.",
  isHidden: true,
  refusal: "'foundation-models' is not supported. Apple's ba-package, which comes with Xcode, "
    + "packages adapters of Foundation Models.")

/// Options shared by several commands.
enum Shared {
  static let root = Option(
    "root", name: "dir", .directory,
    help: "The source root: the folder that selectors' paths are relative to.")
  static let hosting = Option(
    "hosting", name: "host", .choice(Hosting.allCases.map(\.rawValue)), default: "apple",
    help: "Who hosts the packs; 'self' skips the App Store's rules.")
  static let links = Option(
    "links", name: "policy", .choice(LinkPolicy.allCases.map(\.rawValue)), default: "inside",
    help: """
      Where symbolic links may lead: 'inside' the source root, or anywhere with 'follow', which build \
      systems need that present inputs as links.
      """)
  static let allowStubs = Option(
    "allow-stubs",
    help: "Package Git LFS pointers and other placeholders for files that were not fetched.")
  /// The hosting, if given; the project file may have another default.
  static func hosting(_ typed: TypedArguments) throws(UsageError) -> Hosting? {
    typed.has(hosting) ? try typed.choice(hosting) : nil
  }
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    help: "When to use colors; 'auto' means on a terminal, unless NO_COLOR is set.")
}

extension TypedArguments {
  /// Which files may be selected.
  func policy() throws(UsageError) -> SelectionPolicy {
    SelectionPolicy(links: try choice(Shared.links), allowsStubs: has(Shared.allowStubs))
  }
}
