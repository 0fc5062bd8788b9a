extension Rule.Area {
  package static let releases = Rule.Area("Since a release")
}

extension Rule {
  package static let releaseRules: [Rule] = [
    .pathRemoved, .packRemoved, .pathMoved, .pathRenamed, .policyChanged, .platformDropped,
    .languageChanged, .versionInID,
  ]

  package static let pathRemoved = Rule(
    "path-removed", .error, .releases, "A released file is in no pack",
    adjustment: .all,
    reason: """
      A new version of a pack replaces the old one for all versions of the app, so a build that \
      people still have may read a path that is no longer there. A file in another pack counts only \
      if that pack is for the same platforms and for the same language or for all languages. Paths \
      are case-sensitive on devices.
      """,
    remedy: """
      Keep the file until no build reads it. If every build still in use can do without it, turn the \
      rule off for this release, or compare with a later one.
      """)

  package static let packRemoved = Rule(
    "pack-removed", .error, .releases, "A released pack has no manifest",
    adjustment: .all,
    reason: """
      Builds that people have ask for the pack by its identifier. A pack that is no longer offered \
      is removed from devices, and the identifier of an archived one can never be used again.
      """,
    remedy: """
      Keep the manifest, if need be with fewer files. An identifier can't be changed: a pack with \
      another one is another pack.
      """,
    example: #""assetPackID": "levels-renamed""#)

  package static let pathMoved = Rule(
    "path-moved", .warning, .releases, "A released file is in another pack",
    reason: """
      Builds that name the old pack, to download it or to wait for it, don't get the file with it. \
      Builds that find the file because its new pack is on the device anyway are not affected.
      """,
    remedy: """
      Leave the file in its pack, or select it in both: a device merges all packs, and equal files \
      don't clash.
      """)

  package static let pathRenamed = Rule(
    "path-renamed", .warning, .releases, "A released file has another hash in its name",
    reason: """
      Builds that read the file by a catalog in a pack, or by one that they download, find it by its \
      new name. Builds with the old catalog inside the app don't. The hash is 32 hexadecimal digits at \
      the end of the name, after `_` or `-`: engines add it to names of bundles.
      """,
    remedy: """
      Ship the catalog in a pack, beside the files that it names, and turn the rule off. Or let the \
      engine leave out the hash: each pack has its own versions.
      """,
    example: "ui_0123456789abcdef0123456789abcdef.bundle")

  package static let policyChanged = Rule(
    "policy-changed", .warning, .releases, "A pack that came by itself is now on demand",
    reason: """
      Builds that were made when the pack was `essential` or `prefetch` don't ask for it, so it \
      never reaches a device that installs such a build now.
      """,
    remedy: "Keep the policy, and let a new pack be on demand.",
    example: #""downloadPolicy": { "onDemand": {} }"#)

  package static let platformDropped = Rule(
    "platform-dropped", .error, .releases, "A pack lacks a platform it was released for",
    adjustment: .all,
    reason: """
      App Store Connect rejects a version without a platform that an earlier version had \
      (ITMS-91148), after the upload and with a version number used up. Elsewhere, builds for that \
      platform would lose the pack.
      """,
    remedy: "Add the platform again. An empty list means all platforms.",
    example: #""platforms": ["iOS"]"#)

  package static let languageChanged = Rule(
    "language-changed", .error, .releases, "A released pack has another language",
    adjustment: .all,
    reason: """
      The identifier stands for its language: builds that show the old language ask for this pack, \
      and would get another one. A pack without a language is for all.
      """,
    remedy: "Restore the language, and give the contents in another language another identifier.",
    example: #""language": "de""#)

  package static let versionInID = Rule(
    "version-in-id", .warning, .releases, "An identifier with a version",
    reason: """
      A new identifier differs from a released one only in a number or in a hexadecimal tail, and \
      the released pack is gone or has files in common with the new one. Identifiers are permanent, \
      count against the limit of an app, and old builds ask for the old one only. App Store Connect \
      numbers the versions of each pack itself.
      """,
    remedy: "Use the released identifier. Self-hosted packs can be checked without this rule.",
    example: #""assetPackID": "levels-v2""#)
}
