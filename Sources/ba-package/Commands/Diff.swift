import BAPackCore
import CommandLine

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
      execute bit changed. Times, owners, order and compression are ignored.
      """,
      """
      Packs in folders are compared by identifier. Players download a changed pack as a whole.
      """,
    ],
    arguments: [old, new],
    options: [
      PackReading.format, PackReading.limit, PackReading.limitEntries, PackReading.jobs,
      PackReading.noProgress,
    ],
    examples: [
      Example("ba-package diff Harbour-1.aar Harbour-2.aar", "See what an update changes."),
      Example("ba-package diff released build", "Compare all packs in two folders."),
    ],
    exitStatus: [
      ExitStatus("0", "The contents are equal."),
      ExitStatus("1", "The contents differ, or could not be compared."),
    ],
    command: { typed throws(UsageError) in try Diff(typed) })

  let old: BytePath
  let new: BytePath
  let format: PackReading.Format
  let showsProgress: Bool
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    old = typed.path(Self.old)
    new = typed.path(Self.new)
    format = try typed.choice(PackReading.format)
    showsProgress = !typed.has(PackReading.noProgress)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    var areSets = false
    for path in [old, new] where try CommandError.wrapping(SystemError.self, path.isFolder()) {
      areSets = true
    }
    let packs = try [old, new].map { path throws(CommandError) in
      try reading.read(try PackReading.packs(at: [path]))
    }
    let size = packs[1].reduce(0) { $0 + $1.container.rawSize }
    let progress = showsProgress ? console.progress(of: size) : nil
    let show: @Sendable (UInt64) -> Void = { progress?.show($0) }
    defer { progress?.erase() }
    let sets =
      areSets
      ? try mapping(
        { CommandError($0 as ArchiveError) },
        PackSetDifference(from: packs[0], to: packs[1], jobs: reading.jobs, progress: show))
      : try mapping(
        { CommandError($0 as ArchiveError) },
        PackSetDifference(
          from: packs[0][0], to: packs[1][0], jobs: reading.jobs, progress: show))
    progress?.erase()
    switch format {
    case .json: try console.write(JSONWriter.bytes(json(sets)))
    case .text where areSets: try write(sets, console)
    case .text:
      for pair in sets.pairs { try write(pair, indent: "", console) }
    }
    return sets.isEqual ? .success : .failure
  }

  private func write(_ sets: PackSetDifference, _ console: Console) throws(CommandError) {
    for pair in sets.pairs where !pair.isEqual {
      switch (pair.old, pair.new) {
      case (nil, let new?):
        let count = counted(pair.difference.changes.count, "file")
        try console.write("+ \(pair.name): \(count), \(byteCount(new.container.packedSize))\n")
      case (_?, nil): try console.write("- \(pair.name)\n")
      default:
        try console.write("~ \(pair.name)\n")
        try write(pair, indent: "  ", console)
      }
    }
    let unchanged = sets.pairs.count(where: \.isEqual)
    try console.write(
      sets.isEqual
        ? "no differences in \(counted(unchanged, "pack")); nothing to download\n"
        : "players download \(byteCount(sets.downloadSize))"
          + (unchanged > 0 ? "; \(counted(unchanged, "pack")) unchanged\n" : "\n"))
  }

  private func write(
    _ pair: PackSetDifference.Pair, indent: String, _ console: Console
  ) throws(CommandError) {
    for change in pair.difference.changes { try console.write(indent + change.line + "\n") }
    if !pair.difference.hasSameManifest {
      try console.write(indent + "~ Manifest.json (the pack's manifest)\n")
    }
    try console.write(indent + summary(pair.difference, pair.downloadSize) + "\n")
  }

  private func summary(_ difference: PackDifference, _ download: UInt64) -> String {
    if difference.isEmpty {
      return "no differences in \(counted(difference.unchanged, "file")); nothing to download"
    }
    let counts = Change.allCases.map { kind in
      (difference.changes.count { $0.kind == kind }, kind.rawValue)
    }.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return (counts + ["\(grouped(difference.unchanged)) unchanged"]).joined(separator: ", ")
      + "; players download the whole pack, \(byteCount(download))"
  }

  private func json(_ sets: PackSetDifference) -> JSONValue {
    .object([
      "schemaVersion": 2,
      "old": JSONName(old.bytes),
      "new": JSONName(new.bytes),
      "isEqual": sets.isEqual,
      "downloadSize": sets.downloadSize,
      "packs": sets.pairs.map(\.json),
    ])
  }

  fileprivate enum Change: String, CaseIterable { case added, removed, changed }
}

extension PackSetDifference.Pair {
  fileprivate var json: JSONValue {
    .object([
      "name": name,
      "old": (old?.path).map { JSONName($0.bytes) },
      "new": (new?.path).map { JSONName($0.bytes) },
      "isEqual": isEqual,
      "hasSameManifest": difference.hasSameManifest,
      "unchanged": difference.unchanged,
      "downloadSize": downloadSize,
      "changes": difference.changes.map(\.json),
    ])
  }
}

extension PackDifference.Change {
  fileprivate var kind: Diff.Change { old == nil ? .added : new == nil ? .removed : .changed }

  fileprivate var line: String {
    switch (old, new) {
    case (let old?, let new?):
      let bits =
        old.isExecutable == new.isExecutable
        ? "" : new.isExecutable ? ", now executable" : ", no longer executable"
      let sizes =
        old.size == new.size
        ? counted(new.size, "byte")
        : "\(grouped(old.size)) -> \(counted(new.size, "byte"))"
      return "~ \(path) (\(sizes)\(bits))"
    case (let old?, nil): return "- \(path) (\(counted(old.size, "byte")))"
    default: return "+ \(path) (\(counted(new?.size ?? 0, "byte")))"
    }
  }

  fileprivate var json: JSONValue {
    .object([
      "path": JSONName(path.bytes), "change": kind.rawValue, "oldSize": old?.size,
      "newSize": new?.size,
    ])
  }
}
