import BAPackCore

/// The parts of a Steam build script about one depot that a manifest can express.
package struct DepotScript: Sendable {
  package var id: String?
  /// The folder that local paths are relative to, itself relative to the folder of the script in
  /// which it is written.
  package var contentRoot: Located<[UInt8]>?
  /// The mappings of files, in the order written.
  package var mappings: [FileMapping] = []
  package var exclusions: [Located<[UInt8]>] = []
  /// The key of the depot's block.
  package let location: SourceLocation

  /// A `FileMapping`: files in the content root, and their folder in the depot.
  package struct FileMapping: Sendable {
    package let localPath: Located<[UInt8]>
    package let depotPath: Located<[UInt8]>
    /// Whether the pattern also matches names in folders below.
    package let isRecursive: Bool
  }

  /// The content root relative to the working directory: `option`, or the script's `ContentRoot`,
  /// which is relative to the folder of the script. Fails for a Windows path, and if there is none.
  package func contentRoot(option: BytePath?) throws(Finding) -> BytePath {
    if let option { return option }
    guard let written = contentRoot else {
      throw Finding(.depotValue, "the depot has no 'ContentRoot'", at: location)
    }
    guard let path = DepotPath(written.value).filePath else {
      throw Finding(
        .depotPath, "'\(printable(written.value))' is a Windows path", at: written.location)
    }
    return BytePath(written.location.source.name).folder.appending(path.bytes)
  }
}

