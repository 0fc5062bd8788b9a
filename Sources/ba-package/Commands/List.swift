import BAPackCore
import CommandLine

/// `list`: prints the entries of packs.
struct List: Command {
  static let long = Option("long", "l", help: "Also show type, mode, size and modification time.")
  static let all = Option(
    "all", "a",
    help: "List every entry with its path in the archive, not only the files that games read.")
  static let row = CommandRow(
    name: "list", overview: "List the files of asset packs.",
    discussion: [
      """
      Each line is a path as the game reads it, with unprintable bytes escaped. The JSON output has \
      paths unescaped, and the bytes of paths that are not UTF-8. Times are in UTC. The files of \
      several packs are listed below the path of each.
      """
    ],
    arguments: [PackReading.packsOrFolders],
    options: [long, all, PackReading.format] + PackReading.options,
    examples: [
      Example("ba-package list Harbour.aar", "List the files that a game can read."),
      Example("ba-package list build", "List the files of all packs in a folder."),
      Example("ba-package list -la Harbour.aar", "List every entry of the archive with details."),
    ],
    exitStatus: ExitStatus.reading,
    command: { typed throws(UsageError) in
      List(typed: typed, reading: try PackReading(typed))
    })

  let typed: TypedArguments
  let reading: PackReading

  func run(_ console: Console) throws -> ExitCode {
    let paths = try PackReading.packs(at: typed.paths(PackReading.packsOrFolders))
    let isLong = typed.has(Self.long)
    let format = try typed.choice(PackReading.format, as: OutputFormat.self)
    var list: [JSONValue] = []
    for (index, path) in paths.enumerated() {
      let pack = try reading.read(path)
      // An archive that isn't an asset pack has only its own paths.
      let isPack = pack.isAssetPack
      let showsAll = typed.has(Self.all) || !isPack
      let entries = pack.entries.filter { typed.has(Self.all) || $0.isFile(ofPack: isPack) }
      switch format {
      case .text:
        if paths.count > 1 { try console.write((index > 0 ? "\n" : "") + "\(path.shown):\n") }
        let width = entries.map { grouped($0.size).count }.max() ?? 0
        for entry in entries {
          let prefix = isLong ? entry.details(sizeWidth: width) + "  " : ""
          try console.write(prefix + entry.name(all: showsAll, long: isLong) + "\n")
        }
      case .json:
        // Made when they are written: their text takes several times the memory of the entries.
        let rows = JSONValue(.rows(entries.count) { entries[$0].json(all: showsAll) })
        list.append(.object(["pack": path.jsonName, "entries": rows]))
      }
      if !isPack {
        console.note(
          "note: '\(path.shown)' is an Apple Archive but not an asset pack; 'extract --any' unpacks "
            + "it")
      }
    }
    if format == .json {
      try JSONWriter.write(.object(["schemaVersion": 2, "packs": list])) { try console.write($0) }
    }
    return .success
  }
}
