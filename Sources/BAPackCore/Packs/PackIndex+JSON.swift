extension PackIndex {
  /// The pack for programs. Hashes are for later comparisons.
  package func json(includingHashes: Bool) -> JSONValue {
    .object([
      "file": path.jsonName,
      "isFromManifest": path.hasExtension("json"),
      "compression": compression,
      "assetPackID": manifest?.assetPackID,
      "downloadPolicy": manifest?.downloadPolicy.kind.rawValue,
      "installationEventTypes": manifest?.downloadPolicy.events.rawValues,
      "platforms": manifest?.platforms.rawValues,
      "language": manifest?.language,
      "manifestSHA256": includingHashes ? manifestSHA256.map { hexadecimal($0) } : nil,
      "size": size,
      "downloadSize": downloadSize,
      "files": JSONValue(
        .rows(storedFiles.count) { index in
          json(of: storedFiles[index], includingHash: includingHashes)
        }),
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

  /// A pack as written by ``json(includingHashes:)``; throws the key of a value that is missing or
  /// invalid.
  package init(_ value: JSONValue) throws(InvalidKey) {
    let path = try valid(value.bytes("file"), "file")
    let downloadSize = try valid(value.size("downloadSize"), "downloadSize")
    let list = try valid(value["files"]?.array, "files")
    let manifest = value["assetPackID"] == nil ? nil : try Manifest(report: value)
    var entries: [PackEntry] = []
    var costs: [(share: UInt64, blocks: BlockUse)] = []
    var hashes: [Int: [UInt8]] = [:]
    var left = Self.maximumSize
    for (number, file) in list.enumerated() {
      let path = try valid(file.bytes("path"), "files[\(number)].path")
      let size = try valid(
        file.size("size").flatMap { $0 > left ? nil : $0 }, "files[\(number)].size")
      let hash = try valid(
        file["sha256"]?.string.flatMap(decodedHexadecimal), "files[\(number)].sha256")
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
      do throws(InvalidKey) {
        return try PackIndex(value)
      } catch {
        throw PackagingError.notAReport(
          path, "'packs[\(index)].\(error.key)' is missing or invalid")
      }
    }
  }
}

extension Manifest {
  /// The manifest of a pack in a report, which is without its selectors.
  fileprivate init(report value: JSONValue) throws(InvalidKey) {
    func names<Name: OpenName>(_ key: String, _ list: JSONValue?) throws(InvalidKey) -> [Name] {
      let names = list?.array?.compactMap { $0.string.map(Name.init) }
      return try valid(
        names.flatMap {
          $0.count == list?.array?.count && $0.count <= Name.maximum ? $0 : nil
        }, key)
    }
    let kind = try valid(value["downloadPolicy"]?.string, "downloadPolicy")
    let events = value["installationEventTypes"] ?? JSONValue(.array([]))
    self.init(
      assetPackID: try valid(value["assetPackID"]?.string, "assetPackID"),
      DownloadPolicy(
        DownloadPolicy.Kind(rawValue: kind), try names("installationEventTypes", events)),
      platforms: try names("platforms", value["platforms"]).inOrder,
      language: value["language"]?.string)
  }
}

extension PackDifference.Change: JSONRepresentable {
  package var json: JSONValue {
    .object([
      "path": JSONName(path.bytes), "oldPath": oldPath.map { JSONName($0.bytes) },
      "change": kind.rawValue, "hasSameContents": kind == .renamed ? isOnlyRenamed : nil,
      "oldSize": old?.size, "newSize": new?.size,
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

/// The key of a value that is missing or invalid in a report: `files[2].size`.
package struct InvalidKey: Error {
  fileprivate let key: String
}

private func valid<Value>(
  _ value: Value?, _ key: @autoclosure () -> String
) throws(InvalidKey) -> Value {
  guard let value else { throw InvalidKey(key: key()) }
  return value
}
