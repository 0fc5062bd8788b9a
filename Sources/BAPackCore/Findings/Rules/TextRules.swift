extension Rule.Area {
  package static let text = Rule.Area("The text of a manifest")
}

extension Rule {
  package static let textRules: [Rule] = [
    .syntax, .invalidUTF8, .manifestTooLarge, .duplicateKey,
  ]

  package static let syntax = Rule(
    "syntax", .error, .text, "The manifest is not JSON5",
    reason: """
      A manifest is JSON, and as in Apple's tool it may use what JSON5 adds: comments, a comma after \
      the last element, single quotes, keys without quotes, numbers such as `0x1F` and `.5`. \
      Anything else breaks the grammar of <https://spec.json5.org>. An unknown escape such as `\\w` is \
      refused although JSON5 would take it for a plain `w`, because it is nearly always a path \
      written with backslashes.
      """,
    remedy: """
      Mend the text where the caret stands. The first finding matters most: those that follow may \
      come from it.
      """,
    example: """
      {
        "assetPackID": "levels"
        "platforms": ["iOS"]
      }
      """)

  package static let invalidUTF8 = Rule(
    "invalid-utf8", .error, .text, "The manifest is not UTF-8",
    reason: """
      The manifest becomes part of the pack, and JSON that programs exchange is UTF-8 \
      (RFC 8259, section 8.1). Text in another encoding would be read as other file names than meant.
      """,
    remedy: "Save the file as UTF-8 in the editor, or convert it: `iconv -f LATIN1 -t UTF-8`.")

  package static let manifestTooLarge = Rule(
    "manifest-too-large", .error, .text, "The manifest is larger or deeper than is read",
    reason: """
      A manifest is read into memory whole. Texts over 16 MiB or with more than 1,048,576 values, and \
      lists and objects nested more than 512 deep, are refused, so that a damaged or hostile file \
      cannot exhaust the machine. \
      Foundation's JSON reader has the same limit on depth.
      """,
    remedy: "Select folders or patterns, where every file is named one by one.")

  package static let duplicateKey = Rule(
    "duplicate-key", .error, .text, "A key stands twice in one object",
    reason: """
      JSON leaves open which of the two values counts: Foundation takes the first, most other \
      readers the last. The pack would differ from what one of them shows.
      """,
    remedy: "Remove one of the two. Several paths are several selectors, each in its own braces.",
    example: """
      "fileSelectors": [
        { "file": "a.png", "file": "b.png" }
      ]
      """)
}
