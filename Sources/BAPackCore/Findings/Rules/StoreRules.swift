extension Rule.Area {
  package static let store = Rule.Area("The store and devices")
}

extension Rule {
  package static let storeRules: [Rule] = [
    .assetPackID, .userInfoHosting, .machOExecutable, .caseClash, .normalizationClash, .strayFile,
    .packTooLarge,
  ]

  package static let assetPackID = Rule(
    "asset-pack-id", .warning, .store, "An identifier that App Store Connect refuses",
    reason: """
      App Store Connect takes ASCII letters, digits and hyphens, with no hyphen at either end, and \
      says so only after the upload (ITMS-91133). Self-hosted packs may be named freely. An empty \
      identifier is an error wherever the pack is hosted: apps could not ask for it.
      """,
    remedy: """
      Change the identifier and the app's code that asks for it. For packs that you host yourself, \
      check with `--hosting self`.
      """,
    example: """
      "assetPackID": "com.example.levels"
      """)

  package static let userInfoHosting = Rule(
    "user-info-hosting", .warning, .store, "userInfo in a pack that Apple hosts",
    reason: """
      `userInfo` is copied to the download manifest of self-hosted packs. A pack that Apple hosts must \
      not have it.
      """,
    remedy: "Remove it. For packs that you host yourself, check with `--hosting self`.",
    example: """
      "userInfo": { "chapter": 2 }
      """)

  package static let machOExecutable = Rule(
    "mach-o-executable", .warning, .store, "Executable code for a Mac",
    reason: """
      Packs that Apple hosts must not hold macOS executable code. The file begins like a Mach-O \
      program, library or bundle.
      """,
    remedy: """
      Ship code with the app; leave the file out with `fileExclusion`. For packs that you host \
      yourself, check with `--hosting self`.
      """)

  package static let caseClash = Rule(
    "case-clash", .warning, .store, "Two paths differ in upper and lower case only",
    reason: """
      Most Macs' volumes take the two for one name, so that one file replaces the other, while \
      devices keep both. The pack would work in one place and fail in the other.
      """,
    remedy: "Rename one of the two.")

  package static let normalizationClash = Rule(
    "normalization-clash", .warning, .store, "Two paths differ in Unicode normalization only",
    reason: """
      One name has a letter with its accent as one character, the other as two. Apple's file systems \
      take them for one name, so that one file replaces the other.
      """,
    remedy: "Rename one of the two. They look the same: `ls | hexdump -C` shows the difference.")

  package static let strayFile = Rule(
    "stray-file", .warning, .store, "A file that the system or a tool left behind",
    reason: """
      `.DS_Store`, `Thumbs.db`, `desktop.ini`, files that begin with `._`, the folders of version \
      control and editors, `node_modules`, and what this tool wrote (packs, `*.aar`, and the `.*.tmp` \
      of a run that was killed) are no part of a game. Every player would download them, and they \
      change from one machine to the next.
      """,
    remedy: """
      Delete it, or leave it out: a file by its name in all folders, as in \
      `{ "fileExclusion": "**/.DS_Store" }`, a folder by its path, `{ "fileExclusion": "Art/.svn" }`.
      """)

  package static let packTooLarge = Rule(
    "pack-too-large", .warning, .store, "More data than the store takes",
    reason: "All packs of an app together may have 200 GB in App Store Connect.",
    remedy: "Leave files out, compress them, or host the packs yourself (`--hosting self`).")
}
