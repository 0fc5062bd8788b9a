import BAPackCore
import CommandLine

extension EntryHeader {
  /// The path in a list; in a long list with the link's target and other fields.
  func name(all: Bool, long: Bool) -> String {
    let bytes = all ? path : shownPath
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
    let fields = otherFields.flatMap { $0.value.representation.members(forKey: $0.key) }
    return .object([
      "path": JSONName(all ? path : shownPath),
      "type": kind.letter,
      "link": linkTarget.map { JSONName($0) },
      "mode": octalMode,
      "size": size,
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
    case .time(let time): String("\(time)".map { $0 == " " ? "T" : $0 })
    case .digest(let bytes): hexadecimal(bytes)
    case .blob(let size): String(counted(size, "byte").map { $0 == " " ? "_" : $0 })
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

extension ExitStatus {
  /// The statuses of commands that only read packs.
  static let reading = [
    ExitStatus("0", "Success."), ExitStatus("1", "A pack could not be read."),
  ]
}
