extension Rule.Area {
  package static let packs = Rule.Area("Several packs")
}

extension Rule {
  package static let packRules: [Rule] = [
    .repeatedAssetPackID, .contentsClash, .tooManyPacks,
  ]

  package static let repeatedAssetPackID = Rule(
    "repeated-asset-pack-id", .error, .packs, "Two manifests with one identifier",
    reason: """
      An app asks for a pack by its identifier, and the store takes a second pack of one name for a \
      new version of the first.
      """,
    remedy: "Give one of the two another identifier.",
    example: """
      "assetPackID": "levels"
      """)

  package static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs",
    reason: """
      A device merges all packs of an app into one folder. When two packs have different files at one \
      path, the app reads either, by chance.
      """,
    remedy: "Give one of the files another destination, or leave it out of one pack.")

  package static let tooManyPacks = Rule(
    "too-many-packs", .warning, .packs, "More packs than the store takes",
    reason: "App Store Connect takes 200 asset packs for an app.",
    remedy: "Merge packs that are always used together, or host them yourself (`--hosting self`).")
}
