import BAPackCore
import Foundation
import TestSupport
import Testing

/// Rules that no manifest among the fixtures can show, and the test that shows them.
private let shownElsewhere: Set<Rule> = [
  .manifestTooLarge,  // sizeHasALimit, nestingHasALimit: a text of 16 MiB
  .unreadableFile,  // depends on who runs the tests: root reads everything
  .repeatedFolder,  // linksThatDoubleAtEachStepAreGivenUp: a pattern for all would meet them too
  .packTooLarge,  // theStoreTakesTwoHundredGigabytes
  .tooManyPacks,  // theStoreTakesTwoHundredPacks
]

@Test func everyRuleOfManifestsHasAFixture() throws {
  var shown: Set<String> = []
  let packs = try Fixtures.names(in: "manifests/packs").map { "packs/" + $0 }
  for folder in ["valid", "invalid"] + packs {
    for fixture in try MarkedFixture.all(in: "manifests/" + folder, ending: "json") {
      shown.formUnion(fixture.rules)
    }
  }
  let areas: [RuleDocumentation.Area] = [.text, .keys, .selectors, .files, .store, .packs]
  for rule in Rule.allCases where areas.contains(rule.documentation.area) {
    #expect(shown.contains(rule.rawValue) != shownElsewhere.contains(rule), "\(rule.rawValue)")
  }
}

@Test func rulesAreDocumented() {
  for rule in Rule.allCases {
    let text = rule.documentation
    #expect(rule.rawValue.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
    #expect(!text.title.hasSuffix(".") && !text.title.contains("\n"), "\(rule.rawValue)")
    #expect(text.reason.hasSuffix(".") || text.reason.hasSuffix(")"), "\(rule.rawValue)")
    #expect(!text.remedy.isEmpty, "\(rule.rawValue)")
  }
  let titles = Rule.allCases.map(\.documentation.title)
  #expect(Set(titles).count == titles.count)
}

/// The rules as the catalogue of the documentation has them.
private func rulesPage() -> String {
  var page = """
    # Rules

    What manifests, packs and scripts are held against.

    ## Overview

    Each finding ends with the id of its rule in brackets; `ba-package explain` shows this text for
    one of them. Errors keep a pack from being made; `--strict` makes errors of warnings. This page
    is made from the table in `RuleDocumentation`.

    """
  for area in RuleDocumentation.Area.allCases {
    page += "\n## \(area.rawValue)\n"
    for rule in Rule.allCases where rule.documentation.area == area {
      let text = rule.documentation
      page += "\n### \(rule.rawValue)\n\n**\(text.title)** (\(text.severity.rawValue)).\n"
      page += "\n\(text.reason)\n\n\(text.remedy)\n"
      if !text.example.isEmpty { page += "\n```\n\(text.example)\n```\n" }
    }
  }
  return page
}

/// Run with `WRITE_RULES_PAGE=1` to write the page anew.
@Test func rulesPageIsMadeFromTheTable() throws {
  let file = Fixtures.root.deletingLastPathComponent()
    .appendingPathComponent("Sources/BAPackCore/BAPackCore.docc/Rules.md")
  if ProcessInfo.processInfo.environment["WRITE_RULES_PAGE"] == "1" {
    try Data(rulesPage().utf8).write(to: file)
  }
  #expect(try String(contentsOf: file, encoding: .utf8) == rulesPage())
}
