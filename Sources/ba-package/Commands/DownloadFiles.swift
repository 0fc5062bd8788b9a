import BAPackCore

/// A download manifest and its records, as bytes; nil where there are none.
struct DownloadFiles {
  var manifest: [UInt8]?
  var records: [UInt8]?
}

extension DownloadFiles {
  /// The manifest at `path` and the records beside it, as far as they exist.
  init(at path: FilePath) throws(CommandError) {
    manifest = try Self.contents(path)
    records = try Self.contents(ContentsRecords.path(beside: path))
  }

  /// The records; empty where there is no file, nil where it is none, which `findings` then explain.
  func contentsRecords(beside path: FilePath, _ findings: inout [Finding]) -> ContentsRecords? {
    guard let records else { return ContentsRecords() }
    return ContentsRecords(
      document(records, ContentsRecords.path(beside: path)), findings: &findings)
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
func document(_ bytes: [UInt8], _ path: FilePath) -> JSONDocument {
  JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
}
