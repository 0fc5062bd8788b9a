/// Finds the depot in the keys of a build script, and says of every key that it can't be converted.
public struct DepotScriptReader {
  private let source: SourceText
  private var findings: [Finding] = []

  /// The depot that `source` describes; of several, the one with the identifier `depot`. Nil where
  /// there is none or a finding is an error.
  public static func read(
    _ source: SourceText, depot: String? = nil
  ) -> (script: DepotScript?, findings: [Finding]) {
    let (keys, findings) = KeyValuesReader.read(source)
    guard findings.allSatisfy({ $0.severity < .error }) else { return (nil, findings) }
    var reader = DepotScriptReader(source: source, findings: findings)
    let script = reader.script(keys, depot)
    let isWhole = reader.findings.allSatisfy { $0.severity < .error }
    return (isWhole ? script : nil, reader.findings)
  }

  private init(source: SourceText, findings: [Finding]) {
    self.source = source
    self.findings = findings
  }

  private mutating func script(_ keys: [KeyValue], _ depot: String?) -> DepotScript? {
    guard let root = keys.first else {
      report(
        .depotKind, "the file is empty: a build script holds one block 'DepotBuild'",
        SourceLocation(source, 0..<0))
      return nil
    }
    for other in keys.dropFirst() {
      report(.depotKind, "a build script holds one block only", other.key.location)
    }
    if root.isNamed("AppBuild") { return appBuild(root, depot) }
    guard root.isNamed("DepotBuild") || root.isNamed("DepotBuildConfig") else {
      let name = printable(root.key.value)
      let near = nearest(to: name, among: ["DepotBuild", "DepotBuildConfig", "AppBuild"])
      report(
        .depotKind,
        "a build script begins with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild', not '\(name)'",
        root.key.location, notes: near.map { [Note("did you mean '\($0)'?")] } ?? [])
      return nil
    }
    let script = depotBlock(root, contentRoot: nil)
    if let depot, let id = root.block?.first(where: { $0.isNamed("DepotID") })?.text,
      !id.value.elementsEqual(depot.utf8)
    {
      report(
        .depotKind,
        "this is depot \(printable(id.value)), but --depot asks for \(printable(depot.utf8))",
        id.location)
    }
    return script
  }

  // MARK: The script of an app

  /// Keys of an app's script that say how the build is uploaded, and nothing about files.
  private static let uploadKeys = [
    "Desc", "BuildOutput", "Preview", "Local", "SetLive", "Verbose",
  ]

  private mutating func appBuild(_ root: KeyValue, _ depot: String?) -> DepotScript? {
    var contentRoot: Located<[UInt8]>?
    var depots: [KeyValue] = []
    for member in members(of: root) {
      if member.isNamed("AppID") {
        _ = text(of: member)
      } else if member.isNamed("ContentRoot") {
        contentRoot = text(of: member)
      } else if member.isNamed("Depots") {
        depots += members(of: member)
      } else {
        reportOther(member, ["AppID", "ContentRoot", "Depots"] + Self.uploadKeys)
      }
    }
    guard let chosen = choose(depots, depot, root) else { return nil }
    if let file = chosen.text {
      report(
        .depotKind,
        "depot \(printable(chosen.key.value)) is described in '\(printable(file.value))': convert "
          + "that file", file.location)
      return nil
    }
    return depotBlock(chosen, contentRoot: contentRoot)
  }

  private mutating func choose(_ depots: [KeyValue], _ depot: String?, _ root: KeyValue)
    -> KeyValue?
  {
    let names = depots.map { printable($0.key.value) }.joined(separator: ", ")
    if let depot {
      let chosen = depots.first { $0.key.value.elementsEqual(depot.utf8) }
      if chosen == nil {
        report(
          .depotKind,
          "there is no depot \(printable(depot.utf8)) in this script, but there is \(names)",
          root.key.location)
      }
      return chosen
    }
    if depots.count > 1 {
      report(
        .depotKind,
        "the script holds \(counted(depots.count, "depot")) (\(names)), and a manifest is one pack: "
          + "choose one with --depot", depots[1].key.location)
      return nil
    }
    if depots.isEmpty {
      report(.depotKind, "the script holds no depot", root.key.location)
    }
    return depots.first
  }
}

// MARK: - A depot

