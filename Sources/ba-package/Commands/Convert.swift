import BAPackCore
import CommandLine
import SteamDepot

/// `convert`: converts a Steam depot's build script to a manifest; `ConvertProject` is for Xcode.
struct Convert: Command {
  static let source = Argument(
    "source", .file(["vdf", "xcodeproj", "pbxproj"]),
    help: """
      The build script of a Steam depot, or of an app with one depot; or an Xcode project with \
      On-Demand Resources.
      """)
  static let assetPackID = Option(
    "asset-pack-id", name: "id", .text,
    help: "The identifier of the pack. Required for a depot; for a project, tags are identifiers.")
  static let essential = Option(
    "essential", help: "Download the pack as part of the app's installation.")
  static let prefetch = Option(
    "prefetch", help: "Start the download with the app's installation, in the background.")
  static let onDemand = Option("on-demand", help: "Download the pack when the app requests it.")
  static let events = Option(
    "installation-event-types", name: "event",
    .choice(InstallationEventType.allCases.map(\.rawValue)), arity: .upToNextOption,
    help: "The events for --essential or --prefetch. Default: both.")
  static let platforms = Option(
    "platforms", name: "platform", .choice(Platform.allCases.map(\.rawValue)),
    arity: .upToNextOption, help: "The platforms of the pack. Default: all.")
  static let language = Option(
    "language", "l", name: "tag", .text, help: "The language of the pack, a BCP-47 tag: 'pt-BR'.")
  static let depot = Option(
    "depot", name: "id", .text, help: "Which depot to convert if the app's script has several.")
  static let contentRoot = Option(
    "content-root", name: "dir", .directory,
    help: "Where the files are; overrides the script's ContentRoot.")
  static let output = Option(
    "output-path", "o", .file(["json"]),
    help: """
      The manifest to write. Default: standard output, with a sourceRoot relative to the working \
      directory; use -o if the manifest will be in another folder.
      """)
  static let target = Option(
    "target", name: "name", .text,
    help: "Which target of an Xcode project to convert if several have tags.")
  static let outputDirectory = Option(
    "output-directory", name: "dir", .directory,
    help: """
      The folder for the manifests of an Xcode project, one for each tag; it is created if necessary.
      """)
  static let force = Option(
    "force", "f", help: "Replace an existing file at the output path, atomically.")
  static let quiet = Option("quiet", "q", help: "Print only warnings and errors.")
  static let row = CommandRow(
    name: "convert",
    overview: "Convert a Steam depot's script, or On-Demand Resources, to manifests.",
    discussion: [
      """
      For a depot, the manifest selects the files that Steam would build from the content root, with the same \
      destination paths. The conversion reads the folders to check this, and fails if a manifest \
      can't express it. Settings without a counterpart are reported with their line. ContentRoot \
      becomes the sourceRoot.
      """,
      """
      For an Xcode project, there is a manifest for each tag: 'essential' for tags that are installed \
      initially, 'prefetch' for those that are prefetched, otherwise 'onDemand'. Assets of catalogues \
      and other files that Xcode compiles are reported and left out.
      """,
    ],
    arguments: [source],
    options: [
      assetPackID, essential, prefetch, onDemand, events, platforms, language, depot, contentRoot,
      output, target, outputDirectory, force, quiet, ProjectInput.rule, Shared.color,
    ],
    exclusive: [[essential, prefetch, onDemand]],
    examples: [
      Example(
        "ba-package convert depot_build_1001.vdf --asset-pack-id harbour --prefetch -o Harbour.json",
        "Convert a depot."),
      Example(
        "ba-package convert app_build_1000.vdf --depot 1002 --asset-pack-id german -l de --on-demand",
        "Print the manifest of one depot of an app."),
      Example(
        "ba-package convert Castle.xcodeproj --output-directory Packs",
        "Convert the On-Demand Resources of an app."),
    ],
    command: { typed throws(UsageError) in
      if ConvertProject.isProject(typed.path(source)) { return try ConvertProject(typed) }
      return try Convert(typed)
    })

  /// The options for depots only.
  static let depotOptions = [
    assetPackID, essential, prefetch, onDemand, events, language, depot, contentRoot, output,
  ]

  let script: BytePath
  let assetPackID: String
  let policy: DownloadPolicy
  let platforms: [Platform]
  let language: String?
  let depot: String?
  let contentRoot: BytePath?
  /// Nil for the standard output.
  let output: BytePath?
  let replacesOutput: Bool
  let isQuiet: Bool
  let project: ProjectInput
  let color: ColorChoice

