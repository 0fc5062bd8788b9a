import Foundation
import Testing

/// Runs the commands in README and the walk, and compares their output with the text.
///
/// Every fenced block marked `console` is run, in order, in one copy of the sample game's folder
/// for each document. Lines that begin with `$` are commands, `>` continues one, and the rest is
/// the combined standard output and error. A line `…` matches any number of lines.
/// `BA_PACKAGE_RECORD=1` writes the actual output to the document, except for commands with `…`.
@Suite struct ReadmeTests {
  static let documents = [
    "README.md", "Sources/BAPackCore/BAPackCore.docc/GameDevelopersWalk.md",
  ]

  /// The port of the web server in the walk, which the test replaces with a free one.
  static let shownPort = "8765"

  @Test(
    .enabled(if: isInstalled("python3"), missing("python3")),
    .enabled(if: isInstalled("curl"), missing("curl")), arguments: documents)
  func documentShowsTheActualOutput(_ name: String) throws {
    let document = BuiltTool.sources.appending(path: name)
    let port = try freePort()
    let lines = try String(contentsOf: document, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let scratch = try ScratchFolder()
    _ = try runShell("cp -R \"$FIXTURES/SampleGame/.\" .", in: scratch.url)
    let records = ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil
    var written: [String] = []
    var block: [String]?
    var commands = 0
    for line in lines {
      guard let open = block else {
        written.append(line)
        if line == "```console" { block = [] }
        continue
      }
      guard line == "```" else {
        block = open + [line]
        continue
      }
      for shown in RecordedCase.cases(in: open.joined(separator: "\n")) {
        commands += 1
        let script =
          "exec 2>&1\n"
          + shown.script.joined(separator: "\n")
          .replacingOccurrences(of: Self.shownPort, with: port)
        var outcome = try runShell(script, in: scratch.url)
        outcome.status = 0
        let actual = outcome.recorded(in: scratch.url)
          .map { $0.replacingOccurrences(of: port, with: Self.shownPort) }
        let expected = shown.expected
        let matches = Self.matches(expected[...], actual[...])
        if !records || expected.contains("…") {
          #expect(
            matches,
            "\(name): $ \(shown.script[0]) prints\n\(actual.joined(separator: "\n"))\nand not\n\(expected.joined(separator: "\n"))"
          )
        }
        written += shown.lines(with: expected.contains("…") ? expected : actual)
      }
      written.append(line)
      block = nil
    }
    #expect(block == nil, "\(name): unterminated block")
    #expect(commands > 0, "\(name) shows no command")
    if records { try Data(written.joined(separator: "\n").utf8).write(to: document) }
  }

  /// A port that no program listens on.
  private func freePort() throws -> String {
    let script = """
      import socket
      with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        print(free.getsockname()[1])
      """
    let outcome = try runShell("python3 -c '\(script)'", in: BuiltTool.sources)
    return outcome.output.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The walk quotes the example workflow verbatim.
  @Test func walkQuotesTheWorkflow() throws {
    let walk = try String(
      contentsOf: BuiltTool.sources.appending(path: Self.documents[1]), encoding: .utf8)
    let workflow = try String(
      contentsOf: BuiltTool.fixtures.appending(path: "Workflows/asset-packs.yml"), encoding: .utf8)
    let quotes = walk.components(separatedBy: "```yaml\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
      .filter { $0.contains("- name:") }
    #expect(!quotes.isEmpty)
    for quote in quotes { #expect(workflow.contains(quote)) }
  }

  /// Whether the lines match the expected ones, in which `…` matches any.
  private static func matches(_ shown: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = shown.first else { return actual.isEmpty }
    if first == "…" {
      let rest = shown.dropFirst()
      return (actual.startIndex...actual.endIndex).contains { matches(rest, actual[$0...]) }
    }
    return first == actual.first && matches(shown.dropFirst(), actual.dropFirst())
  }
}
