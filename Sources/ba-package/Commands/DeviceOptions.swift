import BACommandLine
import BAImporters
import BAPackCore

/// The options for the device whose packs are read.
struct DeviceOptions {
  /// The languages of the App Store's pages, as manifests write them.
  static let storeLanguages = [
    "ar", "ca", "cs", "da", "de", "el", "en", "en-AU", "en-CA", "en-GB", "es", "es-MX", "fi", "fr",
    "fr-CA", "he", "hi", "hr", "hu", "id", "it", "ja", "ko", "ms", "nb", "nl", "pl", "pt-BR",
    "pt-PT", "ro", "ru", "sk", "sv", "th", "tr", "uk", "vi", "zh-Hans", "zh-Hant",
  ]
  static let language = Option(
    "language", name: "tag", .suggestion(storeLanguages), arity: .repeating,
    help: """
      Take what a player with this language has: packs without a language, and those in the one \
      that the system chooses. Can be given several times, the preferred language first.
      """)
  static let platform = Option(
    "platform", name: "name", .suggestion(Platform.known.rawValues),
    help: """
      Take only the packs for a platform: \(listed(Platform.known.rawValues, "or")), or another that \
      a pack names.
      """)
  static let also = Option(
    "also", name: "id", .text, arity: .repeating,
    help:
      "Add a pack that the app requests itself, whatever its language. Can be given several times.")
  static let all = [language, platform, also]
  static let discussion = """
    A device has the packs without a language, and those in one language, which the system chooses \
    once for all packs of the app: the first of the player's languages that a pack is in, with \
    another region if need be, or else the app's primary language, 'primaryLanguage' in \
    .ba-package.json. Languages match if they are equal after Unicode's likely subtags are added, \
    such as 'en' and 'en-US'.
    """

  /// The packs that a device has, of those in languages with the tags.
  typealias Choice = (resolved: ResolvedLanguage?, tags: [String])

  /// Nil if no settings are given.
  let device: Device?
  private let projectFile: BytePath?

  init(_ typed: TypedArguments) throws {
    projectFile = typed.path(Checking.project)
    var device = Device()
    device.languages = try typed.languageTags(Self.language)
    device.platform = try typed.text(Self.platform).map { Platform(rawValue: $0) }
    device.requestedPacks = try typed.values(Self.also) { value in
      String(decoding: value, as: UTF8.self)
    }
    self.device = Self.all.contains(where: typed.has) ? device : nil
  }

  /// The device, with the primary language of `project`.
  func device(of project: Project) -> Device? {
    var device = device
    device?.primaryLanguage = project.primaryLanguage
    return device
  }

  /// Passes the device to `body`, with the primary language of the project of `packs`. Notes what the
  /// language that `body` returns means for the player.
  func read<Result>(
    _ packs: [BytePath], _ console: Console,
    _ body: (Device?) throws -> (Result, Choice?)
  ) throws -> Result {
    var device = device
    if device?.languages.isEmpty == false {
      let project = Project.find(for: packs, named: projectFile, rules: Rule.known)
      device?.primaryLanguage = try project.valid(console, .auto).primaryLanguage
    }
    let (result, choice) = try Self.explaining { try body(device) }
    if let device, let choice { tell(choice, device, console) }
    return result
  }

  /// Runs `body`, whose errors about languages then say what to do.
  static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PackagingError {
      switch error {
      case .severalLanguages, .severalRegions:
        throw PackagingError("\(error); choose it with '--\(language.long)'")
      case .severalPlatforms:
        throw PackagingError("\(error); choose it with '--\(platform.long)'")
      case .noPrimaryLanguage:
        throw PackagingError("\(error); write 'primaryLanguage' in \(Project.fileName)")
      default: throw error
      }
    }
  }

  private func tell(_ choice: Choice, _ device: Device, _ console: Console) {
    func quoted(_ tags: [String]) -> String { tags.map { "'\($0)'" }.joined(separator: ", ") }
    if device.languages.isEmpty || choice.tags.isEmpty { return }
    guard let resolved = choice.resolved else {
      return console.tell(
        "warning: packs in \(quoted(choice.tags)) are left out: none matches "
          + quoted(device.languages)
          + (device.primaryLanguage.map { " or the primary language '\($0)'" } ?? ""))
    }
    if resolved.isCertain { return }
    console.tell(
      "note: '\(resolved.tag)' is taken for '\(resolved.wanted)'; Apple doesn't document it")
  }
}
