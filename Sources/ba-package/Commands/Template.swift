import BACommandLine
import BAImporters
import BAPackCore

/// `template`: prints a manifest to fill in, or the schema of manifests.
struct Template: Command {
  static let output = Option(
    "output-path", "o", name: "path", .file(["json"]), synonym: "output-directory",
    takesStream: true,
    help: """
      The file to write, whose name must end in .json; with --from, the folder for the manifests. \
      Missing folders are created. Default: standard output.
      """)
  static let force = Option("force", "f", help: "Replace an existing file at the output path.")
  static let schema = Option(
    "schema", help: "Write the JSON Schema of manifests instead, for editors.")
  static let from = Option(
    "from", name: "dir", .directory,
    help: "Propose manifests for the files of this folder instead: one for each folder in it.")
  static let depth = Option(
    "depth", name: "count", .integer(1...64),
    help: """
      With --from, the depth of the folders that get a manifest each. Default: 1, below the first \
      folder with more than one thing in it.
      """)
  static let minimumSize = Option(
    "min-size", name: "size", .size,
    help: "With --from, put folders with less than this into the pack of the one above.")
  static let project = Option(
    "project",
    help: "Write a project file (.ba-package.json) instead; with --schema, its JSON Schema.")
  static let row = CommandRow(
    name: "template", overview: "Write a manifest to fill in.",
    discussion: [
      """
      The template shows every key and every selector of a manifest, with comments. Replace the text \
      in brackets, and uncomment the keys you need; the comments are allowed in manifests.
      """,
      """
      With --from, the manifests are complete: each selects a folder, and excludes tool leftovers \
      and dangling links. Folders of languages, such as 'de.lproj' or 'de' and 'fr', get \
      manifests of their own, with the paths of the folder above, where the app finds the files of \
      each language. So do the '.pck' files of Godot, the groups of bundles of Unity's Addressables \
      and the chunks of Unreal. Comments have the number and size of the files. Choose the download \
      policies, and merge or split packs as your app needs them.
      """,
    ],
    options: [
      output, force, schema, project, from, depth, minimumSize, Checking.hosting,
      Checking.rule, Checking.project, PackReading.quiet, Checking.color,
    ],
    exclusive: [[schema, from], [project, from]],
    requires: [from: [depth, minimumSize, Checking.hosting, Checking.rule]],
    gone: ["manual": "the guide has its tables, and '--schema' writes them for editors"],
    examples: [
      "ba-package template -o Packs/Castle.json": "Start a new manifest.",
      "ba-package template --project -o .ba-package.json":
        "Start a project file, in which rules can be turned off.",
      "ba-package template --schema -o asset-pack.schema.json":
        "Let an editor check manifests that contain \"$schema\": \"asset-pack.schema.json\".",
      "ba-package template --from Game -o Game/Manifests":
        "Propose a manifest for each folder of a repository.",
    ],
    synonyms: ["init", "new", "schema"],
    command: Template.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let output = try typed.outputTarget(Self.output, "json", of: "a manifest")
    if typed.has(Self.from) ? output.file != nil : output.folder != nil {
      throw UsageError("'-o' is for a file, and with '--\(Self.from.long)' for a folder")
    }
    if let folder = typed.path(Self.from) { return try propose(folder, output.folder, console) }
    let text =
      switch (typed.has(Self.schema), typed.has(Self.project)) {
      case (false, false): Manifest.template
      case (true, false): Manifest.schema
      case (false, true): Project.template
      case (true, true): Project.schema(rules: Rule.known)
      }
    if let output = output.file {
      try write(Array(text.utf8), to: output, replacing: typed.has(Self.force))
    } else {
      try console.write(text)
    }
    return .success
  }

  /// Proposes manifests for a folder; prints them without an output folder.
  private func propose(
    _ folder: BytePath, _ outputDirectory: BytePath?, _ console: Console
  ) throws -> ExitCode {
    let checking = try Checking(typed)
    let project = try checking.readProject(console)
    let target = outputDirectory ?? "."
    guard
      let sourceRoot = try folder.relative(toFolderToBeMade: target)
    else { throw PackagingError("the path of '\(folder)' is not UTF-8, as manifests require") }
    let scaffold = try Scaffold(
      of: folder, depth: typed.integer(Self.depth),
      minimumSize: typed.size(Self.minimumSize) ?? 0,
      skipping: outputDirectory.map { [$0] } ?? [],
      sourceRoot: sourceRoot)
    if scaffold.packs.isEmpty, scaffold.problems.isEmpty {
      throw PackagingError("there are no files to package in '\(folder)'")
    }
    if let first = scaffold.hidden.first, !typed.isQuiet {
      let others = Note(onOtherFiles: scaffold.hidden.dropFirst().map { "'\($0)'" })
      console.tell(
        "note: hidden files at the top are in no pack: '\(first)'"
          + (others.map { ", \($0.message)" } ?? ""))
    }
    if !typed.isQuiet { for note in scaffold.notes { console.tell("note: \(note)") } }
    var findings: [Finding] = []
    var selections: [Selection] = []
    var options = project.options(
      hosting: checking.hosting, root: folder, rootName: "--from", allowsStubs: true)
    options.cache = ListingCache()
    var difference: String?
    for pack in scaffold.packs {
      let check = ManifestCheck(
        ofNew: pack.manifest, at: target.manifest(of: pack.identifier), options)
      findings += check.findings
      guard let selection = check.pack?.selection else { continue }
      if !check.findings.hasErrors { difference = difference ?? pack.difference(from: selection) }
      selections.append(selection)
    }
    console.tell(findings, checking.color)
    if findings.hasErrors || !scaffold.problems.isEmpty {
      let known = Set(findings.map(\.message))
      for problem in scaffold.problems where !known.contains(problem) {
        console.tell("error: \(problem)")
      }
      console.tell("error: no manifest was written")
      return .failure
    }
    if let difference {
      throw PackagingError(
        "\(difference); unless a file was added or removed just now, this is a mistake of "
          + "ba-package: please report it. No manifest was written")
    }
    guard let outputDirectory else {
      for pack in scaffold.packs {
        try console.write("// \(pack.identifier).json\n")
        try console.write(String(decoding: pack.manifest, as: UTF8.self))
      }
      return .success
    }
    try writeManifests(
      scaffold.packs.map { pack in
        (
          pack.identifier, pack.manifest,
          "\(counted(pack.files.count, "file")), \(byteCount(pack.size))"
        )
      }, into: outputDirectory, replacing: typed.has(Self.force), withInputs: [project.file],
      filesOf: selections, typed.isQuiet ? nil : console)
    if !typed.isQuiet { console.tell("next: ba-package validate \(outputDirectory)") }
    return .success
  }
}
