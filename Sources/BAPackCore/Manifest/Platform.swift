/// A platform of packs, by its name in manifests; iPadOS is part of iOS. Packs may be for others
/// than those known here: these are read, kept and shown as they are.
public struct Platform: RawRepresentable, Hashable, Sendable {
  /// The name in manifests.
  public let rawValue: String

  /// The platform with this name in manifests.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// iPhone and iPad.
  public static let iOS = Platform(rawValue: "iOS")
  /// Mac.
  public static let macOS = Platform(rawValue: "macOS")
  /// Apple TV.
  public static let tvOS = Platform(rawValue: "tvOS")
  /// Apple Vision Pro.
  public static let visionOS = Platform(rawValue: "visionOS")

  /// The platforms that this version knows.
  public static let known = table.map(\.platform)
}

extension Platform: OpenName {
  /// What is known of a platform. The order is that of the template, of tables and of reports.
  private struct Row {
    let platform: Platform
    /// What people call its devices.
    let devices: String
    /// Its name in the App Store Connect API.
    let storeName: String
    /// Its numbers in `LC_BUILD_VERSION` of code, those of simulators and Catalyst included.
    let codeNumbers: [UInt64]
    /// Whether packs that Apple hosts may contain its code.
    var mayHaveCode = true
    /// Other names that are taken for it: in lowercase, without spaces.
    var otherNames: [String] = []
  }

  private static let table = [
    Row(
      platform: .iOS, devices: "iPhone and iPad", storeName: "IOS", codeNumbers: [2, 7],
      otherNames: ["ipados", "iphoneos", "iphone", "ipad"]),
    Row(
      platform: .macOS, devices: "Mac", storeName: "MAC_OS", codeNumbers: [1, 6],
      mayHaveCode: false, otherNames: ["osx", "macosx"]),
    Row(platform: .tvOS, devices: "Apple TV", storeName: "TV_OS", codeNumbers: [3, 8]),
    Row(
      platform: .visionOS, devices: "Apple Vision Pro", storeName: "VISION_OS",
      codeNumbers: [11, 12], otherNames: ["xros"]),
  ]

  package static let kindName = "a platform"

  private var row: Row? { Self.table.first { $0.platform == self } }

  /// What people call its devices: `iPhone and iPad`.
  package var devices: String { row?.devices ?? shown }

  /// Its option on command lines: `ios` for `--ios`.
  package var option: String { rawValue.lowercased() }

  /// Its name in the App Store Connect API; one that isn't known has the same there.
  package var storeName: String { row?.storeName ?? rawValue }

  package init(storeName: String) {
    self =
      Self.table.first { $0.storeName == storeName }?.platform ?? Platform(rawValue: storeName)
  }

  /// Those whose code packs may contain that Apple hosts.
  package static let withCode = table.filter(\.mayHaveCode).map(\.platform)

  /// Whether packs that Apple hosts can't contain code with this number in `LC_BUILD_VERSION`.
  static func rejectsCode(_ number: UInt64) -> Bool {
    table.contains { !$0.mayHaveCode && $0.codeNumbers.contains(number) }
  }

  /// The platform that an earlier name or one of another tool is for: iOS for `iPadOS`.
  static func called(_ name: String) -> Platform? {
    let name = name.lowercased().filter { $0 != " " }
    return table.first { $0.otherNames.contains(name) }?.platform
  }

  /// The known platforms, then the others in these lists.
  package static func all(in lists: some Sequence<[Platform]>) -> [Platform] {
    known + Set(lists.joined().filter { !$0.isKnown }).inOrder
  }

  /// Checks a platform that a user named: it must be known, or in one of these lists, such as those
  /// of packs.
  ///
  /// - Throws: ``PackagingError`` for another one, which may be a typo.
  package func check(in lists: some Sequence<[Platform]>) throws {
    let all = Self.all(in: lists)
    if all.contains(self) { return }
    let meant = Self.called(rawValue)?.rawValue ?? suggestion(for: rawValue, among: all.rawValues)
    throw PackagingError(
      "'\(shown)' is not a platform; "
        + (meant.map { "did you mean '\(printable($0.utf8))'?" }
          ?? "there are \(listed(all.map { "'\($0.shown)'" }, "and"))"))
  }
}
