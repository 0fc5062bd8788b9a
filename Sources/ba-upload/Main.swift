import BACommandLine
import BAPackCore
import BAUpload

@main
struct Main {
  static func main() {
    forbidCoreDumps()
    refuseSecrets(ProcessContext.arguments)
    let environment: KeyValuePairs = [
      "ASC_KEY_ID, ASC_ISSUER_ID": "The ids of the API key and its issuer.",
      "ASC_PRIVATE_KEY_PATH, ASC_KEY_PATH": "The file of the API key, or the key itself.",
      "ASC_PRIVATE_KEY, ASC_PRIVATE_KEY_B64": "The API key itself, in PEM or base64.",
      "APP_STORE_CONNECT_API_KEY_KEY_ID, ..._ISSUER_ID, ..._KEY, ..._KEY_FILEPATH":
        "The same by fastlane's names.",
      "APP_STORE_CONNECT_API_KEY_PATH": "Fastlane's JSON file of a key.",
      "API_PRIVATE_KEYS_DIR": "A folder with key files, searched after those that altool searches.",
      "BA_UPLOAD_API": "The address of the API; Apple's unless set.",
      "SSLKEYLOGFILE":
        "A file that GnuTLS writes the secrets of connections to, and with them the token.",
      "GITHUB_STEP_SUMMARY": "A file that a table of the uploads is appended to.",
    ]
    Program(root: tool, environment: environment).main()
  }

  /// Ends the program if a word of the command line holds a key or a token, which errors would show.
  private static func refuseSecrets(_ words: [[UInt8]]) {
    guard let index = words.firstIndex(where: mayBeSecret) else { return }
    let option = [words[index].prefix { $0 != UInt8(ascii: "=") }, words[max(0, index - 1)][...]]
      .first { $0.first == UInt8(ascii: "-") && $0.count < 20 && !hasSecret($0) }
    FileDescriptor.writeToStandardError(
      "error: \(option.map { "'\(printable($0))'" } ?? "an argument") holds a key or a"
        + " token, or what looks like one, which is not shown here; other users can see command lines: give the key's file, or set"
        + " ASC_PRIVATE_KEY\n")
    ProcessContext.exit(ExitCode.usage.rawValue)
  }
}

package let tool: CommandRow = CommandRow(
  name: "ba-upload",
  overview: "Upload asset packs to App Store Connect.",
  discussion: [
    """
    Packs are checked before anything is sent. The same command continues an upload that was \
    interrupted, and packs that the store already has are not uploaded again.
    """
  ],
  options: CommandRow.generators,
  exitStatus: [
    "0": "Done; there may have been warnings.",
    "1": "There were errors, or something could not be done.",
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Upload.row.name
)

private let commands: [CommandRow] = [Upload.row, Status.row, Submit.row, Archive.row]

enum Format: String, CaseIterable { case text, json }

enum Shared {
  static let app = Option(
    "app", name: "app", .text, isRequired: true,
    help: "The app: its bundle identifier, or its number in App Store Connect.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: "How to show it: for people, or for programs.")
  static let dryRun = Option(
    "dry-run", "n",
    help: "Change nothing, and print what would be done; with --verbose, also each request.")
}
