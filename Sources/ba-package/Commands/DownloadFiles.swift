import BAPackCore
import CommandLine

/// The bytes of a download manifest and of its records; nil if there are none.
struct DownloadFiles {
  var manifest: [UInt8]?
  var records: [UInt8]?
}

extension DownloadFiles {
  /// Reads the manifest at `path` and the records next to it, if they exist.
  init(at path: FilePath) throws(CommandError) {
    manifest = try Self.contents(path)
    records = try Self.contents(ContentsRecords.path(beside: path))
  }

  /// The versions in these files, which were read from `path` and next to it; nil if they are invalid,
  /// with the reason in `findings`. A file that is only replaced may be anything, but one that looks
  /// like a download manifest must be valid, because its versions must not decrease.
  func history(
    of path: FilePath, isReplaced: Bool, _ findings: inout [Finding]
  ) -> DownloadHistory? {
    var listed: DownloadManifest? = DownloadManifest()
    if let manifest {
      let document = document(manifest, path)
      if !isReplaced || !document.isWhole || document.root?["assetPacks"] != nil {
        listed = DownloadManifest(document, findings: &findings)
      }
      if !isReplaced, document.isWhole, !document.isStrict {
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
        document(records, ContentsRecords.path(beside: path)), findings: &findings)
    }
    guard let listed, let recorded else { return nil }
    return DownloadHistory(listed, recorded)
  }

  private static func contents(_ path: FilePath) throws(CommandError) -> [UInt8]? {
    do throws(FileContentsError) {
      return try path.contents(limit: JSONDocument.maximumSize)
    } catch {
      if case .system(let error) = error, error.code == .noSuchFile { return nil }
      throw .failure("\(error)")
    }
  }
}

/// The JSON in `bytes`, which were read from `path`.
private func document(_ bytes: [UInt8], _ path: FilePath) -> JSONDocument {
  JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
}
