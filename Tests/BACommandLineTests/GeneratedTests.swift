import BAPackCore
import Foundation
import Testing

/// Checks what is generated from the flag table with the programs that read it. Each test needs a
/// program that may be missing, and is skipped in that case; `make test-tools` installs them.
/// Tables of what manifests may have, as Markdown.
private func referenceOfManifests() -> String {
  func table(
    _ title: String, _ introduction: String, _ term: String, _ rows: [(String, String, String)]
  ) -> String {
    "\n## \(title)\n\n\(introduction)\n\n| \(term) | Apple's tool | Meaning |\n| --- | --- | --- |\n"
      + rows.map { "| `\($0)` | since \($1) | \($2) |\n" }.joined()
  }
  return table(
    "Keys",
    "A manifest is an object in JSON5: comments, trailing commas, keys without quotes and strings in "
      + "single quotes are allowed. The pack contains a copy of it in plain JSON. Unknown keys are "
      + "errors.", "Key",
    ManifestKey.all.map { ($0.name, $0.since, ($0.isRequired ? "Required. " : "") + $0.meaning) }
      + ManifestKey.tolerated.map { ($0.name, $0.since, $0.meaning + " It has no effect.") })
    + table(
      "Download policies", "`downloadPolicy` is an object with one of these keys.", "Policy",
      PolicyForm.all.map { policy in
        let value = policy.hasEvents ? "{ \"installationEventTypes\": […] }" : "{}"
        return ("\"\(policy.kind.rawValue)\": \(value)", "1.0", policy.meaning)
      } + [("installationEventTypes", "1.0", PolicyForm.events)])
    + table(
      "Selectors",
      "Each element of `fileSelectors` is an object of one of these forms. Files keep their path "
        + "unless a destination says otherwise; the app reads them under that path.", "Selector",
      SelectorForm.all.map {
        ($0.example, $0.keys[0].since, $0.keys.map(\.meaning).joined(separator: " "))
      })
    + "\n"
}

@Suite struct GeneratedTests {
  /// A command line up to the cursor, with what all shells must offer there and what they must not.
  struct Query {
    let line: String
    let offers: Set<String>
    var omits: Set<String> = []
  }

  static let queries = [
    Query(line: "ba-package ev", offers: ["evaluate"], omits: ["explain"]),
    Query(
      line: "ba-package ", offers: ["evaluate", "package", "Pack.json", "Textures"]),
    Query(line: "ba-package --gen", offers: ["--generate-completion-script"], omits: ["help"]),
    Query(line: "ba-package --generate-completion-script ", offers: ["bash", "zsh", "fish"]),
    Query(line: "ba-package --dry", offers: ["--dry-run"]),
    Query(line: "ba-package Pack.json --com", offers: ["--compression", "--compression-level"]),
    Query(
      line: "ba-package package --compression ", offers: ["zlib", "store"], omits: ["Pack.json"]),
    Query(line: "ba-package package --compression=s", offers: ["store"], omits: ["zlib"]),
    Query(line: "ba-package package --rule stray-f", offers: ["stray-file"], omits: ["Pack.json"]),
    Query(line: "ba-package package --rule stray-file=o", offers: ["off"], omits: ["error"]),
    Query(line: "ba-package package -o ", offers: ["Pack.aar", "Textures"]),
    Query(line: "ba-package evaluate --root T", offers: ["Textures"]),
    Query(line: "ba-package explain missing-f", offers: ["missing-file"], omits: ["syntax"]),
    Query(
      line: "ba-package help ", offers: ["help", "package"], omits: ["--version", "Pack.aar"]),
    Query(line: "ba-package help --", offers: ["--help", "--version"], omits: ["help"]),
  ]

  @Test(.enabled(if: isInstalled("bash"), missing("bash")))
  func bashCompletes() throws { try complete(in: "bash", flags: "--norc --noprofile") }

  @Test(.enabled(if: isInstalled("zsh"), missing("zsh")))
  func zshCompletes() throws { try complete(in: "zsh", flags: "-f") }

  @Test(.enabled(if: isInstalled("fish"), missing("fish")))
  func fishCompletes() throws { try complete(in: "fish", flags: "") }

