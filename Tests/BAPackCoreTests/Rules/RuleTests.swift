import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Rules that no fixture's manifest can violate, and the test that covers them.
private let shownElsewhere: Set<Rule> = [
  .manifestTooLarge,  // sizeHasALimit, nestingHasALimit: a text of 16 MiB
  .unreadableFile,  // depends on who runs the tests: root reads everything
  .outputSelected,  // theOutputCanNotBeSelected: fixtures are not packaged
  .repeatedFolder,  // exponentialLinksAreAnError: a pattern for all files would follow them, too
  .packTooLarge,  // theStoreAcceptsTwoHundredGigabytes
  .tooManyEntries,  // test_more_entries_than_readers_accept: a quarter of a million files
  .tooManyPacks,  // theStoreAcceptsTwoHundredPacks
  .fileInNoPack,  // coverageAsFindings: a question about folders
  .duplicateFiles,  // copiesAreFoundInAndAcrossPacks
  .untrackedFile,  // filesThatGitDoesNotTrackAreFound: fixtures are in no repository
  // The session checkout.txt: with Git.
  .convertedLineEndings, .lostExecuteBit,
  .sizeBudget,  // packsAboveTheirBudgetAreFound: a pack of 200 MB
  // The sessions languages.txt and one-language.txt: several packs.
  .languageGap, .languageWithoutPack, .noPrimaryLanguage, .localizedReach,
  // The session releases.txt: with the report of a release.
  .pathRemoved, .packRemoved, .pathMoved, .pathRenamed, .policyChanged, .platformDropped,
  .languageChanged,
  .versionInID,
]

@Test func everyRuleOfManifestsHasAFixture() throws {
  var shown: Set<String> = []
  let packs = try Fixtures.names(in: "manifests/packs").map { "packs/" + $0 }
  for folder in ["valid", "invalid"] + packs {
    for fixture in try MarkedFixture.all(in: "manifests/" + folder, ending: "json") {
      shown.formUnion(fixture.rules)
    }
  }
  for folder in ["valid", "invalid"] {
    for fixture in try MarkedFixture.all(in: "projects/" + folder, ending: "json") {
      shown.formUnion(fixture.rules)
    }
  }
  for rule in Rule.all where rule.area != .downloads {
    #expect(shown.contains(rule.id) != shownElsewhere.contains(rule), "\(rule.id)")
  }
}
