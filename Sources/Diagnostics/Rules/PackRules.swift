extension Rule.Area {
  package static let packs = Rule.Area("Several packs")
}

extension Rule {
  package static let packRules: [Rule] = [
    .repeatedAssetPackID, .contentsClash, .tooManyPacks, .fileInNoPack,
  ]

  package static let repeatedAssetPackID = Rule(
    "repeated-asset-pack-id", .error, .packs, "Two manifests with one identifier",
    adjustment: .all,
    reason: """
      An app asks for a pack by its identifier, and App Store Connect treats a second pack with the \
      same identifier as a new version of the first.
      """,
    remedy: "Change one of the two identifiers.",
    example: """
      "assetPackID": "levels"
      """)

  package static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs",
    reason: """
      A device merges all packs of an app into one folder. If two packs have different files at one \
      path, it is undefined which one the app reads.
      """,
    remedy: "Give one of the files another destination, or exclude it from one pack.")

  package static let tooManyPacks = Rule(
    "too-many-packs", .warning, .packs, "More packs than App Store Connect accepts",
    reason: "An app can have at most 200 asset packs in App Store Connect.",
    remedy: "Merge packs that are always used together, or host them yourself.")

  package static let fileInNoPack = Rule(
    "file-in-no-pack", .warning, .packs, "A file that no pack contains",
    reason: """
      None of the manifests that were checked together selects the file, so that no device gets it: \
      either it was forgotten, or the app does not need it.
      """,
    remedy: """
      Add a selector, or let Git ignore what packs don't need: ignored files are left out.
      """)
}
