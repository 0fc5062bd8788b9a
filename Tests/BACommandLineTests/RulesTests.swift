import BAImporters
import BAPackCore
import Foundation
import Testing
import ba_package

private let sources = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Sources")

@Test func rulesAreDocumented() {
  for rule in Rule.all {
    #expect(rule.id.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
    #expect(!rule.title.hasSuffix(".") && !rule.title.contains("\n"), "\(rule.id)")
    #expect(rule.reason.hasSuffix(".") || rule.reason.hasSuffix(")"), "\(rule.id)")
    #expect(!rule.remedy.isEmpty, "\(rule.id)")
  }
}

/// The program adds what its commands and options can do.
@Test func textsOfTheLibraryNameNoCommandAndNoOption() {
  let texts =
    Rule.all.map { "\($0.title) \($0.reason) \($0.remedy)" }
    + DamageReason.allCases.flatMap(\.explanation)
  for text in texts {
    #expect(text.firstMatch(of: /ba-package [a-z]|`--[a-z]|'--[a-z]/) == nil, "\(text)")
  }
}

@Test func idsAndTitlesOfRulesAreUnique() {
  #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
  #expect(Set(Rule.all.map(\.title)).count == Rule.all.count)
}

@Test func readmeCountsTheRulesOfValidate() throws {
  let readme = try String(
    contentsOf: sources.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
  #expect(readme.contains("against \(Rule.core.count { $0.area != .downloads }) rules."))
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
  #expect(declared.sorted() == Rule.all.map(\.id).sorted())
}

/// The rules as a page of the documentation.
private func rulesPage() -> String {
  var page = """
    # Rules

    What manifests, download manifests and scripts are checked against.

    ## Overview

    Each finding ends with the id of its rule in brackets; `ba-package explain` shows the same text.
    After an error nothing is written; `--strict` treats warnings as errors. This page is generated.

    """
  for area in Explain.areas {
    page += "\n## \(area.title)\n"
    for rule in Rule.all where rule.area == area {
      page += "\n### \(rule.id)\n\n**\(rule.title)** (\(rule.severity.rawValue)).\n"
      page += "\n\(rule.reason)\n\n\(rule.remedy)\n"
      if !rule.example.isEmpty { page += "\n```\n\(rule.example)\n```\n" }
    }
  }
  return page
}

/// Set `WRITE_RULES_PAGE=1` to regenerate the page.
@Test func rulesPageIsGenerated() throws {
  let file = sources.appending(path: "BAPackCore/BAPackCore.docc/Rules.md")
  if ProcessInfo.processInfo.environment["WRITE_RULES_PAGE"] == "1" {
    try Data(rulesPage().utf8).write(to: file)
  }
  #expect(try String(contentsOf: file, encoding: .utf8) == rulesPage())
}
