import AppStoreConnect
import BAPackCore
import CommandLine

@main
struct Main {
  static func main() {
    forbidCoreDumps()
    let environment: KeyValuePairs = [
      "ASC_KEY_ID, ASC_ISSUER_ID": "The ids of the API key and its issuer.",
      "ASC_PRIVATE_KEY_PATH, ASC_KEY_PATH": "The file of the API key.",
      "ASC_PRIVATE_KEY": "The API key itself, in PEM or base64.",
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
