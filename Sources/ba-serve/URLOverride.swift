import BACommandLine
import BAPackCore
import BAServer

/// `url-override`: points this Mac at a server, or explains how to do so on other devices.
struct URLOverride: Command {
  static let url = Argument(
    "url", .text, isOptional: true, help: "The server, as https://HOST:PORT without a path.")
  static let clear = Option("clear", help: "Remove the override.")
  static let row = CommandRow(
    name: "url-override", overview: "Set or remove the URL override of this Mac.",
    discussion: [
      """
      On a Mac this sets the default that the system reads. On other systems it shows where the \
      override is entered on each kind of device.
      """
    ],
    arguments: [url], options: [clear],
    examples: [
      "ba-serve url-override https://192.168.1.20:8443": "Use that server.",
      "ba-serve url-override --clear": "Use the App Store's server again.",
    ],
    command: URLOverride.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let url = try url()
    if try setSystemOverride(url) {
      console.tell(
        url.map { "this Mac now downloads asset packs of apps signed for development from \($0)" }
          ?? "this Mac uses the App Store's server again")
    } else {
      try console.write(steps(url))
    }
    return .success
  }

  /// The URL given; nil to clear the override.
  private func url() throws -> String? {
    let word = typed.values(Self.url).first
    if typed.has(Self.clear) {
      if word == nil { return nil }
      throw UsageError("'--\(Self.clear.long)' can't be used together with a URL")
    }
    guard let word else { throw UsageError.missing(Self.url) }
    do { return try overrideURL(word) } catch {
      // A password may be anywhere in it, so it isn't shown.
      throw UsageError("invalid value for '<\(Self.url.name)>': \(error)")
    }
  }

  private func steps(_ url: String?) -> String {
    let entry = url.map { "enter the URL override\n    \($0)" } ?? "empty the URL override"
    let command = url.map { "ba-serve url-override \($0)" } ?? "ba-serve url-override --clear"
    return """
      \(Platform.known.filter { $0 != .macOS }.map(\.devices).joined(separator: ", ")) (Developer \
      Mode must be on):
        in Settings > Developer > Background Assets Testing > Development Overrides, \(entry)
      Mac:
        \(command)

      """
  }
}
