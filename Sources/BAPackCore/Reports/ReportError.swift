/// Why a report could not be created.
package enum ReportError: Error, Sendable {
  /// The packs or manifests could not be listed.
  case input(InputFilesError)
  /// There are errors in manifests.
  case findings([Finding])
  /// A pack can't be read or compared.
  case archive(ArchiveError)
  /// A pack is a pipe, which can be read only once.
  case pipe(BytePath)
  /// The pack of a manifest can't be measured.
  case packaging(BytePath, PackagingError)
  /// A system call failed.
  case system(SystemError)
  /// A file isn't a valid report, with the reason.
  case notAReport(BytePath, String)
}

extension ReportError: CustomStringConvertible {
  /// The error, in one sentence without a final period.
  package var description: String {
    switch self {
    case .input(let error): error.description
    case .findings(let findings): "no report was written: \(findings.summary)"
    case .archive(let error): error.description
    case .pipe(let path):
      "'\(path.shown)' is a pipe, but a report reads a pack more than once"
    case .packaging(let path, let error): "'\(path)': \(error)"
    case .system(let error): error.description
    case .notAReport(let path, let reason):
      "'\(path)' is not a report in JSON: \(reason)"
    }
  }
}
