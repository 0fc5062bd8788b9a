import BAApps
import BACommandLine
import BAPackCore

/// `app-info`: prints the keys that an app needs in its Info.plist, or checks them; or writes the
/// files of its downloader extension.
struct AppInfoCommand: Command {
  static let inputs = Argument(
    "pack", .file(["aar", "json"]), isOptional: true, isRepeating: true,
    help: """
      The app's packs, or their manifests; a folder means all packs in it or, if there are none, all \
      manifests. Packs that Apple hosts need not be given.
      """)
  static let appGroup = Option(
    "app-group", name: "group", .text,
    help:
      "The app group that the app shares with its downloader extension: 'group.com.example.game'."
  )
  static let manifestURL = Option(
    "manifest-url", name: "url", .text,
    help: "The URL of the download manifest, for packs on your own server.")
  static let baseURL = Option(
    "download-base-url", name: "url", .text, arity: .repeating,
    help: "The URL of the folder that packs are served from, if it is on another host.")
  static let check = Option(
    "check", name: "file", .file(["plist"]),
    help: "Check an Info.plist, in XML, instead of printing the keys.")
  static let swift = Option(
    "swift", name: "file", .file(["swift"]),
    help:
      "Write a Swift file with the packs' identifiers as constants instead of printing the keys.")
  static let paths = Option(
    "paths", help: "With --swift, write the paths of the packs' files, too: at most 2,000.")
  static let extensionFolder = Option(
    "extension", name: "dir", .directory,
    help: "Write the files of a downloader extension to this folder; none is replaced.")
  static let bundleID = Option(
    "bundle-id", name: "id", .text,
    help: "The bundle identifier of the app, for --extension: 'com.example.game'.")
  static let format = Option(
    "format", name: "format", .choice(FindingFormat.allCases.map(\.rawValue) + [xcodegen]),
    default: "text",
    help:
      "The output format: of the keys, text or json; of a check, any; or 'xcodegen', the targets of --extension for XcodeGen."
  )
  private static let xcodegen = "xcodegen"
  static let row = CommandRow(
    name: "app-info", overview: "Print or check what an app needs for asset packs.",
    discussion: [
      """
      The keys are printed as a property list. Those that are only needed for packs on your own \
      server include the sizes that the system and the App Store need to know: the downloads of \
      'essential' packs and of 'prefetch' packs, and their files. Give the packs themselves for exact \
      sizes: from a manifest, the download is counted uncompressed. The sizes are the largest that one \
      player has, on any platform and in any language; --platform names one.
      """,
      """
      Whether the download manifest itself counts towards the allowances is not documented, nor \
      whether an update counts as a first installation; packs with the event subsequentUpdate only \
      are not counted.
      """,
      """
      --extension writes the source of a downloader extension, its Info.plist, and entitlements for it \
      and for the app; the remaining steps in Xcode are printed.
      """,
    ],
    arguments: [inputs],
    options: [
      appGroup, Checking.hosting, manifestURL, baseURL, check, swift, paths, extensionFolder,
      bundleID,
      format,
      DeviceOptions.platform, Checking.root, Checking.links, Checking.allowStubs, Checking.rule,
      Checking.project,
    ] + PackReading.options + [PackReading.quiet, Checking.color],
    exclusive: [[check, swift, extensionFolder]],
    requires: [extensionFolder: [bundleID], swift: [paths]],
    gone: ["sources": "'--swift' writes constants, with which a wrong name doesn't compile"],
    examples: [
      "ba-package app-info --app-group group.com.example.game":
        "Print the keys for packs that Apple hosts.",
      "ba-package app-info --check Keys.plist --hosting self build":
        "Check the sizes in an Info.plist against the packs.",
      "ba-package app-info --extension Downloader --bundle-id com.example.game --app-group "
        + "group.com.example.game": "Write a downloader extension.",
      "ba-package app-info --swift AssetPacks.swift Packs": "Write constants for the app's code.",
    ],
    exitStatus: [
      "0": "Success; a check may have found warnings.",
      "1": "There were errors.",
    ],
    command: { try AppInfoCommand($0) })

