extension PackIndex {
  /// The pack for programs. Hashes are for later comparisons.
  package func json(includingHashes: Bool) -> JSONValue {
    .object([
      "file": path.jsonName,
      "isFromManifest": path.hasExtension("json"),
      "compression": compression,
      "assetPackID": manifest?.assetPackID.value,
      "downloadPolicy": manifest?.downloadPolicy.name,
      "installationEventTypes": manifest?.downloadPolicy.events.map(\.rawValue),
      "platforms": manifest?.platforms.map(\.rawValue),
      "language": manifest?.language?.value,
      "manifestSHA256": includingHashes ? manifestSHA256.map { hexadecimal($0) } : nil,
      "size": size,
      "downloadSize": downloadSize,
      "files": JSONValue(
        .rows(files.count) { index in json(of: files[index], includingHash: includingHashes) }),
    ])
  }

  private func json(of file: PackEntry, includingHash: Bool) -> JSONValue {
    .object([
      "path": JSONName(file.shownPath),
      "size": file.size,
      "compressedSize": share(of: file),
      "blocks": blocks(of: file).rawValue,
      "isExecutable": file.isExecutable ? true : nil,
      "sha256": includingHash ? hashes[file.number].map { hexadecimal($0) } : nil,
    ])
  }

  /// A pack as written by ``json(includingHashes:)``; nil if a part is missing or invalid.
  package init?(_ value: JSONValue) {
    guard let path = value.bytes("file"), let downloadSize = value.size("downloadSize"),
      let list = value["files"]?.array
    else { return nil }
    let manifest = Manifest(report: value)
    if manifest == nil, value["assetPackID"] != nil { return nil }
    var entries: [PackEntry] = []
    var costs: [(share: UInt64, blocks: BlockUse)] = []
    var hashes: [Int: [UInt8]] = [:]
    var left = Self.maximumSize
    for (number, file) in list.enumerated() {
      guard let path = file.bytes("path"), let size = file.size("size"), size <= left,
        let hash = file["sha256"]?.string.flatMap(decodedHexadecimal)
      else { return nil }
      left -= size
      let archivePath = PackFormat.archivePath(of: RelativePath(unchecked: path))
      entries.append(
        PackEntry(
          number: number, archivePath: archivePath.bytes, .file,
          mode: file["isExecutable"]?.flag == true ? 0o755 : 0o644, contents: 0..<size))
      costs.append(
        (
          file.size("compressedSize") ?? 0,
          file["blocks"]?.string.flatMap(BlockUse.init) ?? .none
        ))
      hashes[number] = hash
    }
    self.init(
      BytePath(path), .report(downloadSize: downloadSize, costs), entries, manifest,
      manifestSHA256: value["manifestSHA256"]?.string.flatMap(decodedHexadecimal))
    self.hashes = hashes
    compression = value["compression"]?.string
  }

  /// The maximum size of a report that can be read again.
  package static let maximumReportSize = 256 << 20
  /// The maximum size of the files of a pack in a report, and of the pack: sums of all that a report
  /// can contain fit in 64 bits.
  static let maximumSize: UInt64 = 1 << 40

  /// The packs of the report in JSON at `path`.
  ///
  /// - Throws: ``PackagingError`` for anything else.
  package static func packs(ofReport path: BytePath) throws -> [PackIndex] {
    if try path.isFolder() {
      throw PackagingError.notAReport(path, "it is a folder; name a file in it")
    }
    let document = try report(at: path)
    guard !isManifest(document) else {
      throw PackagingError.notAReport(path, "it is the manifest of a pack")
    }
    return try packs(of: document, path)
  }

  /// The packs of the report at `path`; nil for a file that is not JSON, and for a manifest. Throws
  /// ``PackagingError`` for other JSON.
  package static func packs(ofReportAt path: BytePath) throws -> [PackIndex]? {
    guard path.hasExtension("json"), try !path.isFolder() else { return nil }
    let document = try report(at: path)
    return document.root == nil || isManifest(document) ? nil : try packs(of: document, path)
  }

  private static func report(at path: BytePath) throws -> JSONDocument {
    let bytes: [UInt8]
    do {
      bytes = try path.contents(limit: maximumReportSize)
    } catch {
      guard error.code == .fileTooLarge else { throw error }
      throw PackagingError.notAReport(path, "it is too large")
    }
    let document = JSONDocument(
      reading: SourceText(name: path.bytes, bytes: bytes), limit: maximumReportSize)
    // Too large for a manifest, too.
    if document.root == nil, bytes.count > JSONDocument.maximumSize {
      throw PackagingError.notAReport(path, document.findings.first?.message ?? "it is empty")
    }
    return document
  }

  private static func isManifest(_ document: JSONDocument) -> Bool {
    document.root?["assetPackID"] != nil || document.root?["fileSelectors"] != nil
  }

  private static func packs(of document: JSONDocument, _ path: BytePath) throws -> [PackIndex] {
    if let finding = document.findings.first {
      throw PackagingError.notAReport(path, finding.message)
    }
    guard let root = document.root, let list = root["packs"]?.array,
      let version = root.size("schemaVersion")
    else { throw PackagingError.notAReport(path, "it has no 'packs'") }
    guard version == 1 else {
      throw PackagingError.notAReport(path, "its 'schemaVersion' is not 1")
    }
    return try list.enumerated().map { index, value in
      guard let pack = PackIndex(value) else {
        throw PackagingError.notAReport(
          path,
          "a value of 'packs[\(index)]' is missing or invalid, or a file in it has no 'sha256'")
      }
      return pack
    }
  }
}

extension Manifest {
  /// The manifest of a pack in a report, which is without its selectors; nil if it had none or a
  /// value is invalid.
  fileprivate init?(report value: JSONValue) {
    guard let identifier = value["assetPackID"]?.string,
      let platforms = value["platforms"]?.array?.map({ $0.string.flatMap(Platform.init) }),
      !platforms.contains(nil)
    else { return nil }
    let events = (value["installationEventTypes"]?.array ?? [])
      .compactMap { $0.string.flatMap(InstallationEventType.init) }
    let policy: DownloadPolicy
    switch value["downloadPolicy"]?.string {
    case "essential": policy = .essential(events)
    case "prefetch": policy = .prefetch(events)
    case "onDemand": policy = .onDemand
    default: return nil
    }
    self.init(
      assetPackID: identifier, policy, platforms: platforms.compactMap(\.self),
      language: value["language"]?.string)
  }
}

extension PackDifference.Change: JSONRepresentable {
  package var json: JSONValue {
    .object([
      "path": JSONName(path.bytes), "oldPath": oldPath.map { JSONName($0.bytes) },
      "change": kind.rawValue, "oldSize": old?.size, "newSize": new?.size,
    ])
  }
}

extension JSONValue {
  /// The bytes of a name, as written by ``JSONName`` under `key`.
  fileprivate func bytes(_ key: String) -> [UInt8]? {
    if let text = self[key + "Hex"]?.string { return decodedHexadecimal(text) }
    return self[key]?.string.map { Array($0.utf8) }
  }

  /// The size under `key`.
  fileprivate func size(_ key: String) -> UInt64? {
    guard let size = self[key]?.integer.flatMap(UInt64.init(exactly:)),
      size <= PackIndex.maximumSize
    else { return nil }
    return size
  }
}
