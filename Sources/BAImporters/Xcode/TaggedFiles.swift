import BAPackCore

/// The files of one target that have tags, according to the project.
struct TaggedFiles {
  struct Entry {
    /// The path relative to the project's folder; `..` is allowed.
    let path: String
    let tags: [String]
    let location: SourceLocation
  }

  private(set) var entries: [Entry] = []
  private(set) var catalogs: [Entry] = []
  /// Folders whose files belong to the target without being listed.
  private(set) var folders: [String] = []
  /// Files and folders in ``folders`` that don't belong to the target.
  private(set) var excluded: Set<String> = []
  private(set) var findings: [Finding] = []
  private let project: XcodeProject
  /// Build files may share a group of languages, so there can be more files than in the text.
  private static let maximumFiles = 250_000
  private var count = 0

  init(of target: JSONValue, named id: String, in project: XcodeProject) {
    self.project = project
    for phase in project.objects(target["buildPhases"]) {
      for reference in project.references(phase["files"]) {
        if let file = project.object(reference) { add(file, reference) }
      }
    }
    for group in project.references(target["fileSystemSynchronizedGroups"]) {
      add(synchronized: group, id)
    }
  }

  private mutating func add(_ file: JSONValue, _ reference: JSONValue) {
    guard let fileReference = file["fileRef"] else { return }
    let list = file["settings"]?["ASSET_TAGS"]
    guard count < Self.maximumFiles else {
      return report(
        "the target has more than \(grouped(Self.maximumFiles)) files",
        SourceLocation(project.source, reference.range))
    }
    let files = project.files(fileReference)
    count += files.count
    let tags = list.map(tags) ?? []
    let location = SourceLocation(project.source, list?.range ?? reference.range)
    if files.isEmpty, !tags.isEmpty {
      report("the file with these tags has no path in the project", location)
    }
    for file in files { add(Entry(path: file.path, tags: tags, location: location)) }
  }

  /// A synchronized folder (Xcode 16), for which only exceptions are listed.
  private mutating func add(synchronized reference: JSONValue, _ target: String) {
    guard let group = project.object(reference), let folder = project.path(reference) else {
      return
    }
    folders.append(folder)
    let exceptions = project.objects(group["exceptions"])
      .filter { $0["target"]?.string == target }
    for path in exceptions.flatMap({ $0["membershipExceptions"]?.array ?? [] }) {
      if let path = path.string { excluded.insert(joined(folder, path)) }
    }
    for member in exceptions.flatMap({ $0["assetTagsByRelativePath"]?.object ?? [] }) {
      let path = joined(folder, member.key)
      let folders = path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
      guard excluded.isDisjoint(with: folders + [path]) else { continue }
      add(
        Entry(
          path: path, tags: tags(member.value),
          location: SourceLocation(project.source, member.value.range)))
    }
  }

  private mutating func add(_ entry: Entry) {
    if entry.path.hasSuffix(".xcassets") { catalogs.append(entry) }
    if !entry.tags.isEmpty { entries.append(entry) }
  }

  private func tags(_ list: JSONValue) -> [String] {
    (list.array?.compactMap(\.string) ?? list.string.map { [$0] } ?? [])
      .filter { !$0.isEmpty }.unique()
  }

  private mutating func report(_ message: String, _ location: SourceLocation) {
    guard findings.count < [Finding].limit else { return }
    findings.report(.onDemandPath, message, at: location)
  }
}