  init(_ typed: TypedArguments) throws(UsageError) {
    script = typed.path(Self.source)
    for option in [Self.target, Self.outputDirectory] where typed.has(option) {
      throw UsageError("'--\(option.long)' can be used with an Xcode project only")
    }
    guard let identifier = try typed.text(Self.assetPackID) else {
      throw .missing(Self.assetPackID)
    }
    assetPackID = identifier
    policy = try Self.policy(typed)
    platforms = Self.platforms(typed)
    language = try typed.text(Self.language)
    if let language, !isLanguageTag(language) {
      throw .invalid(
        Array(language.utf8), for: Self.language,
        reason: "not a language tag such as 'de', 'pt-BR' or 'zh-Hant'")
    }
    depot = try typed.text(Self.depot)
    contentRoot = typed.path(Self.contentRoot)
    output = typed.path(Self.output)
    if let output, !output.hasExtension("json") {
      throw .invalid(
        output.bytes, for: Self.output, reason: "the name of a manifest must end in .json")
    }
    replacesOutput = typed.has(Self.force)
    isQuiet = typed.has(Self.quiet)
    project = try ProjectInput(typed)
    color = try typed.choice(Shared.color)
  }

  /// The platforms given, in the order of the format.
  static func platforms(_ typed: TypedArguments) -> [Platform] {
    let words = Set(typed.values(platforms).map { String(decoding: $0, as: UTF8.self) })
    return Platform.allCases.filter { words.contains($0.rawValue) }
  }

  private static func policy(_ typed: TypedArguments) throws(UsageError) -> DownloadPolicy {
    let words = Set(typed.values(events).map { String(decoding: $0, as: UTF8.self) })
    let all = InstallationEventType.allCases
    let chosen = words.isEmpty ? all : all.filter { words.contains($0.rawValue) }
    if typed.has(essential) { return .essential(chosen) }
    if typed.has(prefetch) { return .prefetch(chosen) }
    guard typed.has(onDemand) else {
      throw UsageError(
        "missing download policy: give '--essential', '--prefetch' or '--on-demand'")
    }
    if typed.has(events) { throw .exclusive(onDemand, events) }
    return .onDemand
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let project = try project.read(console, color)
    try output?.checkFolder()
    let source = SourceText(name: script.bytes, bytes: try contents())
    var (read, findings) = DepotScriptReader.read(source, depot: depot)
    if let read {
      let root: BytePath
      do throws(Finding) {
        root = try read.contentRoot(beside: script, option: contentRoot)
      } catch {
        findings.append(
          Finding(
            error.rule, error.message, at: error.location,
            notes: [Note("use --content-root to name that folder on this machine")]))
        return fail(findings, project, console)
      }
      return try convert(read, root, findings, project, console)
    }
    return fail(findings, project, console)
  }

  private func convert(
    _ read: DepotScript, _ root: BytePath, _ findings: [Finding], _ project: Project,
    _ console: Console
  ) throws(CommandError) -> ExitCode {
    guard let shown = String(validating: root.bytes, as: UTF8.self) else {
      throw .failure("the path '\(root)' of the content root is not UTF-8, as manifests require")
    }
    let relative = try CommandError.wrapping(
      SystemError.self, root.relative(to: output?.folder ?? "."))
    guard let relative else {
      throw .failure(
        "the relative path of the content root '\(root)' is not UTF-8, as manifests require")
    }
    let conversion = DepotConversion(
      of: read,
      DepotConversion.Settings(
        assetPackID: assetPackID, downloadPolicy: policy, platforms: platforms, language: language,
        contentRoot: shown, sourceRoot: relative))
    let all = project.rules.applied(to: (findings + conversion.findings).sortedByLocation())
    guard let manifest = conversion.manifest else { return fail(all, project, console) }
    // Findings about the manifest itself: Steam doesn't check the App Store's rules.
    let text = SourceText(name: output?.bytes ?? Array("<stdout>".utf8), bytes: manifest)
    let check = ManifestCheck(of: text, readFrom: output, project.options(selectsFiles: false))
    console.note(all + check.findings, color)
    guard let output else {
      try console.write(manifest)
      if !isQuiet {
        console.note(
          "note: the sourceRoot '\(printable(relative.utf8))' is relative to the working directory; "
            + "use -o to write the manifest to another folder")
      }
      return .success
    }
    // The files that the manifest selects, which a link may lead to.
    let selection = ManifestCheck(
      of: text, readFrom: output,
      project.options(policy: SelectionPolicy(allowsStubs: true))
    ).pack?.selection
    try compare(
      [output], withInputs: [script, project.file], filesOf: [selection].compactMap(\.self))
    Interruption.postpone()
    try write(manifest, to: output, replacing: replacesOutput)
    if !isQuiet {
      let count = check.pack?.manifest.selectors.count ?? 0
      console.note("\(output): \(counted(count, "selector")) from \(root)")
    }
    return .success
  }

  private func fail(
    _ findings: [Finding], _ project: Project, _ console: Console
  ) -> ExitCode {
    let findings = project.rules.applied(to: findings)
    console.note(findings.sortedByLocation(), color)
    console.note("error: no manifest was written: \(findings.summary)")
    return .failure
  }

  private func contents() throws(CommandError) -> [UInt8] {
    return try CommandError.wrapping(
      SystemError.self, script.contents(limit: KeyValuesReader.sizeLimit))
  }
}
