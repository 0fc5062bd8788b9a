import BAPackCore
import CommandLine

/// `list`: what is in a pack.
struct List: Command {
  static let long = Option("long", "l", help: "Show type, mode, size and time too.")
  static let all = Option(
    "all", "a", help: "Show every entry with its path in the archive, not only what games read.")
  static let row = CommandRow(
    name: "list", overview: "List the files of an asset pack.",
    discussion: [
      """
      A line shows a file's path as the game reads it. Unprintable bytes of names appear as escapes. \
      The JSON form has names as they are, and of those that are not UTF-8 the bytes too. Times are \
      in UTC.
      """
    ],
    arguments: [PackReading.pack],
    options: [long, all, PackReading.format, PackReading.limit, PackReading.jobs],
    examples: [
      Example("ba-package list Harbour.aar", "Show the paths that a game can read."),
      Example("ba-package list -la Harbour.aar", "Show all that the archive states."),
    ],
    exitStatus: ExitStatus.reading,
    command: { typed throws(UsageError) in try List(typed) })

  let path: FilePath
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
    let entries = pack.entries.filter { showsAll || $0.isGameFile }
    switch format {
    case .text:
      let width = entries.map { grouped($0.size).count }.max() ?? 0
      for entry in entries {
        let prefix = isLong ? entry.details(sizeWidth: width) + "  " : ""
        try console.write(prefix + entry.name(all: showsAll, long: isLong) + "\n")
      }
    case .json:
      let list = JSONValue(.array(entries.map { $0.json(all: showsAll) }))
      let members =
        [JSONMember("schemaVersion", JSONValue(1))] + path.members("pack")
        + [JSONMember("entries", list)]
      try console.write(JSONWriter.bytes(JSONValue(.object(members))))
    }
    return .success
  }
}
