import AppStoreConnect
import CommandLine

@main
struct Main {
  static func main() {
    forbidCoreDumps()
    let environment = [
      Program.EnvironmentVariable(
        "ASC_KEY_ID, ASC_ISSUER_ID", "The ids of the API key and its issuer."),
      Program.EnvironmentVariable("ASC_PRIVATE_KEY_PATH, ASC_KEY_PATH", "The file of the API key."),
      Program.EnvironmentVariable("ASC_PRIVATE_KEY", "The API key itself, in PEM or base64."),
      Program.EnvironmentVariable(
        "APP_STORE_CONNECT_API_KEY_KEY_ID, ..._ISSUER_ID, ..._KEY, ..._KEY_FILEPATH",
        "The same by fastlane's names."),
      Program.EnvironmentVariable(
        "APP_STORE_CONNECT_API_KEY_PATH", "Fastlane's JSON file of a key."),
      Program.EnvironmentVariable(
        "API_PRIVATE_KEYS_DIR",
        "A folder with key files, searched after those that altool searches."),
      Program.EnvironmentVariable("BA_UPLOAD_API", "The address of the API; Apple's unless set."),
      Program.EnvironmentVariable(
        "SSLKEYLOGFILE",
        "A file that GnuTLS writes the secrets of connections to, and with them the token."),
      Program.EnvironmentVariable(
        "GITHUB_STEP_SUMMARY", "A file that a table of the uploads is appended to."),
    ]
    Program(root: tool, environment: environment).main()
  }
}
