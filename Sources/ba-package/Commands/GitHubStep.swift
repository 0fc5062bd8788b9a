import BACommandLine
import BAPackCore

/// The results of a step in GitHub Actions: a table on the page of the run, and outputs for later
/// steps.
enum GitHubStep {
  /// The variables with the paths of files for these.
  static let summaryVariable = "GITHUB_STEP_SUMMARY"
  static let outputVariable = "GITHUB_OUTPUT"

  /// The files that are appended to, each once.
  static var files: [BytePath] {
    Set([summaryVariable, outputVariable].compactMap { ProcessContext.environment($0) })
      .filter { !$0.isEmpty }.map { BytePath($0) }
  }

  /// Throws if an output path can't be on a line of a list, before anything is written.
  static func check(_ outputs: [BytePath]) throws {
    for path in outputs
    where path.bytes.contains(UInt8(ascii: "\n"))
      || String(validating: path.bytes, as: UTF8.self) == nil
    {
      throw PackagingError(
        "'\(path)' can't be in an output of GitHub Actions, which has a path on each line, in UTF-8; "
          + "rename it")
    }
  }

  /// Appends the table and the outputs to the files that GitHub Actions, or the caller, has set, if
  /// any.
  static func report(_ results: [PackResult], _ console: Console) throws {
    try append(results.markdown, to: summaryVariable, "no step summary was", console)
    let packs = JSONWriter.text(results.listJSON, .compact)
    let changed = results.filter(\.isNew).map { String(decoding: $0.output.bytes, as: UTF8.self) }
    try append(
      output("packs", [packs]) + output("changed", changed), to: outputVariable, "no outputs were",
      console)
  }

  private static func append(
    _ text: String, to variable: String, _ what: String, _ console: Console
  ) throws {
    guard let path = ProcessContext.environment(variable), !path.isEmpty else {
      console.tell("note: \(variable) is not set: \(what) written")
      return
    }
    try BytePath(path).append(text)
  }

  /// An output with these lines. The delimiter is a digest of them, so no line can equal it.
  private static func output(_ name: String, _ lines: [String]) -> String {
    let text = lines.map { $0 + "\n" }.joined()
    let delimiter = "end-" + hexadecimal(SHA256.digest(of: Array(text.utf8)))
    return "\(name)<<\(delimiter)\n\(text)\(delimiter)\n"
  }
}
