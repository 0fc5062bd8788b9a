extension AppReport {
  /// Adds the changes since the packs, manifests or reports at `paths`, which may be folders. All
  /// files must have hashes: ``Options/hashesAll``.
  package mutating func compare(
    since paths: [BytePath], _ options: Options
  ) throws(ReportError) {
    var (old, others): ([ReportedPack], [BytePath]) = ([], [])
    for path in paths {
      if let packs = try Self.packs(ofReportAt: path) { old += packs } else { others.append(path) }
    }
    var options = options
    options.hashesAll = true
    options.coverage = nil
    inputs += paths
    if !others.isEmpty {
      let earlier = try AppReport(of: others, options)
      old += earlier.packs
      inputs += earlier.inputs
      selections += earlier.selections
    }
    changes = try ReportChanges(from: old, named: paths, to: packs)
  }

  /// The maximum size of a report in bytes.
  private static let maximumSize = 256 << 20

  /// The packs of the report at `path`; nil for a file that is not JSON, and for a manifest.
  private static func packs(ofReportAt path: BytePath) throws(ReportError) -> [ReportedPack]? {
    guard path.hasExtension("json"), try !mapping(ReportError.system, path.isFolder()) else {
      return nil
    }
    let bytes = try mapping(ReportError.system, path.contents(limit: maximumSize))
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard let root = document.root, root["assetPackID"] == nil, root["fileSelectors"] == nil else {
      return nil
    }
    if let finding = document.findings.first { throw .notAReport(path, finding.message) }
    guard let list = root["packs"]?.array, root["schemaVersion"]?.integer != nil else {
      throw .notAReport(path, "it has no 'packs'")
    }
    guard root["schemaVersion"]?.integer == 1 else {
      throw .notAReport(path, "its 'schemaVersion' is not 1")
    }
    var packs: [ReportedPack] = []
    for (index, value) in list.enumerated() {
      guard let pack = ReportedPack(value) else {
        throw .notAReport(
          path, "'packs[\(index)]' lacks something, or a file in it has no 'sha256'")
      }
      packs.append(pack)
    }
    return packs
  }
}

extension ReportedPack {
  /// A pack as written by ``AppReport/json(includingHashes:)``; nil if a part is missing.
  fileprivate init?(_ value: JSONValue) {
    guard let file = value.bytes("file"), let download = value["downloadSize"]?.integer,
      let list = value["files"]?.array, download >= 0
    else { return nil }
    var files: [ReportedFile] = []
    for element in list {
      guard let file = ReportedFile(element) else { return nil }
      files.append(file)
    }
    path = BytePath(file)
    isFromManifest = false
    facts = value["assetPackID"]?.string.map { identifier in
      ManifestFacts(
        assetPackID: identifier, policy: value["downloadPolicy"]?.string ?? "",
        events: value["installationEventTypes"]?.array?.compactMap(\.string) ?? [],
        platforms: value["platforms"]?.array?.compactMap(\.string) ?? [],
        language: value["language"]?.string)
    }
    manifestHash = value["manifestSHA256"]?.string.flatMap(decodedHexadecimal)
    self.files = files
    downloadSize = UInt64(download)
  }
}

extension ReportedFile {
  fileprivate init?(_ value: JSONValue) {
    guard let path = value.bytes("path"), let size = value["size"]?.integer, size >= 0,
      let hash = value["sha256"]?.string.flatMap(decodedHexadecimal)
    else { return nil }
    self.init(
      path: path, size: UInt64(size),
      compressedSize: UInt64(max(0, value["compressedSize"]?.integer ?? 0)),
      blocks: value["blocks"]?.string.flatMap(BlockUse.init) ?? .none,
      isExecutable: value["isExecutable"]?.isTrue ?? false, hash: hash)
  }
}

extension JSONValue {
  /// The bytes of a name, as written by ``JSONName`` under `key`.
  fileprivate func bytes(_ key: String) -> [UInt8]? {
    if let text = self[key + "Hex"]?.string { return decodedHexadecimal(text) }
    return self[key]?.string.map { Array($0.utf8) }
  }

  fileprivate var integer: Int? {
    if case .number(let number) = content { number.integer } else { nil }
  }

  fileprivate var isTrue: Bool {
    if case .bool(let value) = content { value } else { false }
  }
}
