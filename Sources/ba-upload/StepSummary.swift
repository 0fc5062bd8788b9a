import AppStoreConnect
import BAPackCore
import CommandLine

/// The table that GitHub Actions shows on the page of a run.
enum StepSummary {
  /// Appends the results to the file that `GITHUB_STEP_SUMMARY` names, if it is set.
  static func append(_ results: [UploadResult], app: String) throws(CommandError) {
    guard let path = ProcessContext.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else {
      return
    }
    var text = "### Asset packs of app \(app)\n\n"
    text += "| Asset pack | Version | Size | Result |\n| --- | --- | ---: | --- |\n"
    for result in results {
      let version = result.version?.number ?? ""
      let size = byteCount(result.pack.size)
      text += "| \(result.pack.identifier) | \(version) | \(size) | \(result.outcomeName) |\n"
    }
    for result in results {
      for remark in result.remarks {
        text += "\n- \(result.pack.identifier): \(escaped(remark.line))"
      }
    }
    try CommandError.wrapping(
      SystemError.self, BytePath(path).append(Array((text + "\n").utf8)))
  }

  /// Text without what Markdown would make of it.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\`*_{}[]<>#|!".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
