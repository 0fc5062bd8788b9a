import AppStoreConnect
import BAPackCore
import CommandLine

/// The table that GitHub Actions shows on the page of a run.
enum StepSummary {
  /// The file that the table is appended to, if any.
  static var file: BytePath? {
    ProcessContext.environment("GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : BytePath($0) }
  }

  /// Appends the results to the file in `GITHUB_STEP_SUMMARY`, if it is set.
  static func append(_ results: [UploadResult], app: String) throws(CommandError) {
    guard let file else { return }
    var text = "### Asset packs of app \(Markdown.plain(app))\n\n"
    text += Markdown.table(
      ["Asset pack", "Result"], numbers: ["Version", "Size"],
      results.map { result in
        [
          Markdown.plain(result.pack.identifier), result.outcomeName,
          result.version?.number ?? "", byteCount(result.pack.size),
        ]
      })
    for result in results {
      for remark in result.remarks {
        text += "\n- \(Markdown.plain(result.pack.identifier)): \(Markdown.plain(remark.line))"
      }
    }
    try CommandError.wrapping(SystemError.self, file.append(text + "\n"))
  }
}
