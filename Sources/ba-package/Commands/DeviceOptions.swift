import BAPackCore
import CommandLine

/// The options for the device whose packs are read.
struct DeviceOptions {
  static let language = Option(
    "language", name: "tag", .text, arity: .repeating,
    help: """
      Read what a player with this language has: packs without a language, and of those with common \
      paths the one that matches. Can be given several times, the preferred language first.
      """)
  static let platform = Option(
    "platform", name: "name", .choice(Platform.allCases.map(\.rawValue)),
    help: "Read only the packs for a platform.")
  static let all = [language, platform]
  static let discussion = """
    A device has the localized packs of one language: the player's, or the same with another region, \
    or else the app's primary language, 'primaryLanguage' in .ba-package.json. Languages match if \
    they are equal after Unicode's likely subtags are added, such as 'en' and 'en-US'.
    """

  /// Nil if no settings are given.
  let device: Device?
  private let projectFile: BytePath?

  init(_ typed: TypedArguments) throws {
    projectFile = typed.path(Checking.project)
    var device = Device()
    device.languages = try typed.languageTags(Self.language)
    if typed.has(Self.platform) { device.platform = try typed.choice(Self.platform) as Platform }
    self.device = typed.has(Self.language) || typed.has(Self.platform) ? device : nil
  }

  /// Passes the device to `body`, with the primary language of the project of `packs`. Notes which
  /// packs are missed, by the tags that `body` returns.
  func read<Result>(
    _ packs: [BytePath], _ console: Console,
    _ body: (Device?) throws -> (Result, missed: [[String]])
  ) throws -> Result {
    var device = device
    if device?.languages.isEmpty == false {
      let project = Project.find(for: packs, named: projectFile, rules: Explain.allRules)
      device?.primaryLanguage = try project.valid(console, .auto).primaryLanguage
    }
    do {
      let (result, missed) = try body(device)
      for tags in missed { note(missed: tags, device, console) }
      return result
    } catch let error as PackagingError {
      switch error {
      case .severalLanguages, .severalRegions:
        throw PackagingError("\(error); choose it with '--\(Self.language.long)'")
      default: throw error
      }
    }
  }

  private func note(missed tags: [String], _ device: Device?, _ console: Console) {
    func quoted(_ tags: [String]) -> String { tags.map { "'\($0)'" }.joined(separator: ", ") }
    let primary = device?.primaryLanguage
    console.note(
      "warning: packs in \(quoted(tags)) are left out: none matches \(quoted(device?.languages ?? []))"
        + (primary.map { " or the primary language '\($0)'" }
          ?? ", and 'primaryLanguage' in \(Project.fileName) is not set"))
  }
}
