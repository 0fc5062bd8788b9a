/// A download manifest and its records, as bytes; nil for missing files.
package struct DownloadFiles: Sendable {
  var manifest: [UInt8]?
  var records: [UInt8]?
}

extension DownloadFiles {
  /// The paths of a download manifest and its records.
  package static func paths(of manifest: BytePath) -> [BytePath] {
    [manifest, ContentsRecords.path(nextTo: manifest)]
  }

  /// The manifest at `path` and the records next to it, if they exist.
  init(at path: BytePath) throws(DownloadManifestError) {
    let limit = JSONDocument.maximumSize
    manifest = try mapping(DownloadManifestError.system, path.contentsIfPresent(limit: limit))
    records = try mapping(
      DownloadManifestError.system,
      ContentsRecords.path(nextTo: path).contentsIfPresent(limit: limit))
  }

  /// The versions in these files, which were read from `path` and next to it; nil, with findings,
  /// if they can't be read. A file that is only replaced may contain anything else, but if it looks
  /// like a download manifest it must be valid, since its versions matter.
  func history(of path: BytePath, isReplaced: Bool) -> Checked<DownloadHistory?> {
    var findings: [Finding] = []
    var listed: DownloadManifest? = DownloadManifest()
    if let manifest {
      let document = document(manifest, path)
      if !isReplaced || !document.isWellFormed || document.root?["assetPacks"] != nil {
        listed = DownloadManifest(document, findings: &findings)
      }
      if !isReplaced, document.isWellFormed, !document.isStrict {
        findings.append(
          Finding(
            .downloadManifest, severity: .warning,
            "the file is not plain JSON, which devices require; comments are lost when it is "
              + "rewritten", at: SourceLocation(document.source, 0..<0)))
      }
    }
    var recorded: ContentsRecords? = ContentsRecords()
    if let records {
      recorded = ContentsRecords(
        document(records, ContentsRecords.path(nextTo: path)), findings: &findings)
    }
    guard let listed, let recorded else { return Checked(nil, findings: findings) }
    return Checked(DownloadHistory(listed, recorded), findings: findings)
  }

  private func document(_ bytes: [UInt8], _ path: BytePath) -> JSONDocument {
    JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
  }
}

/// Why a download manifest was not created or updated.
public enum DownloadManifestError: Error, Sendable {
  /// A file can't be read or written.
  case system(SystemError)
  /// The two files can't be written together. If `isUndone`, both are unchanged; otherwise the
  /// records may be newer than the manifest.
  case unfinished(SystemError, manifest: BytePath, records: BytePath, isUndone: Bool)
  /// A pack can't be read.
  case pack(ArchiveError)
  /// A file exists at the output path and must not be replaced.
  case exists(BytePath)
  /// There is no manifest to update.
  case missing(BytePath)
  /// The base of the URLs is invalid.
  case baseURL(String, reason: String)
  /// A signal with this number arrived before a file was written.
  case interrupted(Int32)
}

extension DownloadManifestError: CustomStringConvertible {
  /// The error, and the state of the files.
  public var description: String { words(onExisting: "") }

  /// The description, with advice after the name of an existing file.
  package func words(onExisting advice: String) -> String {
    switch self {
    case .system(let error): return "\(error)"
    case .unfinished(let error, let manifest, let records, let isUndone):
      let reason =
        error.code == .fileExists ? "'\(error.path)' already exists\(advice)" : "\(error)"
      return isUndone
        ? "\(reason); '\(manifest)' and '\(records)' are as they were"
        : "\(reason). '\(records)' may be newer than '\(manifest)' now; the same command brings "
          + "them together again."
    case .pack(let error): return "\(error)"
    case .exists(let path): return "'\(path)' already exists\(advice)"
    case .missing(let path): return "there is no '\(path)'"
    case .baseURL(let url, let reason):
      return "invalid base URL '\(printable(url.utf8))': \(reason)"
    case .interrupted(let signal):
      return "stopped by \(Interruption.name(of: signal)); nothing was written"
    }
  }
}
