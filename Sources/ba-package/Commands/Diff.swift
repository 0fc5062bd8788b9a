import BACommandLine
import BAPackCore

/// `diff`: compares two versions of packs.
struct Diff: Command {
  static let old = Argument(
    "old", .file(["aar"]), help: "The old version: a pack, or a folder of packs.")
  static let new = Argument(
    "new", .file(["aar"]), help: "The new version: a pack, or a folder of packs.")
  static let row = CommandRow(
    name: "diff", overview: "Compare the contents of two versions of asset packs.",
    discussion: [
      """
      A line begins with + for an added file, - for a removed one, and ~ for one whose contents or \
      execute bit changed. Of a file with another hash in its name, such as a bundle of Unity's, both \
      names are shown. Times, owners, order and compression are ignored.
      """,
      "Packs in folders are compared by identifier. Players download a changed pack as a whole.",
    ],
    arguments: [old, new],
    options: [PackReading.format] + PackReading.options
      + [PackReading.noProgress, PackReading.quiet],
    examples: [
      "ba-package diff Harbour-1.aar Harbour-2.aar": "See what an update changes.",
      "ba-package diff released build": "Compare all packs in two folders.",
    ],
    exitStatus: [
      "0": "The contents are equal.",
      "1": "The contents differ.",
      "2": "They could not be compared.",
    ],
    errorStatus: .unknown,
    synonyms: ["compare"],
    command: Diff.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let reading = PackReading(typed)
    let paths = [typed.path(Self.old), typed.path(Self.new)]
    let areSets = try paths.map { try $0.isFolder() }.contains(true)
    let packs = try paths.map { try reading.read(try PackOrManifest.packs(at: [$0])) }
    let size = packs[1].size { $0.container?.rawSize ?? 0 }
    let progress = typed.showsProgress ? console.progress(of: size) : nil
    let show: @Sendable (UInt64) -> Void = { progress?.show($0) }
    defer { progress?.erase() }
    for pack in packs.joined() { try pack.checkNames() }
    let differences =
      areSets
      ? try packs[0].compare(to: packs[1], jobs: reading.jobs, progress: show)
      : [
        try PackDifference(packs[0][0], packs[1][0], jobs: reading.jobs, progress: show)
      ]
    progress?.erase()
    switch try typed.format() {
    case .json: try console.write(json(differences))
    case .text where typed.isQuiet: break
    case .text where areSets: try write(differences, console)
    case .text:
      for pack in differences { try write(pack, indent: "", console) }
    }
    return differences.isEqual ? .success : .failure
  }

  private func write(
    _ differences: [PackDifference], _ console: Console
  ) throws {
    for pack in differences {
      switch pack.kind {
      case .added:
        try console.write(
          "+ \(pack.name): \(counted(pack.changes.count, "file")), "
            + "\(byteCount(pack.downloadSize))\n")
      case .removed: try console.write("- \(pack.name)\n")
      case .changed, .renamed:
        try console.write("~ \(pack.name)\n")
        try write(pack, indent: "  ", console)
      case .unchanged: break
      }
    }
    let unchanged = differences.count(where: \.isEmpty)
    try console.write(
      differences.isEqual
        ? "no differences in \(counted(unchanged, "pack")); nothing to download\n"
        : "players download "
          + (differences.contains { $0.new?.manifest?.language != nil } ? "up to " : "")
          + byteCount(differences.downloadSize)
          + (unchanged > 0 ? "; \(counted(unchanged, "pack")) unchanged\n" : "\n"))
  }

  private func write(
    _ pack: PackDifference, indent: String, _ console: Console
  ) throws {
    for change in pack.changes { try console.write(indent + change.line + "\n") }
    if !pack.hasSameManifest {
      try console.write(indent + "~ Manifest.json (the pack's manifest)\n")
    }
    try console.write(indent + summary(pack) + "\n")
  }

  private func summary(_ pack: PackDifference) -> String {
    if pack.isEmpty {
      return "no differences in \(counted(pack.unchanged, "file")); nothing to download"
    }
    let counts = [PackDifference.Kind.added, .removed, .renamed, .changed].map { kind in
      (pack.changes.count { $0.kind == kind }, kind.rawValue)
    }.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let files = (counts + ["\(grouped(pack.unchanged)) unchanged"]).joined(separator: ", ")
    let download = "; players download the whole pack, \(byteCount(pack.downloadSize))"
    // A download manifest raises the version only for other contents.
    return pack.changes.isEmpty
      ? "\(files)\(download), from Apple, but nothing from your own server" : files + download
  }

  private func json(_ differences: [PackDifference]) -> JSONValue {
    .object([
      "schemaVersion": 2,
      "old": JSONName(typed.required(Self.old)),
      "new": JSONName(typed.required(Self.new)),
      "isEqual": differences.isEqual,
      "downloadSize": differences.downloadSize,
      "packs": differences.map(\.json),
    ])
  }
}

extension PackDifference {
  fileprivate var json: JSONValue {
    .object([
      "name": name,
      "old": (old?.path).map { JSONName($0.bytes) },
      "new": (new?.path).map { JSONName($0.bytes) },
      "isEqual": isEmpty,
      "hasSameManifest": hasSameManifest,
      "unchanged": unchanged,
      "downloadSize": downloadSize,
      "changes": changes,
    ])
  }
}

extension PackDifference.Change {
  fileprivate var line: String {
    switch (old, new) {
    case (let old?, let new?):
      let bits =
        old.isExecutable == new.isExecutable
        ? "" : new.isExecutable ? ", now executable" : ", no longer executable"
      let sizes =
        old.size == new.size
        ? counted(new.size, "byte") + (isOnlyRenamed ? ", same contents" : "")
        : "\(grouped(old.size)) -> \(counted(new.size, "byte"))"
      let name = oldPath.map { "\($0) -> \(path)" } ?? "\(path)"
      return "~ \(name) (\(sizes)\(bits))"
    case (let old?, nil): return "- \(path) (\(counted(old.size, "byte")))"
    default: return "+ \(path) (\(counted(new?.size ?? 0, "byte")))"
    }
  }
}
