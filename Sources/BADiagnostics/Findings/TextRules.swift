extension Rule.Area {
  package static let text = Rule.Area("The text of a manifest")
}

extension Rule {
  package static let textRules: [Rule] = [
    .syntax, .invalidUTF8, .manifestTooLarge, .duplicateKey, .notPlainJSON,
  ]

  package static let syntax = Rule(
    "syntax", .error, .text, "The manifest is not JSON5",
    reason: """
      A manifest is JSON, and as in Apple's tool it may use what JSON5 adds: comments, trailing \
      commas, single quotes, unquoted keys, numbers such as `0x1F` and `.5`. Anything else is a \
      syntax error (<https://spec.json5.org>). An unknown escape such as `\\w` is an error although \
      JSON5 reads it as a plain `w`, because it is nearly always a path written with backslashes.
      """,
    remedy: """
      Fix the text at the caret. Start with the first finding: the others may follow from it.
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
      The manifest is embedded in the pack, and JSON that programs exchange must be UTF-8 \
      (RFC 8259, section 8.1). In another encoding, file names would be read wrong.
      """,
    remedy: "Save the file as UTF-8 in the editor, or convert it: `iconv -f LATIN1 -t UTF-8`.")

  package static let manifestTooLarge = Rule(
    "manifest-too-large", .error, .text, "The manifest is too large or nested too deeply",
    reason: """
      A manifest is read into memory whole. To protect the machine from damaged or hostile files, \
      the limits are 16 MiB, 1,048,576 values and 512 levels of nesting. Foundation's JSON reader \
      has the same limit on depth.
      """,
    remedy: "Use folders or patterns instead of naming every file.")

  package static let duplicateKey = Rule(
    "duplicate-key", .error, .text, "A duplicate key in an object",
    reason: """
      JSON does not define which of the two values applies: Foundation uses the first, most other \
      readers the last.
      """,
    remedy: "Remove one of the two. To select several paths, write one selector for each.",
    example: """
      "fileSelectors": [
        { "file": "a.png", "file": "b.png" }
      ]
      """)

  package static let notPlainJSON = Rule(
    "not-plain-json", .error, .text, "A value or character that plain JSON does not allow",
    adjustment: .warnings,
    reason: """
      The manifest is embedded in the pack as plain JSON, which has no `Infinity` and no `NaN` \
      (RFC 8259, section 6). Tabs in strings, and spaces beyond ASCII between values (U+00A0 is often \
      copied from web pages), are valid JSON5 and only a warning: they are replaced in the pack, but \
      Foundation's JSON5 reader, and so most likely Apple's tool, rejects the file.
      """,
    remedy: """
      Use a finite number or a string; write a tab as `\\t`, and plain spaces between values.
      """,
    example: #""userInfo": { "weight": Infinity }"#)
}
