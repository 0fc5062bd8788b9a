import Foundation
import Testing

/// Runs the sessions in `Recorded/`, or the one that `BA_PACKAGE_SESSION` names; see `RecordedCase`
/// for their format.
@Suite struct RecordedTests {
  static let folder = BuiltTool.sources.appending(path: "Tests/BACommandLineTests/Recorded")

  static let all: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  static let names: [String] = {
    let only = ProcessInfo.processInfo.environment["BA_PACKAGE_SESSION"]
    return all.filter { $0 == only ?? $0 }
  }()

  static func cases(_ name: String) throws -> [RecordedCase] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return RecordedCase.cases(in: text)
  }

  /// The program or path that a file needs, according to its first line.
  static func need(of name: String) -> String? {
    guard let line = try? cases(name).first?.preamble.first, line.hasPrefix("# needs ") else {
      return nil
    }
    return String(line.dropFirst(8))
  }

  @Test(arguments: names.filter { need(of: $0) == nil })
  func recordedSession(_ name: String) throws { try replay(name) }

  @Test(
    .enabled(if: isInstalled("python3"), missing("python3")),
    arguments: names.filter { need(of: $0) == "python3" })
  func recordedSessionWithPython(_ name: String) throws { try replay(name) }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: names.filter { need(of: $0) == "/dev/full" })
  func recordedSessionWithAFullDevice(_ name: String) throws { try replay(name) }

  @Test(
    .enabled(if: takesAnyName, "names must be UTF-8 here"),
    arguments: names.filter { need(of: $0) == anyName })
  func recordedSessionWithOddNames(_ name: String) throws { try replay(name) }

  private static let anyName = "names that are not UTF-8"

  /// Whether the file system of temporary folders takes such names.
  private static var takesAnyName: Bool {
    guard let scratch = try? ScratchFolder() else { return false }
    return (try? runShell(#": >"$(printf '\377')""#, in: scratch.url))?.status == 0
  }

  @Test func everyNeedIsKnown() {
    #expect(Set(Self.all.compactMap(Self.need)) == ["python3", "/dev/full", Self.anyName])
  }

  private func replay(_ name: String) throws {
    let cases = try Self.cases(name)
    let scratch = try ScratchFolder()
    let records = ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil
    var file: [String] = []
    for recorded in cases {
      let outcome = try runShell(recorded.script.joined(separator: "\n"), in: scratch.url)
      let lines = outcome.recorded(in: scratch.url)
      file += recorded.lines(with: lines)
      if !records {
        let difference = firstDifference(recorded.expected, lines)
        #expect(
          difference == nil,
          "\(name): $ \(recorded.script[0])\n\(difference ?? "")\nactual:\n\(lines.joined(separator: "\n"))"
        )
      }
    }
    #expect(!file.isEmpty, "\(name) contains no case")
    if records {
      try Data((file.joined(separator: "\n") + "\n").utf8)
        .write(to: Self.folder.appending(path: name))
    }
  }

  private func firstDifference(_ expected: [String], _ actual: [String]) -> String? {
    for index in 0..<max(expected.count, actual.count) {
      let left = index < expected.count ? "'\(expected[index])'" : "the end"
      let right = index < actual.count ? "'\(actual[index])'" : "the end"
      if left != right { return "line \(index + 1): recorded \(left), got \(right)" }
    }
    return nil
  }
}