  let typed: TypedArguments
  let checking: Checking
  /// Nil for Apple, which is noted.
  let stated: Hosting?
  let appGroup: String?
  let manifestURL: String?
  let hosts: [String]
  let newExtension: (folder: BytePath, files: ExtensionFiles)?
  let reading: PackReading

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    checking = try Checking(typed)
    reading = PackReading(typed)
    appGroup = try typed.text(Self.appGroup)
    manifestURL = try typed.text(Self.manifestURL)
    let inputs = typed.paths(Self.inputs)
    stated = checking.hosting ?? checking.project(for: inputs).hosting
    let chosen = stated ?? .apple
    for option in [Self.manifestURL, Self.baseURL, DeviceOptions.platform]
    where chosen == .apple && typed.has(option) {
      throw UsageError("'--\(option.long)' can be used with '--hosting self' only")
    }
    newExtension = try Self.newExtension(typed, chosen)
    let isForXcodeGen = typed.value(Self.format) == Array(Self.xcodegen.utf8)
    if isForXcodeGen, newExtension == nil {
      throw UsageError(
        "'--\(Self.format.long) \(Self.xcodegen)' can be used with '--\(Self.extensionFolder.long)' only"
      )
    }
    let format = typed.value(Self.format).map { String(decoding: $0, as: UTF8.self) } ?? "text"
    let ofKeys = typed.has(Self.swift) || newExtension != nil ? ["text"] : ["text", "json"]
    if !isForXcodeGen, !typed.has(Self.check), !ofKeys.contains(format) {
      throw UsageError.needs(Self.format, Self.check)
    }
    if chosen == .ownServer || typed.has(Self.swift), inputs.isEmpty, newExtension == nil {
      throw UsageError("missing argument '<pack>': the result depends on the packs or manifests")
    }
    hosts = try [Self.manifestURL, Self.baseURL].flatMap { try typed.values($0, Self.host) }
      .unique()
  }

  private static func host(_ value: [UInt8]) throws -> String {
    let url = try DownloadBaseURL(value)
    guard url.isSecure else { throw PackagingError("it must begin with 'https://'") }
    return url.host
  }

  private static func newExtension(
    _ typed: TypedArguments, _ hosting: Hosting
  ) throws -> (folder: BytePath, files: ExtensionFiles)? {
    guard let folder = typed.path(extensionFolder) else { return nil }
    guard let app = try typed.text(bundleID) else { throw UsageError.missing(bundleID) }
    guard let group = try typed.text(appGroup) else { throw UsageError.missing(appGroup) }
    do {
      return (folder, try ExtensionFiles(app: app, appGroup: group, hosting: hosting))
    } catch {
      throw UsageError("\(error)")
    }
  }

  private func write(
    _ extension: ExtensionFiles, to folder: BytePath, _ console: Console
  ) throws -> ExitCode {
    let files = `extension`.files
    do {
      try ba_package.write(
        files.map { (folder.appending($0.name.utf8), $0.bytes) }, into: folder, replacing: false)
    } catch let error as SystemError where error.code == .fileExists {
      throw PackagingError("'\(error.path)' already exists; choose another folder, or remove it")
    }
    let isForXcodeGen = typed.value(Self.format) == Array(Self.xcodegen.utf8)
    let shown = folder.description
    try console.write(
      isForXcodeGen ? `extension`.stanza(in: shown) : `extension`.steps(in: shown))
    console.tell("wrote \(counted(files.count, "file")) to '\(folder)'")
    if !isForXcodeGen, !typed.isQuiet {
      console.tell(
        "note: 'ba-package app-info' prints the keys, and checks the app's Info.plist with --\(Self.check.long)"
      )
    }
    return .success
  }

  private func write(_ source: [UInt8], to file: BytePath, _ console: Console) throws {
    guard case .file = try file.outputTarget() else {
      return try ba_package.write(source, to: file, replacing: true)
    }
    let old = try file.contentsIfPresent(limit: 1 << 24)
    if let old, !old.starts(with: AppDownloads.swiftHeader.utf8) {
      throw PackagingError("'\(file)' exists and wasn't made by --swift; choose another name")
    }
    if old != source { try ba_package.write(source, to: file, replacing: true) }
    if !typed.isQuiet { console.tell("\(file): \(old == source ? "unchanged" : "written")") }
  }

  func run(_ console: Console) throws -> ExitCode {
    if stated == nil, !typed.isQuiet, !typed.has(Self.swift) {
      console.tell(
        "note: no hosting is stated, so this is for packs that Apple hosts; '--hosting self' is for"
          + " your own server")
    }
    if let (folder, files) = newExtension { return try write(files, to: folder, console) }
    let project = try checking.readProject(for: typed.paths(Self.inputs), console)
    let hosting = stated ?? .apple
    guard let downloads = try downloads(project, console) else { return .failure }
    if let file = typed.path(Self.swift) {
      try write(try downloads.swiftSource(withPaths: typed.has(Self.paths)), to: file, console)
      return .success
    }
    for pack in downloads.packs where !pack.manifest.downloadPolicy.isKnown {
      console.tell(
        "warning: '\(pack.manifest.name)' is counted as far as its policy and events are known:"
          + " \(pack.manifest.downloadPolicy.text)")
    }
    if !typed.has(Self.check), downloads.players.count > 1 {
      for line in downloads.table { console.tell(line) }
      if hosting == .ownServer, let words = downloads.words { console.tell(words) }
    }
    let info = AppInfo(
      hosting: hosting, appGroup: appGroup, manifestURL: manifestURL, hosts: hosts,
      downloads: downloads)
    if let file = typed.path(Self.check) {
      let findings = project.rules.applied(to: try info.check(file))
      let format = try typed.choice(Self.format, as: FindingFormat.self)
      try console.write(
        findings.rendered(as: format, color: console.colorsOutput(checking.color)), as: format)
      if format == .text, !typed.isQuiet { console.tell("\(file): \(findings.summary)") }
      return findings.hasErrors ? .failure : .success
    }
    let isIncomplete = hosting == .ownServer && manifestURL == nil
    if typed.value(Self.format) == Array("json".utf8) {
      try console.write(
        .object(["schemaVersion": 1, "keys": info.keys, "players": downloads.json]))
    } else {
      try console.write(info.propertyList)
    }
    if let appGroup, !appGroup.hasPrefix("group.") {
      console.tell(
        "warning: '\(printable(appGroup.utf8))' is an app group of macOS only: on other "
          + "platforms its name begins with 'group.'")
    }
    if typed.isQuiet { return .success }
    for (option, key) in [(Self.appGroup, "BAAppGroupID"), (Self.manifestURL, "BAManifestURL")]
    where option.long == Self.appGroup.long ? appGroup == nil : isIncomplete {
      console.tell("note: '\(key)' is left out: give it with --\(option.long)")
    }
    if downloads.isUpperBound, hosting == .ownServer {
      console.tell(
        "note: downloads are counted uncompressed; give the packs instead of their manifests for the "
          + "exact sizes")
    }
    return .success
  }

  /// The sizes of all packs; nil after errors in manifests, which were reported.
  private func downloads(_ project: Project, _ console: Console) throws -> AppDownloads? {
    let platform = try typed.text(DeviceOptions.platform).map { Platform(rawValue: $0) }
    var downloads = AppDownloads(on: platform)
    var manifests: [BytePath] = []
    for input in try PackOrManifest.inputs(at: typed.paths(Self.inputs)) {
      guard case .archive(let path) = input else {
        manifests.append(input.path)
        continue
      }
      guard downloads.add(try reading.read(path)) else {
        throw PackagingError("'\(path)' has no manifest that can be read; use 'verify' for details")
      }
    }
    try platform?.check(in: downloads.packs.map { $0.manifest.platforms })
    if manifests.isEmpty { return downloads }
    var options = checking.options(of: project)
    options.hosting = stated ?? .apple
    let app = try AppCheck(reading: manifests, options)
    let errors = app.findings.filter { $0.severity == .error }
    if !errors.isEmpty {
      console.tell(errors, checking.color)
      console.tell("error: the sizes are unknown: \(errors.summary)")
      return nil
    }
    for pack in app.checks.compactMap(\.pack) { downloads.add(pack) }
    return downloads
  }
}

