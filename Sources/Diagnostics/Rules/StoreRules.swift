extension Rule.Area {
  package static let store = Rule.Area("The store and devices")
}

extension Rule {
  package static let storeRules: [Rule] = [
    .assetPackID, .userInfoHosting, .machOExecutable, .caseClash, .normalizationClash, .strayFile,
    .packTooLarge,
  ]

  package static let assetPackID = Rule(
    "asset-pack-id", .error, .store, "An identifier that App Store Connect rejects",
    adjustment: .all,
    reason: """
      App Store Connect accepts only ASCII letters, digits and hyphens, with no hyphen at either end, \
      and rejects others only after the upload (ITMS-91133). Self-hosted packs may have other names.
      """,
    remedy: """
      Change the identifier, here and in the app. Self-hosted packs can be checked without this rule.
      """,
    example: #""assetPackID": "com.example.levels""#)

  package static let userInfoHosting = Rule(
    "user-info-hosting", .error, .store, "userInfo in a pack that Apple hosts",
    adjustment: .all,
    reason: """
      `userInfo` is copied to the download manifest of self-hosted packs. Packs that Apple hosts must \
      not have it.
      """,
    remedy: "Remove it. Self-hosted packs can be checked without this rule.",
    example: #""userInfo": { "chapter": 2 }"#)

  package static let machOExecutable = Rule(
    "mach-o-executable", .warning, .store, "Executable code for macOS",
    reason: """
      Packs that Apple hosts may contain code for iOS, tvOS and visionOS and for the GPU, but no \
      executable code for macOS. The file is a Mach-O program, library or bundle with a load command \
      for macOS or Mac Catalyst, or a universal binary with one.
      """,
    remedy: """
      Ship code with the app, and exclude the file with `fileExclusion`. Self-hosted packs can be \
      checked without this rule.
      """)

  package static let caseClash = Rule(
    "case-clash", .warning, .store, "Two paths differ only in case",
    reason: """
      On most Mac volumes the two are the same name, so one file replaces the other, while devices \
      keep both. The app would work in one place and fail in the other.
      """,
    remedy: "Rename one of the two.")

  package static let normalizationClash = Rule(
    "normalization-clash", .warning, .store, "Two paths differ only in Unicode normalization",
    reason: """
      One name has an accented letter as one code point, the other as two. On Apple's file systems \
      they are the same name, so one file replaces the other.
      """,
    remedy: "Rename one of the two. They look the same: `ls | hexdump -C` shows the difference.")

  package static let strayFile = Rule(
    "stray-file", .warning, .store, "A file left behind by the system or a tool",
    reason: """
      `.DS_Store`, `Thumbs.db`, `desktop.ini`, files that begin with `._`, the folders of version \
      control and editors, `node_modules`, and output of this tool (packs, `*.aar`, and the `.*.tmp` \
      of a run that was killed) are not part of a game. Every player would download them, and they \
      differ from one machine to the next.
      """,
    remedy: """
      Delete it, or exclude it: a file by its name in all folders, as in \
      `{ "fileExclusion": "**/.DS_Store" }`, or a folder by its path, \
      `{ "fileExclusion": "Art/.svn" }`.
      """)

  package static let packTooLarge = Rule(
    "pack-too-large", .warning, .store, "More data than App Store Connect accepts",
    reason: "In App Store Connect, all packs of an app together may have 200 GB.",
    remedy: "Exclude files, use smaller formats, or host the packs yourself.")
}