extension DepotScriptReader {
  private mutating func depotBlock(
    _ block: KeyValue, contentRoot: Located<[UInt8]>?
  ) -> DepotScript {
    var script = DepotScript(
      contentRoot: contentRoot, mappings: [], exclusions: [], location: block.key.location)
    var seen: [String: SourceLocation] = [:]
    for member in members(of: block) {
      if member.isNamed("FileMapping") {
        if let mapping = mapping(member) { script.mappings.append(mapping) }
      } else if member.isNamed("FileExclusion") {
        if let pattern = text(of: member) { script.exclusions.append(pattern) }
      } else if member.isNamed("ContentRoot") {
        checkOnce(member, "ContentRoot", &seen)
        if let root = text(of: member) { script.contentRoot = root }
      } else if member.isNamed("DepotID") {
        checkOnce(member, "DepotID", &seen)
        _ = text(of: member)
      } else if member.isNamed("InstallScript") {
        reportLeftOut(member, "'InstallScript' is left out: a device runs no scripts of a pack")
      } else if member.isNamed("FileProperties") {
        reportLeftOut(
          member,
          "'FileProperties' is left out: files of a pack have no attributes, and apps can't "
            + "change them")
      } else {
        reportOther(
          member,
          ["ContentRoot", "DepotID", "FileExclusion", "FileMapping", "FileProperties"]
            + ["InstallScript"] + Self.uploadKeys)
      }
    }
    if script.mappings.isEmpty, findings.allSatisfy({ $0.severity < .error }) {
      report(
        .depotValue, "the depot has no 'FileMapping', so that nothing is in it", block.key.location)
    }
    return script
  }

  private mutating func mapping(_ block: KeyValue) -> DepotScript.FileMapping? {
    var seen: [String: SourceLocation] = [:]
    var paths: [String: Located<[UInt8]>] = [:]
    var isRecursive = false
    for member in members(of: block) {
      if member.isNamed("LocalPath") {
        checkOnce(member, "LocalPath", &seen)
        paths["LocalPath"] = text(of: member)
      } else if member.isNamed("DepotPath") {
        checkOnce(member, "DepotPath", &seen)
        paths["DepotPath"] = text(of: member)
      } else if member.isNamed("Recursive") {
        checkOnce(member, "Recursive", &seen)
        isRecursive = flag(member)
      } else {
        reportOther(member, ["LocalPath", "DepotPath", "Recursive"])
      }
    }
    for key in ["LocalPath", "DepotPath"] where seen[key] == nil && block.block != nil {
      let note = key == "DepotPath" ? [Note("'.' stands for the top of the depot")] : []
      report(.depotValue, "the mapping has no '\(key)'", block.key.location, notes: note)
    }
    guard let localPath = paths["LocalPath"], let depotPath = paths["DepotPath"] else { return nil }
    return DepotScript.FileMapping(
      localPath: localPath, depotPath: depotPath, isRecursive: isRecursive)
  }

  private mutating func flag(_ member: KeyValue) -> Bool {
    guard let text = text(of: member) else { return false }
    if text.value.elementsEqual("1".utf8) { return true }
    if !text.value.elementsEqual("0".utf8) {
      report(
        .depotValue, "'Recursive' is '0' or '1', not '\(printable(text.value))'", text.location)
    }
    return false
  }
}

// MARK: - Keys and values

extension DepotScriptReader {
  private mutating func members(of member: KeyValue) -> [KeyValue] {
    if let block = member.block { return block }
    reportValue(member, "must be a block in braces, not a text")
    return []
  }

  private mutating func text(of member: KeyValue?) -> Located<[UInt8]>? {
    guard let member else { return nil }
    guard let text = member.text else {
      reportValue(member, "must be a text, not a block")
      return nil
    }
    guard String(validating: text.value, as: UTF8.self) != nil else {
      report(.depotValue, "'\(printable(text.value))' is not UTF-8", text.location)
      return nil
    }
    return text
  }

  private mutating func checkOnce(
    _ member: KeyValue, _ name: String, _ seen: inout [String: SourceLocation]
  ) {
    if let other = seen.updateValue(member.key.location, forKey: name) {
      report(
        .depotValue, "'\(name)' stands twice", member.key.location,
        notes: [Note("first here", at: other)])
    }
  }

  private mutating func reportValue(_ member: KeyValue, _ message: String) {
    let location = member.text?.location ?? member.key.location
    report(.depotValue, "'\(printable(member.key.value))' \(message)", location)
  }

  private mutating func reportLeftOut(_ member: KeyValue, _ message: String) {
    findings.append(Finding(.depotLeftOut, message, at: member.key.location))
  }

  private mutating func reportOther(_ member: KeyValue, _ known: [String]) {
    let name = printable(member.key.value)
    if Self.uploadKeys.contains(where: member.isNamed) {
      return reportLeftOut(
        member, "'\(name)' is left out: it says how Steam uploads, and nothing about files")
    }
    let near = nearest(to: name, among: known)
    report(
      .depotKey, "'\(name)' is no key that can be converted", member.key.location,
      notes: near.map { [Note("did you mean '\($0)'?")] } ?? [])
  }

  private mutating func report(
    _ rule: Rule, _ message: String, _ location: SourceLocation, notes: [Note] = []
  ) {
    findings.append(Finding(rule, message, at: location, notes: notes))
  }
}
