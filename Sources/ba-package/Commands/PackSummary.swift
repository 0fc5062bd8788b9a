import BAPackCore
import CommandLine

/// What `info` shows.
struct PackSummary {
  let pack: Pack
  let manifest: Manifest?
  /// Why there is no manifest to show, or what is wrong with it.
  let remark: String?
  /// What games read in an asset pack; all files of another archive.
  let files: [EntryHeader]
  let extensions: [FileExtension]
  let digests: FileDigests

  /// All files with the same extension.
  struct FileExtension {
    /// Without the dot, in lower case if it is UTF-8; empty for names without one.
    let name: [UInt8]
    var files = 0
    var size: UInt64 = 0
  }

  init(_ pack: Pack) {
    self.pack = pack
    digests = pack.fileDigests ?? FileDigests()
    var (manifest, remark): (Manifest?, String?) = (nil, nil)
    do throws(ArchiveDamage) {
      let decoded = try pack.decodedManifest()
      manifest = decoded.value
      remark = decoded.findings.first { $0.severity == .error }.map {
        "embedded manifest: \($0.message)"
      }
    } catch {
      remark = error.message
    }
    (self.manifest, self.remark) = (manifest, remark)
    let isPack = pack.isAssetPack
    files = pack.entries.filter { $0.kind == .file && $0.isFile(ofPack: isPack) }
    var extensions: [[UInt8]: FileExtension] = [:]
    for file in files {
      let name = Self.fileExtension(file.path)
      extensions[name, default: FileExtension(name: name)].files += 1
      extensions[name]?.size += file.size
    }
    self.extensions = extensions.values.sorted {
      $0.size == $1.size ? $0.name.lexicographicallyPrecedes($1.name) : $0.size > $1.size
    }
  }

  private static func fileExtension(_ path: [UInt8]) -> [UInt8] {
    let name = path.suffix(from: path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0)
    // A dot at the start of a name makes a file hidden.
    guard let dot = name.dropFirst().lastIndex(of: ASCII.dot) else { return [] }
    let bytes = name[(dot + 1)...]
    return String(validating: bytes, as: UTF8.self).map { Array($0.lowercased().utf8) }
      ?? Array(bytes)
  }

  /// The ten largest files; those of equal size are in the order of the archive.
  var largest: [EntryHeader] {
    Array(
      files.enumerated().sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }
        .prefix(10).map(\.element))
  }

  /// The size of all files in bytes.
  var contentSize: UInt64 { files.reduce(0) { $0 + $1.size } }

  /// The compressed size relative to the uncompressed size: `45.2%`.
  var ratio: String {
    let raw = max(1, pack.container.rawSize)
    let tenths = (pack.container.packedSize.multipliedFullWidth(by: 1000))
    let value = raw.dividingFullWidth(
      (tenths.high % raw, tenths.low)
    ).quotient
    return "\(value / 10).\(value % 10)%"
  }

  var containerName: String {
    switch pack.container.kind {
    case .bare: "none (a bare archive stream)"
    case .blocks(let algorithm, let blockSize):
      "\(algorithm.name), \(counted(pack.container.blocks, "block")) of \(grouped(blockSize)) bytes "
        + "(\(grouped(pack.container.storedBlocks)) stored)"
    }
  }
}

extension Manifest {
  /// The platforms in words.
  var platformNames: String {
    platforms.isEmpty ? "all" : platforms.map(\.rawValue).joined(separator: ", ")
  }
}

extension DownloadPolicy {
  /// The name of the policy in manifests.
  var name: String {
    switch self {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "onDemand"
    }
  }

  /// The events it names.
  var events: [InstallationEventType] {
    switch self {
    case .essential(let events), .prefetch(let events): events
    case .onDemand: []
    }
  }
}

extension Selector.Kind {
  /// The kind as manifests name it, and its paths.
  var words: (key: String, paths: String) {
    switch self {
    case .file(let path): ("file", printable(path.value.utf8))
    case .directory(let path): ("directory", printable(path.value.utf8))
    case .filePattern(let path): ("filePattern", printable(path.value.utf8))
    case .fileMapping(let source, let destination):
      ("file", "\(printable(destination.value.utf8)) <- \(printable(source.value.utf8))")
    case .directoryMapping(let source, let destination):
      ("directory", "\(printable(destination.value.utf8)) <- \(printable(source.value.utf8))")
    case .fileExclusion(let path): ("fileExclusion", printable(path.value.utf8))
    }
  }
}
