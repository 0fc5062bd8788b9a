import BACommandLine
import Foundation
import Testing
import ba_package

/// Checks that the recorded sessions cover the flag table.
@Suite struct FlagTableTests {
  /// Every command of the table with the words that select it.
  static let commands: [(path: [String], row: CommandRow)] = all(below: tool, [])

  private static func all(
    below row: CommandRow, _ path: [String]
  ) -> [(path: [String], row: CommandRow)] {
    [(path, row)] + row.subcommands.flatMap { all(below: $0, path + [$0.name]) }
  }

  /// The words after `ba-package` in every recorded command line, split at spaces and pipes.
  static let lines: [(text: String, words: [String])] = {
    var lines: [(String, [String])] = []
    for name in RecordedTests.names {
      for recorded in (try? RecordedTests.cases(name)) ?? [] {
        for text in recorded.script {
          for part in text.split(whereSeparator: { "|;&".contains($0) }) {
            let words = part.split(separator: " ").map {
              $0.trimmingCharacters(in: ["'", "\"", "(", ")"])
            }
            guard let start = words.firstIndex(of: tool.name) else { continue }
            lines.append((text, Array(words[(start + 1)...].prefix { $0 != "#" })))
          }
        }
      }
    }
    return lines
  }()

  /// Whether a recorded line uses the option of the command with that path.
  private static func uses(_ option: Option, of path: [String]) -> Bool {
    lines.contains { line in
      guard command(of: line.words) == path else { return false }
      return line.words.prefix { $0 != "--" }.contains { word in
        if word.hasPrefix("--") {
          return word == "--" + option.long || word.hasPrefix("--\(option.long)=")
        }
        return word.hasPrefix("-") && (option.short.map { word.contains($0) } ?? false)
      }
    }
  }

  private static func command(of words: [String]) -> [String] {
    var row = tool
    var path: [String] = []
    for word in words {
      guard let next = row.subcommands.first(where: { $0.name == word }) else { break }
      row = next
      path.append(word)
    }
    if let defaultCommand = row.defaultSubcommand, let first = words.dropFirst(path.count).first,
      !row.options.contains(where: { first.hasPrefix("--" + $0.long) })
    {
      path.append(defaultCommand)
    }
    return path
  }

  @Test func everyCommandAndOptionHasARecordedCase() {
    for (path, row) in Self.commands {
      let name = ([tool.name] + path).joined(separator: " ")
      #expect(
        path.isEmpty || Self.lines.contains { Self.command(of: $0.words) == path },
        "no recorded case runs '\(name)'")
      for option in row.options {
        #expect(
          Self.uses(option, of: path), "no recorded case uses '--\(option.long)' of '\(name)'")
      }
      #expect(
        Self.lines.contains {
          ["help"] + path == $0.words || path + ["--help"] == $0.words || path + ["-h"] == $0.words
        }, "no recorded case shows the help of '\(name)'")
    }
  }

  @Test func everyExampleIsARecordedCase() {
    for (_, row) in Self.commands {
      for (line, _) in row.examples {
        #expect(
          Self.lines.contains { $0.text == line || $0.text.hasPrefix(line + " |") },
          "no recorded case runs the example '\(line)'")
      }
    }
  }

  /// '-' is a standard stream where the table says so, and refused everywhere else.
  @Test func aDashNamesNoFile() throws {
    var streams: [String] = []
    for (path, row) in Self.commands {
      for option in row.options {
        guard case .file = option.value?.kind else { continue }
        let name = (path + ["--" + option.long]).joined(separator: " ")
        let words = (path + ["--" + option.long, "-"]).map { Array($0.utf8) }
        do {
          _ = try parse(words, with: tool)
          streams.append(name)
        } catch let error as UsageError {
          let text = errorText(error, width: 80)
          if text.contains("invalid value '-'") {
            #expect(text.contains("'--\(option.long)") && text.contains("/dev/stdin"), "\(name)")
          } else {
            streams.append(name)
          }
        }
      }
    }
    #expect(
      streams.sorted() == [
        "convert --output-path", "package --output-path", "report --output-path",
        "template --output-path",
      ])
  }

  @Test func namesAreUniqueAndTextsAreSentences() {
    for (path, row) in Self.commands {
      let name = ([tool.name] + path).joined(separator: " ")
      let longs = row.options.map(\.long) + ["help", "version"]
      #expect(Set(longs).count == longs.count, "\(name): duplicate long name")
      let shorts = row.options.compactMap(\.short) + ["h"]
      #expect(Set(shorts).count == shorts.count, "\(name): duplicate short name")
      #expect(row.arguments.count(where: \.isRepeating) <= 1, "\(name): two arguments repeat")
      let texts =
        [row.overview] + row.options.map(\.help) + row.arguments.map(\.help)
        + row.examples.map(\.value) + row.exitStatus.map(\.meaning)
      for text in texts {
        #expect(text.hasSuffix("."), "\(name): not a sentence: '\(text)'")
        #expect(text.utf8.allSatisfy { $0 < 128 }, "\(name): not ASCII: '\(text)'")
      }
      for option in row.options {
        if case .choice(let words) = option.value?.kind, let value = option.value?.defaultValue {
          #expect(words.contains(value), "\(name): the default of --\(option.long) is invalid")
        }
      }
    }
  }
}
