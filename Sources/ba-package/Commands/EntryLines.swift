import BAPackCore
import CommandLine

extension EntryHeader {
  /// Whether it is a file or a link below `Contents`, which games can read.
  var isGameFile: Bool { kind != .directory && kind != .metadata && gamePathBytes != nil }

  /// Whether it is a file or a link that games can read in an asset pack; in other archives, any.
  func isFile(ofPack isPack: Bool) -> Bool {
    isPack ? isGameFile : kind != .directory && kind != .metadata
  }

  /// The path below `Contents`, even if it is invalid; nil elsewhere.
  var gamePathBytes: [UInt8]? { PackFormat.contentsPath(of: path) }

  /// The path as it is listed, in a long list with the link's target and other fields.
  func name(all: Bool, long: Bool) -> String {
    let bytes = all ? path : gamePathBytes ?? path
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

  /// The entry for `--format json`.
  func json(all: Bool) -> JSONValue {
    let bytes = all ? path : gamePathBytes ?? path
    var members = JSONMember.named("path", bytes)
    members.append(JSONMember("type", JSONValue(kind.letter)))
    if let linkTarget { members += JSONMember.named("link", linkTarget) }
    if let octalMode { members.append(JSONMember("mode", JSONValue(octalMode))) }
    members.append(JSONMember("size", JSONValue(size)))
    if let modified { members.append(JSONMember("modified", modified.json)) }
    if !otherFields.isEmpty {
      let fields = otherFields.flatMap { $0.value.members($0.key) }
      members.append(JSONMember("fields", JSONValue(.object(fields))))
    }
    return JSONValue(.object(members))
  }
}

extension FieldValue {
  fileprivate var text: String {
    switch self {
    case .flag: "true"
    case .integer(let value): "\(value)"
    case .string(let bytes): printable(bytes)
    case .time(let time): String("\(time)".map { $0 == " " ? "T" : $0 })
    case .digest(let bytes): hexadecimal(bytes)
    case .blob(let size): String(counted(size, "byte").map { $0 == " " ? "_" : $0 })
    }
  }

  fileprivate func members(_ key: String) -> [JSONMember] {
    switch self {
    case .flag: [JSONMember(key, JSONValue(.bool(true)))]
    case .integer(let value): [JSONMember(key, JSONValue(value))]
    case .string(let bytes): JSONMember.named(key, bytes)
    case .time(let time): [JSONMember(key, time.json)]
    case .digest(let bytes): [JSONMember(key, JSONValue(hexadecimal(bytes)))]
    case .blob(let size): [JSONMember(key, ["size": JSONValue(size)])]
    }
  }
}

extension ArchiveTime {
  fileprivate var json: JSONValue {
    ["seconds": JSONValue(seconds), "nanoseconds": JSONValue(nanoseconds)]
  }
}

extension ExitStatus {
  /// The statuses of commands that only read packs.
  static let reading = [
    ExitStatus("0", "Success."), ExitStatus("1", "A pack could not be read."),
  ]
}
