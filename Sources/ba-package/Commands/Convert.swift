import BACommandLine
import BAImporters
import BAPackCore

/// `convert`: converts a Steam depot's build script to a manifest; `ConvertProject` is for Xcode.
struct Convert: Command {
  static let source = Argument(
    "source", .file(["vdf", "xcodeproj", "pbxproj"]),
    help: "The build script of a Steam depot or app; or an Xcode project with On-Demand Resources.")
  static let assetPackID = Option(
    "asset-pack-id", name: "id", .text,
    help: """
      The identifier of the pack. Required for a depot; when written to a folder, the depot's ID is \
      added. For a project, tags are identifiers.
      """)
  static let essential = Option(
    "essential", help: "Download the pack as part of the app's installation.")
  static let prefetch = Option(
    "prefetch", help: "Start the download with the app's installation, in the background.")
  static let onDemand = Option("on-demand", help: "Download the pack when the app requests it.")
  static let events = Option(
    "installation-event-types", name: "event",
    .choice(InstallationEventType.known.rawValues), arity: .upToNextOption,
    help: "The events for --essential or --prefetch. Default: both.")
  static let platforms = Option(
    "platforms", name: "platform", .choice(Platform.known.rawValues),
    arity: .upToNextOption, help: "The platforms of the pack. Default: all.")
  static let language = Option(
    "language", "l", name: "tag", .suggestion(DeviceOptions.storeLanguages),
    help: "The language of the pack, a BCP-47 tag: 'pt-BR'.")
  static let depot = Option(
    "depot", name: "id", .text, arity: .repeating,
    help: "Which depot of an app's script to convert; can be used several times. Default: all.")
  static let contentRoot = Option(
    "content-root", name: "dir", .directory,
    help: "Where the files are; overrides the script's ContentRoot.")
  static let output = Option(
    "output-path", "o", name: "path", .file(["json"]), synonym: "output-directory",
    takesStream: true,
    help: """
      Where to write: a manifest, whose name must end in .json, or a folder, for the manifests of all \
      depots of an app or tags of an Xcode project. Missing folders are created. Default: standard \
      output, with a sourceRoot relative to the working directory.
      """)
  static let target = Option(
    "target", name: "name", .text,
    help: "Which target of an Xcode project to convert if several have tags.")
  static let force = Option(
    "force", "f", help: "Replace an existing file at the output path, atomically.")
  static let row = CommandRow(
    name: "convert",
    overview: "Convert a Steam depot's script, or On-Demand Resources, to manifests.",
    discussion: [
      """
      For a depot, the manifest selects the files that Steam would build from the content root, with the same \
      destination paths. The conversion reads the folders to check this, and fails if a manifest \
      can't express it. Settings without a counterpart are reported with their line. ContentRoot \
      becomes the sourceRoot. Depots that an app's script describes in files of their own are read \
      from there.
      """,
      """
      For an Xcode project, there is a manifest for each tag: 'essential' for tags that are installed \
      initially, 'prefetch' for those that are prefetched, otherwise 'onDemand'. Assets of catalogs \
      and other files that Xcode compiles are reported and left out.
      """,
    ],
    arguments: [source],
    options: [
      assetPackID, essential, prefetch, onDemand, events, platforms, language, depot, contentRoot,
      output, target, force, PackReading.quiet, Checking.rule, Checking.project, Checking.color,
    ],
    exclusive: [[essential, prefetch, onDemand], [onDemand, events]],
    examples: [
      "ba-package convert depot_build_1001.vdf --asset-pack-id harbour --prefetch -o Harbour.json":
        "Convert a depot.",
      "ba-package convert app_build_1000.vdf --depot 1002 --asset-pack-id german -l de --on-demand":
        "Print the manifest of one depot of an app.",
      "ba-package convert Castle.xcodeproj -o Packs": "Convert the On-Demand Resources of an app.",
    ],
    command: { typed in
      if ConvertProject.isProject(typed.path(source)) { return ConvertProject(typed: typed) }
      return try Convert(typed)
    })

