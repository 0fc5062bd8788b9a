import BAApps
import BAPackCore

/// The objects of an Xcode project: groups, files and targets, with their paths.
struct XcodeProject {
  let source: SourceText
  private let objects: [String: JSONValue]
  let root: JSONValue
  /// The paths of groups and files relative to the project's folder; `..` is allowed. Those outside
  /// the source tree, such as built products, are not included.
  private var paths: [String: String] = [:]
  private(set) var findings: [Finding] = []

  /// Parses a `project.pbxproj`, in OpenStep or XML format.
  init(_ source: SourceText) throws(Finding) {
    let start = source.bytes.prefix(256).drop { $0 <= UInt8(ascii: " ") || $0 > 0x7F }
    if source.bytes.isBinaryPropertyList {
      throw Finding(
        .propertyListSyntax, "the project is a binary property list; Xcode writes text", at: nil,
        notes: [Note("convert it with: plutil -convert xml1 " + printable(source.name))])
    }
    let isXML = start.first == UInt8(ascii: "<")
    let list =
      isXML && !start.starts(with: "<<<<<<<".utf8)
      ? try XMLPropertyListReader.read(source) : try OpenStepReader.read(source)
    self.source = source
    var objects: [String: JSONValue] = [:]
    for member in list["objects"]?.object ?? [] { objects[member.key] = member.value }
    self.objects = objects
    guard let id = list["rootObject"]?.string, let root = objects[id],
      root["isa"]?.string == "PBXProject"
    else {
      throw Finding(
        .xcodeProject, "this is not an Xcode project: it has no root object",
        at: SourceLocation(source, list.range.lowerBound..<(list.range.lowerBound + 1)))
    }
    self.root = root
    walkGroups()
  }

  func object(_ value: JSONValue?) -> JSONValue? {
    value?.string.flatMap { objects[$0] }
  }

  func objects(_ list: JSONValue?) -> [JSONValue] {
    references(list).compactMap { object($0) }
  }

  /// The references in an array, each once.
  func references(_ list: JSONValue?) -> [JSONValue] {
    var seen: Set<String> = []
    return (list?.array ?? []).filter { $0.string.map { seen.insert($0).inserted } ?? false }
  }

  func path(_ reference: JSONValue) -> String? { reference.string.flatMap { paths[$0] } }

  /// A file, or a folder that is a reference to everything in it.
  typealias File = (path: String, range: Range<Int>)

  /// The files for `reference`: itself, or all files in a group of languages or versions, which
  /// contains no other groups.
  func files(_ reference: JSONValue) -> [File] {
    let object = object(reference)
    let isGroup = object?["isa"]?.string == "PBXVariantGroup"
    return (isGroup ? references(object?["children"]) : [reference]).compactMap { file in
      path(file).map { ($0, file.range) }
    }
  }

  // MARK: Groups

  private mutating func walkGroups() {
    let base = joined("", root["projectDirPath"]?.string ?? "")
    guard let top = root["mainGroup"], let id = top.string else { return }
    var seen: Set<String> = [id]
    var stack = [(reference: top, folder: base)]
    while let (reference, folder) = stack.popLast() {
      guard let id = reference.string, let object = objects[id] else { continue }
      let path = path(of: object, in: folder, base)
      if let path, path.utf8.count > Self.longestPath {
        report("the path of this group or file is too long", reference)
        continue
      }
      if object["isa"]?.string != "PBXVariantGroup" { paths[id] = path }
      for child in (object["children"]?.array ?? []) {
        guard let id = child.string else { continue }
        if !seen.insert(id).inserted {
          report("a group or file is in the project twice", child)
          continue
        }
        stack.append((child, path ?? folder))
      }
    }
  }

  /// The maximum size of a path. It bounds the memory for all paths, and systems have such limits.
  private static let longestPath = 1024

  private mutating func report(_ message: String, _ value: JSONValue) {
    guard findings.count < [Finding].limit else { return }
    findings.report(
      .xcodeProject, severity: .warning, message, at: SourceLocation(source, value.range))
  }

  private func path(
    of object: JSONValue, in folder: String, _ base: String
  ) -> String? {
    let path = object["path"]?.string ?? ""
    switch object["sourceTree"]?.string {
    case "<group>", nil: return joined(folder, path)
    case "SOURCE_ROOT": return joined(base, path)
    case "<absolute>": return path.hasPrefix("/") ? joined("", path) : nil
    default: return nil
    }
  }
}

/// `path` relative to `folder`, without `.` and with `..` removed if possible; an absolute `path`
/// is unchanged.
func joined(_ folder: String, _ path: String) -> String {
  let isAbsolute = path.hasPrefix("/") || folder.hasPrefix("/")
  let text = path.hasPrefix("/") ? path : folder + "/" + path
  var parts: [Substring] = []
  for part in text.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." {
      parts.removeLast()
    } else if part != ".." || !isAbsolute {
      parts.append(part)
    }
  }
  return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
}
