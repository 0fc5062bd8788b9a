/// What the packs of an app contain, and what that costs: sizes by file, duplicates, files in no
/// pack, and changes since earlier packs. HTML, JSON and Markdown are made of it.
package struct AppReport: Sendable {
  /// The packs, in the order given.
  package internal(set) var packs: [ReportedPack] = []
  /// The same contents more than once, those that waste most first.
  package internal(set) var duplicates: [Duplicate] = []
  /// Files of a folder that are in none of the packs; nil unless a folder was given.
  package internal(set) var coverage: Coverage?
  /// What is wrong with manifests in packs, which are shown without what those say.
  package internal(set) var remarks: [(pack: BytePath, text: String)] = []
  /// What changed since earlier packs; nil unless some were given.
  package internal(set) var changes: ReportChanges?
  /// The rates for which download times are given, in Mbit/s.
  package var rates: [Int] = [10, 50, 200]

  /// Contents that are there more than once.
  package struct Duplicate: Sendable {
    /// A file with the contents.
    package struct Copy: Sendable {
      /// The index of its pack.
      package let pack: Int
      /// The index of the file in the pack.
      package let file: Int
    }

    /// The bytes of one copy.
    package let size: UInt64
    /// The copies in the order of the packs and of their files; at least two.
    package let copies: [Copy]
    /// The bytes of all copies but one.
    package var wastedSize: UInt64 { size * UInt64(copies.count - 1) }
    /// The bytes of downloads that all copies but the one that costs most take.
    package let wastedDownload: UInt64
  }

  /// All files together.
  package var fileCount: Int { packs.reduce(0) { $0 + $1.files.count } }
  /// Bytes of all files, uncompressed.
  package var size: UInt64 { packs.reduce(0) { $0 + $1.size } }
  /// Bytes of all packs.
  package var downloadSize: UInt64 { packs.reduce(0) { $0 + $1.downloadSize } }
  /// The packs that the installation of the app waits for.
  package var packsOfInstallation: [ReportedPack] { packs.filter(\.isForInstallation) }
  /// Bytes of files, uncompressed, that duplicates waste.
  package var wastedSize: UInt64 { duplicates.reduce(0) { $0 + $1.wastedSize } }
  /// Bytes of downloads that duplicates waste.
  package var wastedDownload: UInt64 { duplicates.reduce(0) { $0 + $1.wastedDownload } }
}

/// A pack of a report.
package struct ReportedPack: Sendable {
  /// The pack, or the manifest it would be made from.
  package let path: BytePath
  /// Whether the pack was only measured: it would be made from a manifest.
  package let isFromManifest: Bool
  /// What its manifest says; nil where it has none that can be decoded.
  package let facts: ManifestFacts?
  /// The SHA-256 of the embedded manifest; nil where there is none.
  package let manifestHash: [UInt8]?
  /// The files that games read, in the order of the archive.
  package internal(set) var files: [ReportedFile]
  /// Bytes of the pack.
  package let downloadSize: UInt64

  /// The parts of a manifest that reports show.
  package struct ManifestFacts: Sendable, Equatable {
    /// The identifier.
    package let assetPackID: String
    /// The name of the download policy.
    package let policy: String
    /// The events of the policy.
    package let events: [String]
    /// The platforms; empty for all.
    package let platforms: [String]
    /// The language.
    package let language: String?
  }

  /// Bytes of the files, uncompressed.
  package var size: UInt64 { files.reduce(0) { $0 + $1.size } }
  /// What the pack is called, safe to show: its identifier, or the name of the file without one.
  package var name: String { printable(facts?.assetPackID.utf8.map(\.self) ?? Array(path.name)) }
  /// Whether the installation of the app waits for it.
  package var isForInstallation: Bool {
    facts?.policy == "essential"
      && facts?.events.contains(InstallationEventType.firstInstallation.rawValue) == true
  }
}

/// A file of a report.
package struct ReportedFile: Sendable {
  /// The path as games read it; that of the archive in one that is not an asset pack.
  package let path: [UInt8]
  /// Bytes of contents.
  package let size: UInt64
  /// Its share of the blocks that hold it, in bytes of the pack.
  package let compressedSize: UInt64
  /// How these blocks are compressed.
  package let blocks: BlockUse
  /// Whether games can execute it.
  package let isExecutable: Bool
  /// The SHA-256 of the contents, where it was needed.
  package internal(set) var hash: [UInt8]?
}

extension ReportedPack.ManifestFacts {
  /// What `manifest` says.
  init(_ manifest: Manifest) {
    assetPackID = manifest.assetPackID.value
    policy = manifest.downloadPolicy.name
    events = manifest.downloadPolicy.events.map(\.rawValue)
    platforms = manifest.platforms.map(\.rawValue)
    language = manifest.language?.value
  }
}
