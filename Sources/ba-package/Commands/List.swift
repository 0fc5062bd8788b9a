import BAPackCore
import CommandLine

/// `list`: prints the entries of a pack.
struct List: Command {
  static let long = Option("long", "l", help: "Also show type, mode, size and modification time.")
  static let all = Option(
    "all", "a",
    help: "List every entry with its path in the archive, not only the files that games read.")
  static let row = CommandRow(
    name: "list", overview: "List the files of an asset pack.",
    discussion: [
      """
      Each line is a path as the game reads it, with unprintable bytes escaped. The JSON output has \
      paths unescaped, and the bytes of paths that are not UTF-8. Times are in UTC.
      """
    ],
    arguments: [PackReading.pack],
    options: [
      long, all, PackReading.format, PackReading.limit, PackReading.limitEntries, PackReading.jobs,
    ],
    examples: [
      Example("ba-package list Harbour.aar", "List the files that a game can read."),
      Example("ba-package list -la Harbour.aar", "List every entry of the archive with details."),
    ],
    exitStatus: ExitStatus.reading,
    command: { typed throws(UsageError) in try List(typed) })

  let path: BytePath
  let isLong: Bool
  let showsAll: Bool
  let format: PackReading.Format
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    path = typed.path(PackReading.pack)
    isLong = typed.has(Self.long)
    showsAll = typed.has(Self.all)
    format = try typed.choice(PackReading.format)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let pack = try reading.read(path)
    // An archive that is no pack has no other paths than its own.
    let isPack = pack.isAssetPack
    let showsAll = showsAll || !isPack
    let entries = pack.entries.filter { self.showsAll || $0.isFile(ofPack: isPack) }
    switch format {
    case .text:
      let width = entries.map { grouped($0.size).count }.max() ?? 0
      for entry in entries {
        let prefix = isLong ? entry.details(sizeWidth: width) + "  " : ""
        try console.write(prefix + entry.name(all: showsAll, long: isLong) + "\n")
      }
    case .json:
      let list = JSONValue.object([
        "schemaVersion": 1, "pack": path.jsonName,
        "entries": entries.map { $0.json(all: showsAll) },
      ])
      try console.write(JSONWriter.bytes(list))
    }
    if !isPack {
      console.note(
        "note: '\(path.shown)' is an Apple Archive but not an asset pack; 'extract --any' unpacks it"
      )
    }
    return .success
  }
}
