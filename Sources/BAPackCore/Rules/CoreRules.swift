extension Rule {
  /// The rules of manifests, packs and download manifests, area by area.
  package static let core =
    textRules + keyRules + selectorRules + fileRules + contentRules + storeRules + packRules
    + releaseRules + projectRules + downloadRules
}
