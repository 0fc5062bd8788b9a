import Foundation
import Testing

/// Runs the commands in README and the pages of the guide, and compares their output with the text.
///
/// Every fenced block marked `console` is run, in order, in one copy of the sample game's folder
/// for each document. Lines that begin with `$` are commands, `>` continues one, and the rest is
/// the combined standard output and error. A line `…` matches any number of lines.
/// `BA_PACKAGE_RECORD=1` writes the actual output to the document, except for commands with `…`.
@Suite struct ReadmeTests {
  static let guide = "Sources/BAPackCore/BAPackCore.docc"

  /// README and the pages of the guide, with their text.
  static let pages: [(name: String, text: String)] = {
    let folder = BuiltTool.sources.appending(path: guide).path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return (["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(guide)/\($0)" })
      .map { name in
        let file = BuiltTool.sources.appending(path: name)
        return (name, (try? String(contentsOf: file, encoding: .utf8)) ?? "")
      }
  }()

  /// README, and those pages that show commands.
  static let documents = pages.filter {
    $0.name == "README.md" || $0.text.contains("\n```console\n")
  }
  .map(\.name)

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
        // What isn't shown could be an error; the status of 'diff' is an answer.
        if shown.expected.contains("…"), !shown.script[0].hasPrefix("ba-package diff "),
          !shown.expected.contains(where: { $0.contains("error") })
        {
          #expect(outcome.status == 0, "\(name): $ \(shown.script[0])")
        }
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

  /// The fenced blocks of a text that are marked with `mark`.
  private static func blocks(of text: String, _ mark: String) -> [String] {
    text.components(separatedBy: "\n```\(mark)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// Steps of workflows are quoted verbatim.
  @Test func stepsAreThoseOfTheWorkflows() throws {
    let folder = BuiltTool.fixtures.appending(path: "Workflows")
    let workflows = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).map { try String(contentsOf: $0, encoding: .utf8) }
    let quotes = Self.pages.flatMap { Self.blocks(of: $0.text, "yaml") }
      .filter { $0.contains("- name:") }
    #expect(!quotes.isEmpty)
    for quote in quotes { #expect(workflows.contains { $0.contains(quote) }, "\(quote)") }
  }

  /// The first pack is made with the same commands in every language.
  @Test func firstPackIsTheSameInEveryLanguage() throws {
    let pages = Self.pages.filter { $0.name.hasPrefix("\(Self.guide)/FirstPack") }
    #expect(pages.count == 9)
    let shown = pages.map { Self.blocks(of: $0.text, "console") }
    let first = try #require(shown.first)
    for (page, blocks) in zip(pages, shown) { #expect(blocks == first, "\(page.name)") }
  }

  /// Links between README, the guide and other files of the repository lead somewhere, and every
  /// page is in README, in the guide's index and in the list of the library.
  @Test func linksLeadSomewhere() throws {
    let names = Set(Self.pages.map { $0.name.split(separator: "/").last?.dropLast(3) ?? "" })
    for (name, text) in Self.pages {
      let folder = BuiltTool.sources.appending(path: name).deletingLastPathComponent()
      let links =
        text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/).map(\.1)
        + text.matches(of: /(src|srcset)="([^"]+)"/).map(\.2)
      for link in links {
        let target = folder.appending(path: String(link)).path(percentEncoded: false)
        #expect(FileManager.default.fileExists(atPath: target), "\(name): \(link)")
      }
      for link in text.matches(of: /<doc:([^>]+)>/) {
        #expect(names.contains(link.1), "\(name): \(link.1)")
      }
    }
    let lists = [
      ("README.md", "](\(Self.guide)/", ".md)"), ("\(Self.guide)/README.md", "](", ".md)"),
      ("\(Self.guide)/BAPackCore.md", "<doc:", ">"),
    ]
    for (list, before, after) in lists {
      let text = try #require(Self.pages.first { $0.name == list }).text
      for name in names where name != "README" && name != "BAPackCore" {
        #expect(text.contains(before + name + after), "\(list) does not list \(name)")
      }
    }
  }

  /// The table "To add …" names files and folders that exist. `NAME` and `…` stand for any letters,
  /// and a file without a folder is in one of those of its row. What its last column searches for is
  /// in as many source files as it says, all of which the row names.
  @Test func contributingNamesAllFiles() throws {
    let text = try String(
      contentsOf: BuiltTool.sources.appending(path: ".github/CONTRIBUTING.md"), encoding: .utf8)
    let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("To add …") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| a") }
    #expect(rows.count >= 7)
    for row in rows {
      let columns = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .map { column in column.matches(of: /`([^`]+)`/).map { String($0.1) } }
      let names = columns[1]
        .filter { $0.contains("/") || $0.hasSuffix(".swift") || $0 == "Makefile" }
      #expect(names.count > 1, "\(row)")
      let folders = names.filter { $0.contains("/") }
        .map { $0.contains(".") ? String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) : $0 }
      let places = names.map { name in
        name.contains("/") ? [name] : [name] + folders.map { "\($0)/\(name)" }
      }
      for (name, places) in zip(names, places) {
        #expect(places.contains(where: Self.isThere), "\(name) in: \(row)")
      }
      let found = try Self.sources.filter { path in
        let text = try String(
          contentsOf: BuiltTool.sources.appending(path: path), encoding: .utf8)
        return columns[2].contains(where: text.contains)
      }
      #expect(row.contains("| \(found.isEmpty ? "" : "\(found.count): `")"), "\(found) in: \(row)")
      for path in found {
        #expect(
          places.joined().contains { Self.fits(path, $0) }, "\(path) is not in: \(row)")
      }
    }
  }

  /// The walks go through functions that exist: each in a file with the type.
  @Test func walksAreThere() throws {
    let text = try String(
      contentsOf: BuiltTool.sources.appending(path: ".github/CONTRIBUTING.md"), encoding: .utf8)
    let walks = try #require(text.split(separator: "\nTwo walks").last)
      .prefix { $0 != "#" }
    let sources = try Self.sources.map {
      try String(contentsOf: BuiltTool.sources.appending(path: $0), encoding: .utf8)
    }
    let calls = walks.matches(of: /`(\w+)\.(\w+)`/).map { (String($0.1), String($0.2)) }
    #expect(calls.count > 20)
    for (type, function) in calls {
      let declaration = try Regex("\\b(struct|class|extension) \(type)\\b")
      let body = try Regex("\\bfunc \(function)[(<]")
      #expect(
        sources.contains { $0.contains(declaration) && $0.contains(body) }, "\(type).\(function)")
    }
  }

  private static var sources: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(
        atPath: BuiltTool.sources.appending(path: "Sources").path(percentEncoded: false)
      ).filter { $0.hasSuffix(".swift") }.map { "Sources/" + $0 }
    }
  }

  /// Whether there is a file or folder at `pattern`, below the top of the repository.
  private static func isThere(_ pattern: String) -> Bool {
    let parts = pattern.split(separator: "/").map(String.init)
    guard let last = parts.last else { return false }
    let folder = BuiltTool.sources.appending(path: parts.dropLast().joined(separator: "/"))
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return names?.contains { fits($0, last) } ?? false
  }

  private static func fits(_ path: String, _ pattern: String) -> Bool {
    let ends = pattern.replacing("NAME", with: "…").split(
      separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
    return ends.count == 1
      ? path == pattern : path.hasPrefix(ends[0]) && path.hasSuffix(ends[1])
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
