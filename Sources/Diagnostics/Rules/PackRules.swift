extension Rule.Area {
  package static let packs = Rule.Area("Several packs")
}

extension Rule {
  package static let packRules: [Rule] = [
    .repeatedAssetPackID, .contentsClash, .languageGap, .languageWithoutPack, .noPrimaryLanguage,
    .localizedReach, .tooManyPacks, .fileInNoPack,
  ]

  package static let repeatedAssetPackID = Rule(
    "repeated-asset-pack-id", .error, .packs, "Two manifests with one identifier",
    adjustment: .all,
    reason: """
      An app asks for a pack by its identifier, and App Store Connect treats a second pack with the \
      same identifier as a new version of the first.
      """,
    remedy: "Change one of the two identifiers.",
    example: #""assetPackID": "levels""#)

  package static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs",
    reason: """
      A device merges all packs of an app into one folder. If two packs have different files at one \
      path, it is undefined which one the app reads. Packs of different languages may have different \
      files there, as the app asks for those of one language: `en` and `en-US` are the same language, \
      `en-GB` is another.
      """,
    remedy: "Give one of the files another destination, or exclude it from one pack.")

  package static let languageGap = Rule(
    "language-gap", .warning, .packs, "A language lacks a file that others have",
    reason: """
      Localized packs with a path in common are translations of each other. A player whose language \
      lacks one of the files gets none: the app asks for the file in that language, and finds nothing.
      """,
    remedy: """
      Add the file to a pack of the language, or move a file that needs no translation to a pack \
      without a language.
      """)

  package static let languageWithoutPack = Rule(
    "language-without-pack", .warning, .packs, "A language lacks packs that others have",
    reason: """
      By Apple's documentation, the system chooses one language for all packs of an app: the best of \
      all localized packs for the player. Packs that aren't in that language don't come, so players \
      of a language that only some packs are in get none of the others, not even in the primary \
      language.
      """,
    remedy: """
      Add packs in these languages. Or drop the `language` of a pack that every player may have. Or \
      let the app request one for such players, and turn the rule off.
      """)

  package static let noPrimaryLanguage = Rule(
    "no-primary-language", .warning, .packs, "No localized pack in the primary language",
    reason: """
      If no localized pack of the app matches a player's languages, the system takes the app's primary \
      language, which is set in App Store Connect and which `primaryLanguage` in the project file \
      repeats. Without a pack in that, these players get no localized pack at all.
      """,
    remedy: "Add packs in the primary language, or correct `primaryLanguage`.")

  package static let localizedReach = Rule(
    "localized-reach", .note, .packs, "Older devices don't get localized packs",
    reason: """
      Packs with a `language` need version 27.0 of iOS, iPadOS, macOS, tvOS or visionOS. Earlier \
      systems download only packs without one. When this was written, Apple distributed localized \
      packs by TestFlight only: see App Store Connect Help.
      """,
    remedy: """
      Turn the rule off if the app requires version 27.0. Otherwise, put the files that every player \
      needs into packs without a language.
      """)

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
    remedy: "Add a selector, or let Git ignore what packs don't need: ignored files are left out.")
}
