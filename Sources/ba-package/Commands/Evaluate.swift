import BAPackCore
import CommandLine

/// `evaluate`: the files that manifests select.
struct Evaluate: Command {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests, or folders of them: all files in one whose names end in .json. '-' reads one from \
      the standard input.
      """)
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: "How to list files; 'json' adds sizes and modes.")
  static let row = CommandRow(
    name: "evaluate", overview: "List the files that manifests select.",
    discussion: [
      """
      A line shows a file's path as the game reads it, and behind '<-' the path in the repository \
      where that is another one. The files of several manifests follow one another under their names.
      """
    ],
    arguments: [manifests], options: [format, Shared.root, Shared.color],
    examples: [
      Example("ba-package evaluate Packs/Harbour.json", "List what a pack would hold."),
      Example(
        "ba-package evaluate --format json Packs/Dialogue-ja.json", "The same for programs."),
    ],
    exitStatus: [
      ExitStatus("0", "Done; there may have been warnings."),
      ExitStatus("1", "There were errors; the list may lack files."),
    ],
    command: { typed throws(UsageError) in try Evaluate(typed) })

  /// The words of `--format`.
  enum Format: String, CaseIterable { case text, json }

  let manifests: [FilePath]
  let root: FilePath?
  let format: Format
  let color: ColorChoice

  init(_ typed: TypedArguments) throws(UsageError) {
    manifests = typed.paths(Self.manifests)
    root = typed.path(Shared.root)
    format = try typed.choice(Self.format)
    color = try typed.choice(Shared.color)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let manifests = try CommandError.wrapping { () throws(ManifestFilesError) in
      try AppCheck.manifests(at: self.manifests)
    }
    var failed = false
    var packs: [JSONValue] = []
    for (index, file) in manifests.enumerated() {
      // Who hosts the pack changes nothing about its files.
      let check = ManifestCheck(reading: file, .init(hosting: .self, root: root))
      let files = check.pack?.selection?.files ?? []
      switch format {
      case .text:
        if manifests.count > 1 { try console.write((index > 0 ? "\n" : "") + "\(file):\n") }
        for file in files { try console.write(file.line + "\n") }
      case .json:
        let members =
          JSONMember.named("manifest", file.bytes) + [
            JSONMember(
              "assetPackID", JSONValue(check.pack?.manifest.assetPackID.value ?? "")),
            JSONMember("files", JSONValue(.array(files.map(\.json)))),
          ]
        packs.append(JSONValue(.object(members)))
      }
      console.note(check.findings, color)
      failed = failed || check.findings.hasErrors
    }
    if format == .json {
      let list: JSONValue = ["schemaVersion": JSONValue(1), "packs": JSONValue(.array(packs))]
      try console.write(JSONWriter.bytes(list))
    }
    return failed ? .failure : .success
  }
}
