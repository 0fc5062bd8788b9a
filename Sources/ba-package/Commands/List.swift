import BACommandLine
import BAPackCore

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
    arguments: [PackReading.packs],
    options: [long, all, PackReading.format] + PackReading.options,
    examples: [
      "ba-package list Harbour.aar": "List the files that a game can read.",
      "ba-package list build": "List the files of all packs in a folder.",
      "ba-package list -la Harbour.aar": "List every entry of the archive with details.",
    ],
    exitStatus: PackReading.exitStatus,
    synonyms: ["ls"],
    command: List.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let reading = PackReading(typed)
    let paths = try typed.packs()
    let isLong = typed.has(Self.long)
    let format = try typed.format()
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
        let container = typed.has(Self.all) ? pack.container : nil
        let rows = JSONValue(.rows(entries.count) { entries[$0].json(all: showsAll, container) })
        list.append(.object(["pack": path.jsonName, "entries": rows]))
      }
      if !isPack {
        console.tell(
          "note: '\(path.shown)' is an Apple Archive but not an asset pack; 'extract --any' unpacks "
            + "it")
      }
    }
    if format == .json {
      try console.write(.object(["schemaVersion": 2, "packs": list]))
    }
    return .success
  }
}

extension PackEntry {
  /// The path in a list; in a long list with the link's target and other fields.
  func name(all: Bool, long: Bool) -> String {
    let bytes = all ? archivePath : shownPath
    var text = printable(bytes)
    // The root and metadata have no name.
    if all, bytes.isEmpty { text = kind == .directory ? "." : "-" }
    guard long else { return text }
    if let linkTarget { text += " -> " + printable(linkTarget) }
    let fields = otherFields.map { "\($0.key)=\($0.value.text)" }
    return fields.isEmpty ? text : text + "  [" + fields.joined(separator: " ") + "]"
  }

  /// Type, mode, size and time, for a long list.
  func details(sizeWidth: Int) -> String {
    let size = contents == nil && kind != .file ? "-" : grouped(size)
    let padding = String(repeating: " ", count: max(0, sizeWidth - size.count))
    let time = modified.map { "\($0)" } ?? "-"
    let gap = String(repeating: " ", count: max(0, 19 - time.count))
    return "\(kind.letter) \(octalMode ?? "----")  \(padding)\(size)  \(time)\(gap)"
  }

  /// The mode in octal digits: `0644`.
  var octalMode: String? {
    mode.map { mode in
      let digits = String(mode, radix: 8)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  /// With `container`, also where the entry is in it.
  func json(all: Bool, _ container: ContainerFacts?) -> JSONValue {
    // The contents may extend beyond the end of a truncated archive.
    let blocks = container.flatMap { container in
      container.blocks == 0
        ? nil
        : [offset, min(contents?.upperBound ?? offset + 1, container.rawSize) - 1].map {
          JSONValue(container.block(holding: $0).number)
        }
    }
    let fields = otherFields.flatMap { $0.value.representation.members(forKey: $0.key) }
    return .object([
      "path": JSONName(all ? archivePath : shownPath),
      "type": kind.letter,
      "link": linkTarget.map { JSONName($0) },
      "mode": octalMode,
      "size": size,
      "offset": container.map { _ in offset },
      "contentsOffset": container.flatMap { _ in contents?.lowerBound },
      "blocks": blocks,
      "modified": modified?.json,
      "fields": fields.isEmpty ? nil : JSONValue(.object(fields)),
    ])
  }
}

extension FieldValue {
  fileprivate var text: String {
    switch self {
    case .flag: "true"
    case .integer(let value): "\(value)"
    case .string(let bytes): printable(bytes)
    case .time(let time): "\(time)".replacing(" ", with: "T")
    case .digest(let bytes): hexadecimal(bytes)
    case .blob(let size): counted(size, "byte").replacing(" ", with: "_")
    }
  }

  fileprivate var representation: any JSONRepresentable {
    switch self {
    case .flag: true
    case .integer(let value): value
    case .string(let bytes): JSONName(bytes)
    case .time(let time): time.json
    case .digest(let bytes): hexadecimal(bytes)
    case .blob(let size): JSONValue.object(["size": size])
    }
  }
}

extension ArchiveTime {
  fileprivate var json: JSONValue {
    .object(["seconds": Int(seconds), "nanoseconds": Int(nanoseconds)])
  }
}