  private func complete(in shell: String, flags: String) throws {
    let scratch = try ScratchFolder()
    let lines = Self.queries.map { $0.line + "\n" }.joined()
    try Data(lines.utf8).write(to: scratch.url.appending(path: ".queries"))
    let outcome = try runShell(
      """
      set -e
      mkdir Textures
      touch Pack.json Pack.aar Notes.txt depot.vdf
      ba-package --generate-completion-script \(shell) > .script
      limit=$(command -v timeout || :)
      ${limit:+"$limit" 60} \(shell) \(flags) "$SOURCES/Tests/BACommandLineTests/Support/complete.\(shell)" \
        "$PWD/.script" < .queries
      """, in: scratch.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors.text)")
    var offered: [String: Set<String>] = [:]
    var line = ""
    for text in outcome.output.text.split(separator: "\n") {
      if text.hasPrefix("== ") {
        line = String(text.dropFirst(3))
        offered[line] = []
      } else if !text.isEmpty {
        // Folders may end with a slash, and a value may include its option.
        let word = text.hasSuffix("/") ? text.dropLast() : text
        offered[line]?.insert(String(word.split(separator: "=").last ?? ""))
      }
    }
    for query in Self.queries {
      let words = offered[query.line] ?? []
      #expect(
        words.isSuperset(of: query.offers) && words.isDisjoint(with: query.omits),
        "\(shell) offers \(words.sorted()) after '\(query.line)'")
    }
  }

  @Test(.enabled(if: isInstalled("shellcheck"), missing("shellcheck")))
  func scriptsAreClean() throws {
    let outcome = try runShell(
      """
      cd "$SOURCES"
      ba-package --generate-completion-script bash | shellcheck --shell=bash -
      git ls-files -z ':!*.md' | xargs -0 grep -slIE '^#!/bin/(ba)?sh' | xargs shellcheck
      """, in: BuiltTool.sources)
    #expect(outcome == Outcome(output: Data(), errors: Data(), status: 0), "\(outcome.output.text)")
  }

  @Test(.enabled(if: isInstalled("mandoc"), missing("mandoc")))
  func manualIsClean() throws {
    let outcome = try runShell(
      "ba-package --generate-manual | mandoc -T lint -W warning", in: BuiltTool.sources)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output.text)")
  }

  /// Set `WRITE_REFERENCE=1` to regenerate the tables.
  @Test func guideHasTheReferenceOfManifests() throws {
    let file = BuiltTool.sources.appending(
      path: "Sources/BAPackCore/BAPackCore.docc/Manifests.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (start, end) = ("<!-- reference -->\n", "<!-- end of reference -->")
    let from = try #require(text.range(of: start)?.upperBound)
    let to = try #require(text.range(of: end)?.lowerBound)
    let expected = referenceOfManifests()
    if ProcessInfo.processInfo.environment["WRITE_REFERENCE"] == "1" {
      try Data((text[..<from] + expected + text[to...]).utf8).write(to: file)
    } else {
      #expect(text[from..<to] == expected)
    }
  }

  /// A command that shows the page as plain text, 78 columns wide.
  private static func manual(_ encoding: String) -> String {
    "ba-package --generate-manual | groff -T\(encoding) -man -P-cbou -rLL=78n"
  }

  /// Examples can be copied: every character is the same, whatever the terminal's encoding.
  @Test(.enabled(if: isInstalled("groff"), missing("groff")), arguments: ["ascii", "utf8"])
  func manualHasEveryExampleAsOneCommand(encoding: String) throws {
    let outcome = try runShell(Self.manual(encoding), in: BuiltTool.sources)
    var commands: Set<String> = []
    var command = ""
    for line in outcome.output.text.split(separator: "\n") {
      let text = line.trimmingCharacters(in: .whitespaces)
      if command.isEmpty, !text.hasPrefix("$ ") { continue }
      #expect(line.count <= 78 || !text.contains(" "), "'\(text)' is too wide")
      command += text
      if command.hasSuffix("\\") {
        command.removeLast()
      } else {
        commands.insert(command)
        command = ""
      }
    }
    for (_, row) in FlagTableTests.commands {
      for (line, _) in row.examples {
        #expect(commands.contains("$ " + line), "the page has no '\(line)'")
      }
    }
  }

  @Test(.enabled(if: isInstalled("groff"), missing("groff")))
  func manualHasAllSections() throws {
    let outcome = try runShell(Self.manual("ascii"), in: BuiltTool.sources)
    #expect(outcome.errors.isEmpty, "\(outcome.errors.text)")
    for part in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS"] {
      #expect(outcome.output.text.contains("\n\(part)\n"), "the page has no section '\(part)'")
    }
  }
}
