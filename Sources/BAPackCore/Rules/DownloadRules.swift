extension Rule {
  package static let downloadManifest = Rule(
    "download-manifest", .error, .downloads, "Not a download manifest",
    adjustment: .warnings,
    reason: """
      A download manifest is an object with a list `assetPacks` of objects, each with a unique `id` \
      and a `version`. A file of another form can't be updated without losing data.
      """,
    remedy:
      "Fix the file at the caret, or make a new one with `download-manifest create`.",
    example: #"{ "assetPacks": [ { "id": "Tutorial", "version": "2" } ] }"#)

  package static let downloadRecords = Rule(
    "download-records", .error, .downloads, "No valid record of packs' contents",
    reason: """
      The file `NAME.digests.json` next to a download manifest contains the digest of each pack's \
      contents, so that an update raises the versions of changed packs only.
      """,
    remedy: """
      Restore the file from version control. Without it, an update raises the version of every pack.
      """)

  package static let downloadURL = Rule(
    "download-url", .error, .downloads, "The pack can't be served at this URL",
    adjustment: .warnings,
    reason: """
      A pack's URL is the base URL, a slash and the identifier. An empty identifier, `.` or `..` \
      gives another URL, and one with a slash or a control character can't be the name of a file to \
      upload. A URL that is not `https`, which devices reject unless the app makes an exception, is a \
      warning.
      """,
    remedy: "Choose another identifier, or serve the packs over `https`.")

  package static let downloadVersion = Rule(
    "download-version", .error, .downloads, "A version that devices would ignore",
    adjustment: .warnings,
    reason: """
      Devices download a pack again only when its version is higher than theirs. They ignore a lower \
      version. They also ignore changed contents with the same version, which is a warning, as is a \
      version without a record of its contents.
      """,
    remedy: "Use a higher version, or let `download-manifest update` choose it.")

  package static let duplicatePack = Rule(
    "duplicate-pack", .error, .downloads, "Two packs with one identifier in a download manifest",
    reason:
      "Apps ask for packs by identifier, so a download manifest can list each only once.",
    remedy: "Remove one of the packs, or package it with another identifier.")

  package static let packPlatform = Rule(
    "pack-platform", .error, .downloads, "The pack is not for this platform",
    reason: """
      Every device that reads the download manifest uses its packs, so each pack must be for all of \
      its platforms. The platforms of a pack are in its embedded manifest.
      """,
    remedy: """
      Remove the pack, add the platform to its manifest and package it again, or make one download \
      manifest per platform.
      """)

  package static let downloadLanguage = Rule(
    "download-language", .warning, .downloads, "The list does not state the pack's language",
    reason: """
      Apple has not published how a download manifest states the language of a localized pack, so none \
      is written. A `language` that is already in the list is kept.
      """,
    remedy: """
      Let the app ask for the pack by its identifier. If Apple's tool writes the language for you, add \
      its key and value to the entry by hand; updates keep them.
      """)
}
