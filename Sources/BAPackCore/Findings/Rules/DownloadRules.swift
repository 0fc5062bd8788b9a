extension Rule.Area {
  package static let downloads = Rule.Area("Download manifests")
}

extension Rule {
  package static let downloadRules: [Rule] = [
    .downloadManifest, .downloadRecords, .downloadURL, .downloadVersion, .duplicatePack,
    .packPlatform, .downloadLanguage,
  ]

  package static let downloadManifest = Rule(
    "download-manifest", .error, .downloads, "This is no download manifest",
    reason: """
      A download manifest is an object with a list `assetPacks` of objects, each with an `id` of its \
      own and a `version`. What can't be read so can't be updated without losing something.
      """,
    remedy:
      "Mend the file where the caret stands, or make a new one with `download-manifest create`.",
    example: """
      { "assetPacks": [ { "id": "Tutorial", "version": "2" } ] }
      """)

  package static let downloadRecords = Rule(
    "download-records", .error, .downloads, "This is no record of packs' contents",
    reason: """
      The file `NAME.digests.json` beside a download manifest holds the digest of each pack's \
      contents, so that an update raises only the versions of packs that changed.
      """,
    remedy: """
      Restore the file from version control. Without the file, an update raises the version of every \
      pack that it is given.
      """)

  package static let downloadURL = Rule(
    "download-url", .error, .downloads, "The pack can't be served at this address",
    reason: """
      A pack's address is the base URL, a slash and the identifier. An empty identifier, `.` or `..` \
      leads elsewhere, and one with a slash or a control character names no file that \
      `--print-uploads` could list. Devices refuse addresses that are not `https` unless the app \
      makes an exception; that alone is a warning.
      """,
    remedy: "Choose another identifier, or serve the packs through `https`.")

  package static let downloadVersion = Rule(
    "download-version", .error, .downloads, "The version must not be this one",
    reason: """
      Devices load a pack again when its version is higher than the one they have. A lower version \
      never reaches them. Other contents under the same version don't either, which is a warning, as is \
      a version of whose contents nothing is recorded.
      """,
    remedy: "Give a higher version, or let `download-manifest update` choose it.")

  package static let duplicatePack = Rule(
    "duplicate-pack", .error, .downloads, "Two packs have one identifier",
    reason:
      "Apps ask for packs by identifier, so that a download manifest can list each only once.",
    remedy: "Leave one of the packs out, or package one of them with another identifier.")

  package static let packPlatform = Rule(
    "pack-platform", .error, .downloads, "The pack is not made for this platform",
    reason: """
      Every device that reads the download manifest takes its packs, so that each pack must be for \
      all of the manifest's platforms. The platforms of a pack stand in the manifest in it.
      """,
    remedy: """
      Leave the pack out, add the platform to its manifest and package it again, or make a download \
      manifest for each platform.
      """)

  package static let downloadLanguage = Rule(
    "download-language", .warning, .downloads, "The list does not say the pack's language",
    reason: """
      Apple has not published how a download manifest states the language of a localized pack, so that \
      none is written. A `language` that is already in the list is kept.
      """,
    remedy: """
      Let the app ask for the pack by its identifier. If Apple's tool writes the language for you, add \
      its key and value to the entry by hand; updates keep them.
      """)
}