/// Finds the depots in the keys of a build script, and reports every key that can't be converted.
package struct DepotScriptReader {
  private let source: SourceText
  private var findings: [Finding] = []
  /// The keys found that only concern the upload.
  private var leftOut: [Located<[UInt8]>] = []
  /// Returns the text of a file that an app's script refers to.
  private let contents: (BytePath) throws -> [UInt8]

  private static let uploadKeys = [
    "Desc", "BuildOutput", "Preview", "Local", "SetLive", "Verbose",
  ]
  /// The maximum number of depots: each file of one takes time.
  private static let maximumDepots = 200

  /// The depots in `source`, or those with the IDs `depots`. Empty if a finding is an error. Depots
  /// in files of their own, which `contents` reads, have the app's `ContentRoot` unless they set one.
  package static func read(
    _ source: SourceText, depots: [String] = [], _ contents: (BytePath) throws -> [UInt8]
  ) -> (scripts: [DepotScript], findings: [Finding]) {
    withoutActuallyEscaping(contents) { contents in
      var reader = DepotScriptReader(source: source, contents: contents)
      let scripts = reader.scripts(depots)
      reader.reportUploadKeys()
      return (reader.findings.hasErrors ? [] : scripts, reader.findings.limited())
    }
  }

  private mutating func scripts(_ depots: [String]) -> [DepotScript] {
    guard let root = root() else { return [] }
    if root.isNamed("AppBuild") { return appBuild(root, depots) }
    guard let script = depotBuild(root, isPart: false, contentRoot: nil) else { return [] }
    if let id = script.id, !depots.isEmpty, depots != [id] {
      report(
        .depotKind,
        "this is depot \(id), not \(depots.map { printable($0.utf8) }.joined(separator: ", "))",
        script.location)
    }
    return [script]
  }

  /// The only block of the file.
  private mutating func root() -> KeyValue? {
    let (keys, found) = KeyValuesReader.read(source)
    findings += found
    guard !found.hasErrors else { return nil }
    for other in keys.dropFirst() {
      report(.depotKind, "a build script has only one block", other.key.location)
    }
    if keys.isEmpty {
      report(
        .depotKind, "the file is empty; a build script needs a block 'DepotBuild'",
        SourceLocation(source, 0..<0))
    }
    return keys.first
  }

  // MARK: The script of an app

  private mutating func appBuild(_ root: KeyValue, _ wanted: [String]) -> [DepotScript] {
    let keys = members(of: root, once: ["AppID", "ContentRoot", "Depots"], Self.uploadKeys)
    let contentRoot = text(of: keys["ContentRoot"]?.last)
    _ = text(of: keys["AppID"]?.last)
    let depots = (keys["Depots"] ?? []).flatMap { block($0) }
    var seen: [String: KeyValue] = [:]
    for depot in depots {
      let name = printable(depot.key.value)
      reportRepeated(depot, name, seen.updateValue(depot, forKey: name))
    }
    for id in wanted where !depots.contains(where: { $0.key.value.elementsEqual(id.utf8) }) {
      report(
        .depotKind,
        "no depot \(printable(id.utf8)) in this script, only "
          + depots.map { printable($0.key.value) }.joined(separator: ", "), root.key.location)
    }
    if depots.isEmpty { report(.depotKind, "the script has no depots", root.key.location) }
    let chosen = depots.filter { depot in
      wanted.isEmpty || wanted.contains { depot.key.value.elementsEqual($0.utf8) }
    }
    guard chosen.count <= Self.maximumDepots else {
      report(
        .depotKind, "the script has more than \(Self.maximumDepots) depots",
        chosen[Self.maximumDepots].key.location)
      return []
    }
    return chosen.compactMap { depot in
      var script =
        depot.text != nil
        ? text(of: depot).flatMap { self.depot(in: $0, contentRoot) }
        : depotBlock(depot, contentRoot)
      let id = printable(depot.key.value)
      if let other = script?.id, other != id, let location = script?.location {
        report(
          .depotKind, "this is depot \(other), not \(id)", location,
          notes: [Note("the app's script names it here", at: depot.key.location)])
      }
      script?.id = id
      return script
    }
  }

  /// The depot in the file with this name, relative to the app's script.
  private mutating func depot(
    in file: Located<[UInt8]>, _ contentRoot: Located<[UInt8]>?
  ) -> DepotScript? {
    guard let name = DepotPath(file.value).filePath else {
      report(.depotPath, "'\(printable(file.value))' is a Windows path", file.location)
      return nil
    }
    let path = BytePath(source.name).folder.appending(name.bytes)
    do {
      var reader = DepotScriptReader(
        source: SourceText(name: path.bytes, bytes: try contents(path)), contents: contents)
      let script = reader.root().flatMap {
        reader.depotBuild($0, isPart: true, contentRoot: contentRoot)
      }
      reader.reportUploadKeys()
      findings += reader.findings
      return script
    } catch {
      report(.unreadableFile, "\(error)", file.location)
      return nil
    }
  }

  // MARK: The script of a depot

  private mutating func depotBuild(
    _ root: KeyValue, isPart: Bool, contentRoot: Located<[UInt8]>?
  ) -> DepotScript? {
    guard root.isNamed("DepotBuild") || root.isNamed("DepotBuildConfig") else {
      let name = printable(root.key.value)
      let known = ["DepotBuild", "DepotBuildConfig"] + (isPart ? [] : ["AppBuild"])
      report(
        .depotKind,
        "\(isPart ? "the script of a depot" : "a build script") must begin with "
          + known.map { "'\($0)'" }.joined(separator: " or ") + ", not '\(name)'",
        root.key.location, notes: suggestion(name, known))
      return nil
    }
    return depotBlock(root, contentRoot)
  }

  private mutating func depotBlock(
    _ block: KeyValue, _ contentRoot: Located<[UInt8]>?
  ) -> DepotScript {
    let keys = members(
      of: block, once: ["ContentRoot", "DepotID"],
      repeated: ["FileExclusion", "FileMapping", "FileProperties", "InstallScript"],
      Self.uploadKeys)
    var script = DepotScript(
      id: text(of: keys["DepotID"]?.last).map { printable($0.value) },
      contentRoot: text(of: keys["ContentRoot"]?.last) ?? contentRoot,
      location: block.key.location)
    script.mappings = (keys["FileMapping"] ?? []).compactMap { mapping($0) }
    script.exclusions = (keys["FileExclusion"] ?? []).compactMap { text(of: $0) }
    for (key, reason) in [
      ("InstallScript", "devices don't run scripts from packs"),
      ("FileProperties", "files of a pack have no attributes, and apps can't change them"),
    ] {
      for member in keys[key] ?? [] {
        report(.depotLeftOut, "'\(key)' is ignored: \(reason)", member.key.location)
      }
    }
    if script.mappings.isEmpty, !findings.hasErrors {
      report(.depotValue, "the depot has no 'FileMapping', so it is empty", block.key.location)
    }
    return script
  }

  private mutating func mapping(_ block: KeyValue) -> DepotScript.FileMapping? {
    let keys = members(of: block, once: ["LocalPath", "DepotPath", "Recursive"])
    for key in ["LocalPath", "DepotPath"] where keys[key] == nil && block.block != nil {
      let note = key == "DepotPath" ? [Note("use '.' for the top of the depot")] : []
      report(.depotValue, "the mapping has no '\(key)'", block.key.location, notes: note)
    }
    let (local, depot) = (text(of: keys["LocalPath"]?.last), text(of: keys["DepotPath"]?.last))
    let flag = text(of: keys["Recursive"]?.last)
    if let flag, !["0", "1"].contains(where: { flag.value.elementsEqual($0.utf8) }) {
      report(
        .depotValue, "'Recursive' must be '0' or '1', not '\(printable(flag.value))'", flag.location
      )
    }
    guard let local, let depot else { return nil }
    return DepotScript.FileMapping(
      localPath: local, depotPath: depot,
      isRecursive: flag?.value.elementsEqual("1".utf8) == true)
  }

  // MARK: Values

  /// The members of a block with these keys, in the order written; others are reported.
  private mutating func members(
    of block: KeyValue, once: [String], repeated: [String] = [], _ suggested: [String] = []
  ) -> [String: [KeyValue]] {
    var found: [String: [KeyValue]] = [:]
    for member in self.block(block) {
      if let key = (once + repeated).first(where: member.isNamed) {
        if once.contains(key) { reportRepeated(member, key, found[key]?.last) }
        found[key, default: []].append(member)
      } else if Self.uploadKeys.contains(where: member.isNamed) {
        leftOut.append(member.key)
      } else {
        let name = printable(member.key.value)
        report(
          .depotKey, "the key '\(name)' can't be converted", member.key.location,
          notes: suggestion(name, once + repeated + suggested))
      }
    }
    return found
  }

  private mutating func block(_ member: KeyValue) -> [KeyValue] {
    if let block = member.block { return block }
    reportValue(member, "must be a block in braces, not a string")
    return []
  }

  private mutating func text(of member: KeyValue?) -> Located<[UInt8]>? {
    guard let member else { return nil }
    guard let text = member.text else {
      reportValue(member, "must be a string, not a block")
      return nil
    }
    if String(validating: text.value, as: UTF8.self) != nil { return text }
    report(.depotValue, "'\(printable(text.value))' is not UTF-8", text.location)
    return nil
  }

  // MARK: Findings

  private func suggestion(_ name: String, _ known: [String]) -> [Note] {
    nearest(to: name, among: known).map { [Note("did you mean '\($0)'?")] } ?? []
  }

  private mutating func reportRepeated(_ member: KeyValue, _ name: String, _ other: KeyValue?) {
    guard let other else { return }
    report(
      .depotValue, "duplicate key '\(name)'", member.key.location,
      notes: [Note("first used here", at: other.key.location)])
  }

  private mutating func reportValue(_ member: KeyValue, _ message: String) {
    let location = member.text?.location ?? member.key.location
    report(.depotValue, "'\(printable(member.key.value))' \(message)", location)
  }

  /// One finding for all keys of the file that only concern the upload.
  private mutating func reportUploadKeys() {
    guard let first = leftOut.first else { return }
    let names = leftOut.map { "'\(printable($0.value))'" }.unique()
    let predicate = names.count == 1 ? "is ignored: it concerns" : "are ignored: they concern"
    report(
      .depotLeftOut, "\(listed(names, "and")) \(predicate) Steam's upload, not the files",
      first.location)
  }

  private mutating func report(
    _ rule: Rule, _ message: String, _ location: SourceLocation, notes: [Note] = []
  ) {
    findings.report(rule, message, at: location, notes: notes)
  }
}
