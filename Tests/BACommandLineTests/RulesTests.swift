import BAImporters
import BAPackCore
import Foundation
import Testing
import ba_package

private let sources = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Sources")

@Test func rulesAreDocumented() {
  for rule in Rule.known {
    #expect(rule.id.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
    #expect(!rule.title.hasSuffix(".") && !rule.title.contains("\n"), "\(rule.id)")
    #expect(rule.reason.hasSuffix(".") || rule.reason.hasSuffix(")"), "\(rule.id)")
    #expect(!rule.remedy.isEmpty, "\(rule.id)")
  }
}

/// The program adds what its commands and options can do.
@Test func textsOfTheLibraryNameNoCommandAndNoOption() {
  let texts =
    Rule.known.map { "\($0.title) \($0.reason) \($0.remedy)" }
    + DamageReason.allCases.flatMap(\.explanation)
  for text in texts {
    #expect(text.firstMatch(of: /ba-package [a-z]|`--[a-z]|'--[a-z]/) == nil, "\(text)")
  }
}

@Test func idsAndTitlesOfRulesAreUnique() {
  #expect(Set(Rule.known.map(\.id)).count == Rule.known.count)
  #expect(Set(Rule.known.map(\.title)).count == Rule.known.count)
}

@Test func readmeCountsTheRulesOfValidate() throws {
  let readme = try String(
    contentsOf: sources.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
  #expect(readme.contains("against \(Rule.all.count { $0.area != .downloads }) rules."))
}

/// A rule that is missing from the list of its area would be neither explained nor documented.
@Test func everyDeclaredRuleIsListed() throws {
  let files = try #require(
    FileManager.default.enumerator(at: sources, includingPropertiesForKeys: []))
  var declared: [String] = []
  for case let file as URL in files where file.lastPathComponent.hasSuffix(".swift") {
    let text = try String(contentsOf: file, encoding: .utf8)
    declared += text.matches(of: /= Rule\(\s*"([^"]+)"/).map { String($0.1) }
  }
  #expect(declared.sorted() == Rule.known.map(\.id).sorted())
}

/// The page has each rule once, in the order of the areas, and nothing else.
@Test func pageOfRulesHasEachRule() {
  var expected: [String] = ["# Rules", "## Overview"]
  for area in Explain.areas {
    expected.append("## \(area.title)")
    for rule in Rule.known where rule.area == area {
      expected += ["### \(rule.id)", "**\(rule.title)** (\(rule.severity.rawValue))."]
    }
  }
  let lines = Rule.page.split(separator: "\n").map(String.init)
  #expect(lines.filter { $0.contains(/^(#+ |\*\*)/) } == expected)
  #expect(lines.count { $0 == "```" } == 2 * Rule.known.count { !$0.example.isEmpty })
}

/// Names in the page are those that this version knows.
@Test func pageOfRulesHasAllNames() {
  #expect(Rule.unknownValue.reason.contains(Platform.list))
  #expect(Rule.unknownValue.reason.contains(InstallationEventType.list))
  #expect(
    Rule.machOExecutable.reason.contains(
      Platform.withCode.map(\.rawValue).joined(separator: ", ")
        .replacing(/, (\w+)$/) { " and \($0.1)" }))
}
