import Foundation
import Testing

/// Runs the commands that README shows, and holds their output against what it shows.
///
/// Every fenced block marked `console` is run, in order, in one copy of the sample game's folder,
/// where README's reader is at that point. Lines that begin with `$` are commands, `>` continues one,
/// and the rest is what a terminal shows: both outputs together. A line `…` stands for any number of
/// lines. `BA_PACKAGE_RECORD=1` writes what happens into README, and leaves blocks with `…` alone.
@Suite struct ReadmeTests {
  static let readme = BuiltTool.sources.appending(path: "README.md")

  @Test func readmeShowsWhatHappens() throws {
    let lines = try String(contentsOf: Self.readme, encoding: .utf8)
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
        let script = "exec 2>&1\n" + shown.script.joined(separator: "\n")
        var outcome = try runShell(script, in: scratch.url)
        outcome.status = 0
        let actual = outcome.recorded(in: scratch.url)
        // An empty line below the output sets the next command apart.
        let expected = shown.expected
        let matches = Self.matches(expected[...], actual[...])
        if !records || expected.contains("…") {
          #expect(
            matches,
            "README: $ \(shown.script[0]) shows\n\(actual.joined(separator: "\n"))\nand not\n\(expected.joined(separator: "\n"))"
          )
        }
        written += shown.lines(with: expected.contains("…") ? expected : actual)
      }
      written.append(line)
      block = nil
    }
    #expect(block == nil, "README: a block does not end")
    #expect(commands > 0, "README shows no command")
    if records { try Data(written.joined(separator: "\n").utf8).write(to: Self.readme) }
  }

  /// Whether the lines are those shown, where `…` stands for any.
  private static func matches(_ shown: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = shown.first else { return actual.isEmpty }
    if first == "…" {
      let rest = shown.dropFirst()
      return (actual.startIndex...actual.endIndex).contains { matches(rest, actual[$0...]) }
    }
    return first == actual.first && matches(shown.dropFirst(), actual.dropFirst())
  }
}