  /// Reads a script. What is no script is refused before options are asked for.
  private static func script(_ path: BytePath) throws -> SourceText {
    let remedy = "give the .vdf file of a Steam depot or app, or an .xcodeproj"
    if try path.isFolder() { throw PackagingError("'\(path)' is a folder; \(remedy)") }
    let text = SourceText(
      name: path.bytes, bytes: try path.contents(limit: KeyValuesReader.sizeLimit))
    let isJSON = text.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    let json = isJSON ? JSONDocument(reading: text) : nil
    let kind =
      json.map { $0.root?["assetPackID"] == nil ? "JSON" : "a manifest already" }
      ?? (ContainerKind.begins(text.bytes) ? "an asset pack" : fileKind(beginning: text.bytes))
    if let kind { throw PackagingError("'\(path)' is \(kind); \(remedy)") }
    return text
  }

  static let depotOptions = [
    assetPackID, essential, prefetch, onDemand, events, language, depot, contentRoot,
  ]

  let typed: TypedArguments
  let checking: Checking
  let assetPackID: String
  let policy: DownloadPolicy
  let language: String?
  /// The manifest or the folder to write; both nil for the standard output.
  let output: BytePath?
  let outputDirectory: BytePath?

  private let source: SourceText

  private var script: BytePath { typed.path(Self.source) }

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    if typed.has(Self.target) {
      throw UsageError("'--\(Self.target.long)' can be used with an Xcode project only")
    }
    source = try Self.script(typed.path(Self.source))
    guard let identifier = try typed.text(Self.assetPackID) else {
      throw UsageError.missing(Self.assetPackID)
    }
    assetPackID = identifier
    policy = try Self.policy(typed)
    language = try typed.languageTags(Self.language).first
    (output, outputDirectory) = try typed.outputTarget(Self.output, "json", of: "a manifest")
    checking = try Checking(typed)
  }

  /// The platforms given, in the order of the format.
  static func platforms(_ typed: TypedArguments) -> [Platform] {
    let words = Set(typed.values(platforms).map { String(decoding: $0, as: UTF8.self) })
    return Platform.known.filter { words.contains($0.rawValue) }
  }

  private static func policy(_ typed: TypedArguments) throws(UsageError) -> DownloadPolicy {
    let words = Set(typed.values(events).map { String(decoding: $0, as: UTF8.self) })
    let all = InstallationEventType.known
    let chosen = words.isEmpty ? all : all.filter { words.contains($0.rawValue) }
    if typed.has(essential) { return .essential(chosen) }
    if typed.has(prefetch) { return .prefetch(chosen) }
    guard typed.has(onDemand) else {
      throw UsageError("missing download policy: give '--essential', '--prefetch' or '--on-demand'")
    }
    return .onDemand
  }

  func run(_ console: Console) throws -> ExitCode {
    let project = try checking.readProject(console)
    let depots = typed.values(Self.depot).map { String(decoding: $0, as: UTF8.self) }
    let (scripts, found) = DepotScriptReader.read(source, depots: depots) {
      (file) throws(SystemError) in try file.contents(limit: KeyValuesReader.sizeLimit)
    }
    var findings = found
    if scripts.count > 1, outputDirectory == nil {
      let names = scripts.compactMap(\.id).joined(separator: ", ")
      findings.append(
        Finding(
          .depotKind, "the script has \(counted(scripts.count, "depot")) (\(names))",
          at: scripts[1].location,
          notes: [
            Note(
              "choose one with --\(Self.depot.long), or name a folder with -o for all of them"
            )
          ]))
    }
    guard !findings.hasErrors else { return fail(findings, project, console) }
    var made: [(script: DepotScript, root: BytePath, identifier: String, manifest: [UInt8])] = []
    for script in scripts {
      do {
        let root = try script.contentRoot(option: typed.path(Self.contentRoot))
        let identifier =
          outputDirectory == nil ? assetPackID : "\(assetPackID)-\(script.id ?? "depot")"
        let conversion = try convert(script, root, identifier)
        findings += conversion.findings
        if let manifest = conversion.manifest { made.append((script, root, identifier, manifest)) }
      } catch {
        findings.append(
          Finding(
            error.rule, error.message, at: error.location,
            notes: [Note("use --content-root to name that folder on this machine")]))
      }
    }
    guard !findings.hasErrors else { return fail(findings, project, console) }
    // Findings about the manifests themselves: Steam doesn't check the App Store's rules.
    var options = checking.options(of: project, selectsFiles: false)
    // 'convert' has no option for it.
    options.hostingName = "hosting"
    let checks = made.map { pack in
      ManifestCheck(
        ofNew: pack.manifest, at: path(of: pack.identifier),
        options)
    }
    let all =
      project.rules.applied(to: findings.sortedByLocation()) + checks.flatMap(\.findings)
    guard !all.hasErrors else { return fail(all, project, console) }
    console.tell(all, checking.color)
    // The files that the manifests select, which a link may lead to.
    let selections = made.compactMap { pack -> Selection? in
      guard let path = path(of: pack.identifier) else { return nil }
      let options = project.options(allowsStubs: true)
      return ManifestCheck(ofNew: pack.manifest, at: path, options).pack?.selection
    }
    let replacing = typed.has(Self.force)
    let inputs = [script, project.file] + scripts.map { BytePath($0.location.source.name) }
    let counts = checks.map { counted($0.pack?.manifest.selectors.count ?? 0, "selector") }
    if let outputDirectory {
      try writeManifests(
        zip(made, counts).map { ($0.identifier, $0.manifest, "\($1) from \($0.root)") },
        into: outputDirectory, replacing: replacing, withInputs: inputs, filesOf: selections,
        typed.isQuiet ? nil : console)
    } else if let output {
      try compare([output], withInputs: inputs, filesOf: selections)
      try write(made[0].manifest, to: output, replacing: replacing)
      if !typed.isQuiet { console.tell("\(output): \(counts[0]) from \(made[0].root)") }
    } else {
      try console.write(made[0].manifest)
      let root = checks[0].pack?.manifest.sourceRoot ?? ""
      if !typed.isQuiet {
        console.tell(
          "note: the sourceRoot '\(printable(root.utf8))' is relative to the working directory; "
            + "use -o to write the manifest to another folder")
      }
    }
    return .success
  }

  /// The path of the manifest with this identifier; nil for standard output.
  private func path(of identifier: String) -> BytePath? {
    output ?? outputDirectory?.manifest(of: identifier)
  }

  private func convert(
    _ script: DepotScript, _ root: BytePath, _ identifier: String
  ) throws(Finding) -> DepotConversion {
    let relative: String?
    do {
      relative =
        if let outputDirectory {
          try root.relative(toFolderToBeMade: outputDirectory)
        } else {
          try root.relative(toFolderToBeMade: output?.folder ?? ".")
        }
    } catch {
      throw Finding(.unreadableFile, "\(error)", at: script.location)
    }
    guard let shown = String(validating: root.bytes, as: UTF8.self), let relative else {
      throw Finding(
        .depotPath, "the path of the content root '\(root)' is not UTF-8, as manifests require",
        at: script.location)
    }
    return DepotConversion(
      of: script,
      DepotConversion.Settings(
        assetPackID: identifier, downloadPolicy: policy,
        platforms: Self.platforms(typed), language: language,
        contentRoot: shown, sourceRoot: relative))
  }

  private func fail(
    _ findings: [Finding], _ project: Project, _ console: Console
  ) -> ExitCode {
    let findings = project.rules.applied(to: findings)
    console.tell(findings.sortedByLocation(), checking.color)
    console.tell("error: no manifest was written: \(findings.summary)")
    return .failure
  }
}
