import BAPackCore

/// Finds the depot in the keys of a build script, and reports every key that can't be converted.
package struct DepotScriptReader {
  private let source: SourceText
  var findings: [Finding] = []

  /// Keys that only concern the upload.
  var leftOut: [Located<[UInt8]>] = []
  /// Returns the text of a file that an app's script refers to.
  private let contents: (BytePath) throws(SystemError) -> [UInt8]

  /// The depots in `source`, or those with the IDs `depots`. Empty if a finding is an error. Depots
  /// in files of their own, which `contents` reads, have the app's `ContentRoot` unless they set one.
  package static func read(
    _ source: SourceText, depots: [String] = [],
    _ contents: (BytePath) throws(SystemError) -> [UInt8]
  ) -> (scripts: [DepotScript], findings: [Finding]) {
    withoutActuallyEscaping(contents) { contents in
      var reader = DepotScriptReader(source: source, contents: contents)
      var scripts: [DepotScript] = []
      if let root = reader.root() {
        if root.isNamed("AppBuild") {
          scripts = reader.appBuild(root, depots)
        } else {
          scripts = [reader.depotBuild(root, isPart: false, contentRoot: nil)].compactMap(\.self)
          if let script = scripts.first, let id = script.id, !depots.isEmpty, depots != [id] {
            reader.report(
              .depotKind,
              "this is depot \(id), not \(depots.map { printable($0.utf8) }.joined(separator: ", "))",
              script.location)
          }
        }
      }
      reader.reportUploadKeys()
      return (reader.findings.hasErrors ? [] : scripts, reader.findings.limited())
    }
  }

  private init(
    source: SourceText, contents: @escaping (BytePath) throws(SystemError) -> [UInt8]
  ) {
    self.source = source
    self.contents = contents
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

  private mutating func depotBuild(
    _ root: KeyValue, isPart: Bool, contentRoot: Located<[UInt8]>?
  ) -> DepotScript? {
    guard root.isNamed("DepotBuild") || root.isNamed("DepotBuildConfig") else {
      let name = printable(root.key.value)
      let known = ["DepotBuild", "DepotBuildConfig"] + (isPart ? [] : ["AppBuild"])
      let near = nearest(to: name, among: known)
      report(
        .depotKind,
        "\(isPart ? "the script of a depot" : "a build script") must begin with "
          + known.map { "'\($0)'" }.joined(separator: " or ") + ", not '\(name)'",
        root.key.location, notes: near.map { [Note("did you mean '\($0)'?")] } ?? [])
      return nil
    }
    return depotBlock(root, contentRoot: contentRoot)
  }

  /// One finding for all keys of the file that only concern the upload.
  private mutating func reportUploadKeys() {
    guard let first = leftOut.first else { return }
    var names: [String] = []
    for key in leftOut.map({ "'\(printable($0.value))'" }) where !names.contains(key) {
      names.append(key)
    }
    findings.append(
      Finding(
        .depotLeftOut,
        names.count == 1
          ? "\(names[0]) is ignored: it concerns Steam's upload, not the files"
          : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) are ignored: "
            + "they concern Steam's upload, not the files", at: first.location))
  }

  // MARK: The script of an app

  /// Keys of an app's script that concern the upload rather than the files.
  static let uploadKeys = [
    "Desc", "BuildOutput", "Preview", "Local", "SetLive", "Verbose",
  ]

  private mutating func appBuild(_ root: KeyValue, _ wanted: [String]) -> [DepotScript] {
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
    let names = depots.map { printable($0.key.value) }
    for id in wanted where !depots.contains(where: { $0.key.value.elementsEqual(id.utf8) }) {
      report(
        .depotKind,
        "no depot \(printable(id.utf8)) in this script, only "
          + names.joined(separator: ", "), root.key.location)
    }
    if depots.isEmpty { report(.depotKind, "the script has no depots", root.key.location) }
    let chosen = depots.filter { depot in
      wanted.isEmpty || wanted.contains { depot.key.value.elementsEqual($0.utf8) }
    }
    guard chosen.count <= Self.mostDepots else {
      report(
        .depotKind, "the script has more than \(Self.mostDepots) depots",
        chosen[Self.mostDepots].key.location)
      return []
    }
    return chosen.compactMap { depot in
      var script =
        depot.text != nil
        ? text(of: depot).flatMap { self.depot(in: $0, contentRoot) }
        : depotBlock(depot, contentRoot: contentRoot)
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

  /// The maximum number of depots: each file of one takes time.
  private static let mostDepots = 200

  /// The depot in the file with this name, relative to the app's script.
  private mutating func depot(
    in file: Located<[UInt8]>, _ contentRoot: Located<[UInt8]>?
  ) -> DepotScript? {
    guard let name = DepotPath(file.value).filePath else {
      report(.depotPath, "'\(printable(file.value))' is a Windows path", file.location)
      return nil
    }
    let path = BytePath(source.name).folder.appending(name.bytes)
    do throws(SystemError) {
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
}
