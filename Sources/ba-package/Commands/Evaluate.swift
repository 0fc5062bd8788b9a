import BACommandLine
import BAPackCore

/// `evaluate`: lists the files that manifests select.
struct Evaluate: Command {
  static let format = Option(
    "format", name: "format", .choice(OutputFormat.allCases.map(\.rawValue)), default: "text",
    help: "The output format; 'json' includes sizes and modes.")
  static let null = Option(
    "null", "0",
    help: """
      Print only the paths of the files in the repository, as seen from the working directory, each \
      once and followed by a NUL character.
      """)
  static let lfsInclude = Option(
    "lfs-include",
    help: """
      Print only the Git LFS pointers among the files, on one line, in the form that 'git lfs pull \
      --include' takes: a folder stands for all pointers in it. If there are none, nothing is printed: \
      an empty list would fetch all files.
      """)
  static let row = CommandRow(
    name: "evaluate", overview: "List the files that manifests select.",
    discussion: [
      """
      Each line is a path as the game reads it, followed by '<- source' if the path in the repository \
      is different. The files of several manifests are listed under the manifests' names.
      """
    ],
    arguments: [Checking.manifests],
    options: [
      format, null, lfsInclude, Checking.root, Checking.links, Checking.allowStubs, Checking.rule,
      Checking.project,
      Checking.color,
    ],
    exclusive: [[format, null, lfsInclude], [lfsInclude, Checking.allowStubs]],
    examples: [
      "ba-package evaluate Packs/Harbour.json": "List the files of a pack.",
      "ba-package evaluate --format json Packs/Dialogue-ja.json": "The same as JSON.",
      "ba-package evaluate --null Packs": "List the files of all packs for xargs -0.",
      "ba-package evaluate --lfs-include Packs":
        "In a clone with pointers, print what to fetch for packs.",
    ],
    exitStatus: [
      "0": "Success; there may have been warnings.",
      "1": "There were errors; the list may be incomplete.",
    ],
    command: Evaluate.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let checking = try Checking(typed)
    let paths = typed.paths(Checking.manifests)
    let manifests = try ManifestFiles(at: paths).files
    var options = checking.options(of: try checking.readProject(for: paths, console))
    // It doesn't affect the files.
    options.hosting = .ownServer
    options.policy.readsPointers = typed.has(Self.lfsInclude)
    let format = try typed.format()
    var failed = false
    var packs: [JSONValue] = []
    var printed: Set<BytePath> = []
    var include = LFSInclude()
    for (index, file) in manifests.enumerated() {
      let check = ManifestCheck(of: file, options)
      let files = check.pack?.selection?.files ?? []
      switch format {
      case .text where typed.has(Self.lfsInclude):
        if let selection = check.pack?.selection { try include.add(selection) }
      case .text where typed.has(Self.null):
        guard let root = check.pack?.selection?.root else { break }
        for file in files {
          let path = root.appending(file.source.bytes)
          if printed.insert(path).inserted { try console.write(path.bytes + [0]) }
        }
      case .text:
        if manifests.count > 1 { try console.write((index > 0 ? "\n" : "") + "\(file.path):\n") }
        for file in files { try console.write(file.line + "\n") }
      case .json:
        packs.append(
          .object([
            "manifest": JSONName(file.path.bytes),
            "assetPackID": check.pack?.manifest.assetPackID ?? "",
            "files": files.map(\.json),
          ]))
      }
      console.tell(check.findings, checking.color)
      failed = failed || check.findings.hasErrors
    }
    let line = try include.line()
    if !line.isEmpty { try console.write(line + [UInt8(ascii: "\n")]) }
    if format == .json {
      try console.write(.object(["schemaVersion": 1, "packs": packs]))
    }
    return failed ? .failure : .success
  }
}

extension SelectedFile {
  /// The file as a line of text: its path in the pack, and its source if that is different.
  var line: String {
    source == destination ? "\(destination)" : "\(destination) <- \(source)"
  }

  var json: JSONValue {
    .object([
      "source": JSONName(source.bytes),
      "destination": JSONName(destination.bytes),
      "size": size,
      "mode": isExecutable ? "0755" : "0644",
    ])
  }
}
