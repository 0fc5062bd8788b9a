/// The contents of an app's packs and their cost: sizes by file, duplicates, files in no pack, and
/// changes since earlier packs. It is output as HTML, JSON or Markdown.
package struct AppReport: Sendable {
  /// The packs, in the order given.
  package internal(set) var packs: [ReportedPack] = []
  /// Duplicate contents, those that waste the most first.
  package internal(set) var duplicates: [Duplicate] = []
  /// The files of a folder that are in none of the packs; nil unless a folder was given.
  package internal(set) var coverage: Coverage?
  /// Problems of embedded manifests, for packs that are shown without the manifest's information.
  package internal(set) var remarks: [(pack: BytePath, text: String)] = []
  /// The changes since earlier packs; nil unless some were given.
  package internal(set) var changes: ReportChanges?
  /// The packs, manifests and reports that were read.
  package internal(set) var inputs: [BytePath] = []
  /// The files that packs of manifests would be made from.
  package internal(set) var selections: [Selection] = []
  /// The connection speeds for download times, in Mbit/s.
  package var rates: [Int] = [10, 50, 200]

  /// Contents that occur more than once.
  package struct Duplicate: Sendable {
    /// A file with the contents.
    package struct Copy: Sendable {
      /// The index of its pack.
      package let pack: Int
      /// The index of the file in the pack.
      package let file: Int
    }

    /// The size of one copy in bytes.
    package let size: UInt64
    /// The copies in the order of the packs and of their files; at least two.
    package let copies: [Copy]
    /// The size of all copies but one in bytes.
    package var wastedSize: UInt64 { size * UInt64(copies.count - 1) }
    /// The compressed size of all copies but the largest, in bytes.
    package let wastedDownload: UInt64
  }

  /// The total number of files.
  package var fileCount: Int { packs.reduce(0) { $0 + $1.files.count } }
  /// The total uncompressed size of the files in bytes.
  package var size: UInt64 { packs.reduce(0) { $0 + $1.size } }
  /// The total size of the packs in bytes.
  package var downloadSize: UInt64 { packs.reduce(0) { $0 + $1.downloadSize } }
  /// The packs that the installation of the app waits for.
  package var packsOfInstallation: [ReportedPack] { packs.filter(\.isForInstallation) }
  /// The uncompressed size of duplicates in bytes.
  package var wastedSize: UInt64 { duplicates.reduce(0) { $0 + $1.wastedSize } }
  /// The compressed size of duplicates in bytes.
  package var wastedDownload: UInt64 { duplicates.reduce(0) { $0 + $1.wastedDownload } }
}

/// A pack of a report.
package struct ReportedPack: Sendable {
  /// The pack, or the manifest it would be made from.
  package let path: BytePath
  /// Whether the pack was only measured: it would be made from a manifest.
  package let isFromManifest: Bool
  /// The information in its manifest; nil if that is missing or can't be decoded.
  package let facts: ManifestFacts?
  /// The SHA-256 of the embedded manifest, if there is one.
  package let manifestHash: [UInt8]?
  /// The files that apps read, in the order of the archive.
  package internal(set) var files: [ReportedFile]
  /// The size of the pack in bytes.
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

  /// The total uncompressed size of the files in bytes.
  package var size: UInt64 { files.reduce(0) { $0 + $1.size } }
  /// The name of the pack, escaped for display: its identifier, or else its file name.
  package var name: String { printable(facts?.assetPackID.utf8.map(\.self) ?? Array(path.name)) }
  /// Whether the installation of the app waits for it.
  package var isForInstallation: Bool {
    facts?.policy == "essential"
      && facts?.events.contains(InstallationEventType.firstInstallation.rawValue) == true
  }
}

/// A file of a report.
package struct ReportedFile: Sendable {
  /// The path as apps use it, or as in the archive if it isn't an asset pack.
  package let path: [UInt8]
  /// The size in bytes.
  package let size: UInt64
  /// Its share of the blocks that contain it, in bytes of the pack.
  package let compressedSize: UInt64
  /// How these blocks are compressed.
  package let blocks: BlockUse
  /// Whether apps can execute it.
  package let isExecutable: Bool
  /// The SHA-256 of the contents, if it was needed.
  package internal(set) var hash: [UInt8]?
}

extension ReportedPack.ManifestFacts {
  /// The information in `manifest`.
  init(_ manifest: Manifest) {
    assetPackID = manifest.assetPackID.value
    policy = manifest.downloadPolicy.name
    events = manifest.downloadPolicy.events.map(\.rawValue)
    platforms = manifest.platforms.map(\.rawValue)
    language = manifest.language?.value
  }
}
