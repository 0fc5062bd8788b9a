import BAPackCore
import CommandLine
import XcodeProject

/// `app-info`: prints the keys that an app needs in its Info.plist, or checks them.
struct AppInfoCommand: Command {
  static let inputs = Argument(
    "pack", .file(["aar", "json"]), isOptional: true, isRepeating: true,
    help: """
      The app's packs, or their manifests, or folders with manifests. Packs that Apple hosts need not \
      be given.
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
    help: "Check this Info.plist, an XML property list, instead of printing the keys.")
  static let format = Option(
    "format", name: "format", .choice(FindingFormat.allCases.map(\.rawValue)), default: "text",
    help: "The output format of --check.")
  static let row = CommandRow(
    name: "app-info", overview: "Print or check the keys that an app needs in its Info.plist.",
    discussion: [
      """
      The keys are printed as a property list. Those that are only needed for packs on your own \
      server include the sizes that the system and the App Store need to know: the downloads of \
      'essential' packs and of 'prefetch' packs, and their files. Give the packs themselves for exact \
      sizes: from a manifest, the download is counted uncompressed.
      """,
      """
      Whether the download manifest itself counts towards the allowances is not documented, nor \
      whether an update counts as a first installation; packs with the event subsequentUpdate only \
      are not counted.
      """,
    ],
    arguments: [inputs],
    options: [
      appGroup, Checking.hosting, manifestURL, baseURL, check, format, Checking.root,
      Checking.links, Checking.allowStubs,
      Checking.rule,
    ] + PackReading.options + [Checking.color],
    examples: [
      Example(
        "ba-package app-info --app-group group.com.example.game",
        "Print the keys for packs that Apple hosts."),
      Example(
        "ba-package app-info --check Keys.plist --hosting self build/*.aar",
        "Check the sizes in an Info.plist against the packs."),
    ],
    exitStatus: [
      ExitStatus("0", "Success; with --check, there may have been warnings."),
      ExitStatus("1", "There were errors."),
    ],
    command: { typed throws(UsageError) in try AppInfoCommand(typed) })

  let typed: TypedArguments
  let checking: Checking
  let appGroup: String?
  let manifestURL: String?
  let hosts: [String]
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    self.typed = typed
    checking = try Checking(typed)
    reading = try PackReading(typed)
    appGroup = try typed.text(Self.appGroup)
    manifestURL = try typed.text(Self.manifestURL)
    let inputs = typed.paths(Self.inputs)
    if !typed.has(Self.check), typed.has(Self.format) {
      throw UsageError("'--\(Self.format.long)' can be used with '--\(Self.check.long)' only")
    }
    let chosen = checking.hosting ?? checking.project(for: inputs).value.hosting ?? .apple
    for option in [Self.manifestURL, Self.baseURL] where chosen == .apple && typed.has(option) {
      throw UsageError("'--\(option.long)' can be used with '--hosting self' only")
    }
    if chosen == .`self`, inputs.isEmpty {
      throw UsageError("missing argument '<pack>': the sizes depend on the packs or manifests")
    }
    var hosts: [String] = []
    for option in [Self.manifestURL, Self.baseURL] {
      for value in typed.values(option) {
        let host = try Self.host(value, of: option)
        if !hosts.contains(host) { hosts.append(host) }
      }
    }
    self.hosts = hosts
  }

  private static func host(_ value: [UInt8], of option: Option) throws(UsageError) -> String {
    do throws(InvalidValue) {
      let url = try DownloadBaseURL(value)
      guard url.isSecure else {
        throw InvalidValue(reason: "it must begin with 'https://'")
      }
      return url.host
    } catch {
      throw .invalid(value, for: option, reason: error.reason)
    }
  }

  func run(_ console: Console) throws -> ExitCode {
    let project = try checking.readProject(for: typed.paths(Self.inputs), console)
    let hosting = checking.hosting ?? project.hosting ?? .apple
    guard let downloads = try downloads(project, console) else { return .failure }
    let info = AppInfo(
      hosting: hosting, appGroup: appGroup, manifestURL: manifestURL, hosts: hosts,
      downloads: downloads)
    if let file = typed.path(Self.check) { return try check(file, info, project, console) }
    let isIncomplete = hosting == .`self` && manifestURL == nil
    try console.write(info.propertyList)
    for (option, key) in [(Self.appGroup, "BAAppGroupID"), (Self.manifestURL, "BAManifestURL")]
    where option.long == Self.appGroup.long ? appGroup == nil : isIncomplete {
      console.note("note: '\(key)' is left out: give it with --\(option.long)")
    }
    if downloads.isUpperBound, hosting == .`self` {
      console.note(
        "note: downloads are counted uncompressed; give the packs instead of their manifests for the "
          + "exact sizes")
    }
    return .success
  }

  private func check(
    _ file: BytePath, _ info: AppInfo, _ project: Project, _ console: Console
  ) throws -> ExitCode {
    let bytes = try file.contents(limit: PropertyListLimits.size)
    let findings = project.rules.applied(
      to: info.check(SourceText(name: file.bytes, bytes: bytes)))
    let format = try typed.choice(Self.format, as: FindingFormat.self)
    try console.write(
      findings.rendered(as: format, color: console.colorsOutput(checking.color)), as: format)
    if format == .text { console.note("\(file): \(findings.summary)") }
    return findings.hasErrors ? .failure : .success
  }

  /// The sizes of all packs; nil after errors in manifests, which were reported.
  private func downloads(_ project: Project, _ console: Console) throws -> AppDownloads? {
    var downloads = AppDownloads()
    var manifests: [BytePath] = []
    for path in typed.paths(Self.inputs) {
      guard path.hasExtension("aar") else {
        manifests.append(path)
        continue
      }
      guard downloads.add(try reading.read(path)) else {
        throw CommandError("'\(path)' has no manifest that can be read; use 'verify' for details")
      }
    }
    if manifests.isEmpty { return downloads }
    let app = try AppCheck(reading: manifests, checking.options(of: project))
    let errors = app.findings.filter { $0.severity == .error }
    if !errors.isEmpty {
      console.note(errors, checking.color)
      console.note("error: the sizes are unknown: \(errors.summary)")
      return nil
    }
    for pack in app.checks.compactMap(\.pack) { downloads.add(pack) }
    return downloads
  }
}
