import BAPackCore

/// Finds the depot in the keys of a build script, and reports every key that can't be converted.
public struct DepotScriptReader {
  private let source: SourceText
  var findings: [Finding] = []

  /// The depot in `source`; of several, the one with the ID `depot`. Nil if there is none or a
  /// finding is an error.
  public static func read(
    _ source: SourceText, depot: String? = nil
  ) -> (script: DepotScript?, findings: [Finding]) {
    let (keys, findings) = KeyValuesReader.read(source)
    guard !findings.hasErrors else { return (nil, findings) }
    var reader = DepotScriptReader(source: source, findings: findings)
    let script = reader.script(keys, depot)
    let isWhole = !reader.findings.hasErrors
    return (isWhole ? script : nil, reader.findings.limited())
  }

  private init(source: SourceText, findings: [Finding]) {
    self.source = source
    self.findings = findings
  }

  private mutating func script(_ keys: [KeyValue], _ depot: String?) -> DepotScript? {
    guard let root = keys.first else {
      report(
        .depotKind, "the file is empty; a build script needs a block 'DepotBuild'",
        SourceLocation(source, 0..<0))
      return nil
    }
    for other in keys.dropFirst() {
      report(.depotKind, "a build script has only one block", other.key.location)
    }
    if root.isNamed("AppBuild") { return appBuild(root, depot) }
    guard root.isNamed("DepotBuild") || root.isNamed("DepotBuildConfig") else {
      let name = printable(root.key.value)
      let near = nearest(to: name, among: ["DepotBuild", "DepotBuildConfig", "AppBuild"])
      report(
        .depotKind,
        "a build script must begin with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild', not "
          + "'\(name)'",
        root.key.location, notes: near.map { [Note("did you mean '\($0)'?")] } ?? [])
      return nil
    }
    let script = depotBlock(root, contentRoot: nil)
    if let depot, let id = root.block?.first(where: { $0.isNamed("DepotID") })?.text,
      !id.value.elementsEqual(depot.utf8)
    {
      report(
        .depotKind,
        "this is depot \(printable(id.value)), not \(printable(depot.utf8))",
        id.location)
    }
    return script
  }

  // MARK: The script of an app

  /// Keys of an app's script that concern the upload rather than the files.
  static let uploadKeys = [
    "Desc", "BuildOutput", "Preview", "Local", "SetLive", "Verbose",
  ]

  private mutating func appBuild(_ root: KeyValue, _ depot: String?) -> DepotScript? {
    var contentRoot: Located<[UInt8]>?
    var depots: [KeyValue] = []
    var seen: [String: SourceLocation] = [:]
    for member in members(of: root) {
      if member.isNamed("AppID") {
        checkOnce(member, "AppID", &seen)
        _ = text(of: member)
      } else if member.isNamed("ContentRoot") {
        checkOnce(member, "ContentRoot", &seen)
        contentRoot = text(of: member)
      } else if member.isNamed("Depots") {
        checkOnce(member, "Depots", &seen)
        depots += members(of: member)
      } else {
        reportOther(member, ["AppID", "ContentRoot", "Depots"] + Self.uploadKeys)
      }
    }
    seen = [:]
    for depot in depots { checkOnce(depot, printable(depot.key.value), &seen) }
    guard let chosen = choose(depots, depot, root) else { return nil }
    if let file = chosen.text {
      report(
        .depotKind,
        "depot \(printable(chosen.key.value)) is described in '\(printable(file.value))'; convert "
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
          "no depot \(printable(depot.utf8)) in this script, only \(names)",
          root.key.location)
      }
      return chosen
    }
    if depots.count > 1 {
      report(
        .depotKind,
        "the script has \(counted(depots.count, "depot")) (\(names)), and a manifest describes one "
          + "pack; choose one of them", depots[1].key.location)
      return nil
    }
    if depots.isEmpty {
      report(.depotKind, "the script has no depots", root.key.location)
    }
    return depots.first
  }
}
