import BAPackCore
import CommandLine

/// `diff`: compares two versions of a pack.
struct Diff: Command {
  static let old = Argument("old", .file(["aar"]), help: "The old version.")
  static let new = Argument("new", .file(["aar"]), help: "The new version.")
  static let row = CommandRow(
    name: "diff", overview: "Compare the contents of two asset packs.",
    discussion: [
      """
      A line begins with + for an added file, - for a removed one, and ~ for one whose contents or \
      execute bit changed. Times, owners, order and compression are ignored.
      """
    ],
    arguments: [old, new],
    options: [PackReading.format, PackReading.limit, PackReading.limitEntries, PackReading.jobs],
    examples: [
      Example("ba-package diff Harbour-1.aar Harbour-2.aar", "See what an update changes.")
    ],
    exitStatus: [
      ExitStatus("0", "The contents are equal."),
      ExitStatus("1", "The contents differ, or could not be compared."),
    ],
    command: { typed throws(UsageError) in try Diff(typed) })

  let old: BytePath
  let new: BytePath
  let format: PackReading.Format
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    old = typed.path(Self.old)
    new = typed.path(Self.new)
    format = try typed.choice(PackReading.format)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let packs = try reading.read([old, new])
    let difference = try mapping(CommandError.init) { () throws(MergeError) in
      try PackDifference(from: packs[0], to: packs[1], jobs: reading.jobs)
    }
    let download = difference.isEmpty ? 0 : packs[1].container.packedSize
    switch format {
    case .text:
      for change in difference.changes { try console.write(change.line + "\n") }
      if !difference.hasSameManifest {
        try console.write("~ Manifest.json (the pack's manifest)\n")
      }
      try console.write(summary(difference, download) + "\n")
    case .json:
      try console.write(JSONWriter.bytes(json(difference, download)))
    }
    return difference.isEmpty ? .success : .failure
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

  private func json(_ difference: PackDifference, _ download: UInt64) -> JSONValue {
    .object([
      "schemaVersion": 1,
      "old": JSONName(old.bytes),
      "new": JSONName(new.bytes),
      "isEqual": difference.isEmpty,
      "hasSameManifest": difference.hasSameManifest,
      "unchanged": difference.unchanged,
      "downloadSize": download,
      "changes": difference.changes.map(\.json),
    ])
  }

  fileprivate enum Change: String, CaseIterable { case added, removed, changed }
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