extension AppDownloads {
  /// The sizes for each of the players.
  fileprivate var json: JSONValue {
    func json(_ sizes: Sizes) -> JSONValue {
      .object(["downloadSize": sizes.download, "size": sizes.installed])
    }
    return JSONValue(
      .array(
        players.map { player, essential, other in
          .object([
            "language": player.language,
            "platforms": player.platforms.isEmpty ? nil : player.platforms.rawValues,
            "essential": json(essential), "prefetch": json(other),
          ])
        }))
  }

  fileprivate var table: [String] {
    let columns = [
      players.contains { $0.player.language != nil },
      players.contains { !$0.player.platforms.isEmpty }, true, true, true, true,
    ]
    let head = ["language", "platforms", "essential", "files", "prefetch", "files"]
    let rows = players.map { player, essential, other in
      [
        player.language ?? "none",
        player.platforms.isEmpty ? "all" : player.platforms.shown,
        byteCount(essential.download), byteCount(essential.installed),
        byteCount(other.download), byteCount(other.installed),
      ]
    }
    let shown = ([head] + rows).map { zip($0, columns).compactMap { $1 ? $0 : nil } }
    return aligned(shown, numbers: shown[0].count - 4..<shown[0].count)
  }

  /// Whose sizes are the largest.
  fileprivate var words: String? {
    let largest = [
      ("essential", players.map { ($0.player, $0.essential.download) }),
      ("prefetch", players.map { ($0.player, $0.other.download) }),
    ].compactMap { policy, sizes -> String? in
      guard let most = sizes.max(by: { $0.1 < $1.1 }), most.1 > 0, let words = most.0.words()
      else { return nil }
      return "'\(policy)' packs \(words)"
    }
    return largest.isEmpty ? nil : "note: the sizes are those of " + largest.joined(separator: ", ")
  }
}
