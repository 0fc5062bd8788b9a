/// A download manifest and its records, as bytes; nil where there are none.
struct DownloadFiles: Sendable {
  var manifest: [UInt8]?
  var records: [UInt8]?
}

extension DownloadFiles {
  /// The manifest at `path` and the records beside it, as far as they exist.
  init(at path: BytePath) throws(DownloadManifestError) {
    let limit = JSONDocument.maximumSize
    manifest = try mapping(DownloadManifestError.system, path.contentsIfPresent(limit: limit))
    records = try mapping(
      DownloadManifestError.system,
      ContentsRecords.path(nextTo: path).contentsIfPresent(limit: limit))
  }

  /// What these files, read from `path` and beside it, say of versions; nil where they don't, which
  /// the findings then explain. Files that are only replaced may be anything, but what looks like a
  /// download manifest must be one: its versions count.
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

/// Why a download manifest could not be made or updated.
public enum DownloadManifestError: Error, Sendable {
  /// A file can't be read or written.
  case system(SystemError)
  /// The two files can't be written together. Where that is undone they are as they were; otherwise
  /// the records may be newer than the manifest.
  case unfinished(SystemError, manifest: BytePath, records: BytePath, isUndone: Bool)
  /// A pack can't be read.
  case pack(ArchiveError)
  /// There is a file at the output path, which was not to be replaced.
  case exists(BytePath)
  /// There is no manifest to update.
  case missing(BytePath)
  /// A signal came in before a file was written, by its number.
  case interrupted(Int32)
}

extension DownloadManifestError: CustomStringConvertible {
  /// What is wrong, and what became of the files.
  public var description: String { words(onExisting: "") }

  /// The description, with advice after the name of a file that exists.
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
    case .interrupted(let signal):
      return "stopped by \(Interruption.name(of: signal)); nothing was written"
    }
  }
}
