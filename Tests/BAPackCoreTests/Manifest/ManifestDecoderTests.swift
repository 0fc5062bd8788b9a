import BAPackCore
import Testing

private func decode(_ text: String) -> (manifest: Manifest?, findings: [Finding]) {
  let checked = ManifestDecoder.decode(
    SourceText(name: "Manifest.json", bytes: Array(text.utf8)))
  return (checked.value, checked.findings)
}

@Test func decodesEveryKey() throws {
  let (decoded, findings) = decode(
    """
    {
      "$schema": "manifest.schema.json",
      "assetPackID": "levels-1",
      "downloadPolicy": { "prefetch": { "installationEventTypes": ["subsequentUpdate"] } },
      "fileSelectors": [
        { "file": "a" }, { "directory": "b" }, { "filePattern": "c/*" },
        { "fileSource": "d", "fileDestination": "e" },
        { "directoryDestination": "g", "directorySource": "f" },
        { "fileExclusion": "h" }
      ],
      "platforms": ["visionOS", "iOS"],
      "sourceRoot": "../Assets",
      "language": "pt-BR",
      "userInfo": { "chapter": 2 },
      "toolsVersion": "2.0"
    }
    """)
  #expect(findings.isEmpty)
  let manifest = try #require(decoded)
  #expect(manifest.assetPackID == "levels-1")
  #expect(manifest.writtenID.location.start == SourcePosition(line: 3, column: 19))
  #expect(manifest.downloadPolicy == .prefetch([.subsequentUpdate]))
  #expect(manifest.platforms == [.iOS, .visionOS])
  #expect(manifest.sourceRoot == "../Assets")
  #expect(manifest.language == "pt-BR")
  #expect(manifest.userInfoValue?["chapter"]?.kindName == "a number")
  #expect(manifest.embedded == manifest.source.bytes)
  let kinds = manifest.selectors.map { selector in
    "\(selector.kind): \(selector.paths)"
  }
  #expect(
    kinds == [
      "file: a", "directory: b", "filePattern: c/*", "file: e <- d", "directory: g <- f",
      "fileExclusion: h",
    ])
  #expect(manifest.selectors[0].location.start == SourcePosition(line: 6, column: 5))
}

@Test func embedsPlainJSON() throws {
  let loose = """
    {
      // chapter one
      platforms: [], 'assetPackID': "a", downloadPolicy: {onDemand: {},},
      fileSelectors: [{file: 'x'}], userInfo: {size: +0x10, share: .5, exact: 1.50},
    }
    """
  let manifest = try #require(decode(loose).manifest)
  #expect(
    String(decoding: manifest.embedded, as: UTF8.self) == """
      {
        "platforms": [],
        "assetPackID": "a",
        "downloadPolicy": {
          "onDemand": {}
        },
        "fileSelectors": [
          {
            "file": "x"
          }
        ],
        "userInfo": {
          "size": 16,
          "share": 0.5,
          "exact": 1.50
        }
      }

      """)
}

/// A typo in a key is one finding, and the value is still checked.
@Test func aMistypedKeyIsReadAsTheKey() {
  let findings = decode(
    """
    { "assetPackId": "a", "downloadPolicy": { "onDemnad": null }, "fileSelectors": [{ "fiel": "x" }],
      "platform": ["iOS"] }
    """
  ).findings
  #expect(
    findings.map(\.message) == [
      "unknown key 'assetPackId'; did you mean 'assetPackID'?",
      "unknown key 'onDemnad'; did you mean 'onDemand'?",
      "'onDemand' must be an empty object, {}, not null",
      "unknown key 'fiel'; did you mean 'file'?",
      "unknown key 'platform'; did you mean 'platforms'?",
    ])
}

/// The words of other tools, where another key may have a nearer name.
@Test func aForeignKeyIsReadAsTheKey() {
  let findings = decode(
    """
    { "id": "a", "policy": { "onDemand": {} }, "platforms": [], "root": ".", "selectors": [
      { "glob": "*" }, { "exclude": "x" }, { "folder": "y" }, { "path": "z" }] }
    """
  ).findings
  #expect(
    findings.map(\.message) == [
      "unknown key 'id'; did you mean 'assetPackID'?",
      "unknown key 'policy'; did you mean 'downloadPolicy'?",
      "unknown key 'root'; did you mean 'sourceRoot'?",
      "unknown key 'selectors'; did you mean 'fileSelectors'?",
      "unknown key 'glob'; did you mean 'filePattern'?",
      "unknown key 'exclude'; did you mean 'fileExclusion'?",
      "unknown key 'folder'; did you mean 'directory'?",
      "unknown key 'path'; did you mean 'file'?",
    ])
}

/// After a syntax error, what can be read is checked, but nothing is reported as missing.
@Test func checkingContinuesAfterASyntaxError() {
  let (manifest, findings) = decode(
    """
    { "assetPackID": "a" "platforms": ["ios"], "downloadPolicy": {"onDemand": {}
    """)
  #expect(manifest == nil)
  #expect(findings.map(\.rule) == [.syntax, .unknownValue, .syntax])
}

@Test(arguments: ["de", "gsw", "pt-BR", "zh-Hant", "sr-Latn-RS", "es-419", "EN-us"])
func acceptsLanguageTags(tag: String) {
  #expect(isLanguageTag(tag))
}

@Test(arguments: [
  "", "d", "german", "pt_BR", "de-", "-de", "de-DEU", "zh-Hant-TW-x", "de--DE", "de-D1", "é", "d1",
  "zh-TW-Hant",
])
func refusesWhatIsNoLanguageTag(tag: String) {
  #expect(!isLanguageTag(tag))
}

@Test func anAbsoluteSourceRootIsAWarning() throws {
  let (manifest, findings) = decode(
    """
    { "assetPackID": "a", "downloadPolicy": { "onDemand": {} }, "fileSelectors": [{ "file": "a" }],
      "platforms": [], "sourceRoot": "/Volumes/Assets" }
    """)
  #expect(findings.map(\.rule) == [.absolutePath])
  #expect(!findings.hasErrors)
  #expect(manifest?.sourceRoot == "/Volumes/Assets")
}

@Test func findingsHaveALimit() {
  let slips = String(repeating: "{ \"fiel\": \"x\" },", count: 20_000)
  #expect(decode("{ \"fileSelectors\": [\(slips)] }").findings.count == 1000)
}

/// An invalid language, after more warnings than are reported.
@Test func manyWarningsHideNoError() {
  let platforms = String(repeating: "\"iOS\", ", count: 2000)
  let (_, findings) = decode(
    """
    { "assetPackID": "a", "downloadPolicy": { "onDemand": {} }, "fileSelectors": [{ "file": "a" }],
      "platforms": [\(platforms)], "language": "German", "userInfo": { "weight": NaN } }
    """)
  #expect(findings.count { $0.severity == .warning } == 1000)
  #expect(findings.filter { $0.severity == .error }.map(\.rule) == [.invalidLanguage])
}

/// The other findings are reported in the same run.
@Test(arguments: ["[]", "{}", "[\"a\"]", "[{ \"file\": 1 }]"])
func checkingContinuesWithoutSelectors(selectors: String) throws {
  let (decoded, findings) = decode(
    """
    { "assetPackID": "a.b", "downloadPolicy": { "onDemand": {} }, "fileSelectors": \(selectors),
      "platforms": [], "userInfo": {} }
    """)
  let manifest = try #require(decoded)
  #expect(findings.hasErrors && manifest.selectors.isEmpty)
  #expect(manifest.storeFindings(.apple).map(\.rule) == [.assetPackID, .userInfoHosting])
}

@Test func anEmptyIdentifierIsAnError() {
  let (manifest, findings) = decode(
    """
    { "assetPackID": "", "downloadPolicy": { "onDemand": {} }, "fileSelectors": [{ "file": "a" }],
      "platforms": [] }
    """)
  #expect(
    findings.map(described) == [
      "missing-key '\"\"': 'assetPackID' is empty; write the name by which the app asks for the "
        + "pack, in ASCII letters, digits and hyphens, such as \"level-1\""
    ])
  #expect(findings.hasErrors)
  #expect(manifest?.storeFindings(.apple).isEmpty == true)
}

/// The keys and values to write are shown next to what is missing.
@Test func invalidPoliciesAreExplained() {
  let events = "\"installationEventTypes\": [\"firstInstallation\", \"subsequentUpdate\"]"
  let forms = [
    "for a pack that the app asks for: \"downloadPolicy\": { \"onDemand\": {} }",
    "for a pack that comes with the app: \"downloadPolicy\": { \"essential\": { \(events) } }; "
      + "with \"prefetch\" instead, it is downloaded in the background",
  ]
  func notes(_ policy: String) -> [String] {
    decode(
      """
      { "assetPackID": "a", \(policy) "fileSelectors": [{ "file": "a" }], "platforms": [] }
      """
    ).findings.flatMap(\.notes).map(\.message)
  }
  #expect(notes("") == forms)
  #expect(notes("\"downloadPolicy\": {},") == forms)
  for policy in ["essential", "prefetch"] {
    #expect(
      notes("\"downloadPolicy\": { \"\(policy)\": {} },") == [
        "add \(events), or one of these events"
      ])
  }
}

@Test func storeRulesDependOnTheHost() throws {
  let text = """
    { "assetPackID": "com.example.levels", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "file": "a" }], "platforms": [], "userInfo": {} }
    """
  let manifest = try #require(decode(text).manifest)
  #expect(
    manifest.storeFindings(.apple).map(\.message) == [
      "App Store Connect rejects '.' in 'assetPackID': only ASCII letters, digits and hyphens are "
        + "allowed (ITMS-91133)",
      "'userInfo' is for self-hosted packs; App Store Connect rejects it",
    ])
  #expect(manifest.storeFindings(.ownServer).isEmpty)
  #expect(manifest.storeFindings(.apple).allSatisfy { $0.severity == .error && $0.notes.isEmpty })
  #expect(
    manifest.storeFindings(nil).allSatisfy { finding in
      finding.severity == .warning
        && finding.notes.map(\.message) == [
          "with 'hosting apple' this is an error, with 'hosting self' it is none"
        ]
    })
}

private let invalidPaths: [(selector: String, finding: String)] = [
  ("{file: ''}", "empty-path '''': the path is empty | write '.' for the whole source root"),
  (
    "{file: '/etc/passwd'}",
    "absolute-path '/etc/passwd': '/etc/passwd' is an absolute path | write it relative to the "
      + "source root, so that it is valid on every machine"
  ),
  (
    "{directory: 'Textures/../..'}",
    "parent-path 'Textures/../..': 'Textures/../..' contains '..' | files outside the source "
      + "root can't be packaged; set 'sourceRoot' to a folder above"
  ),
  (
    "{file: 'a\\u0000b'}",
    "invalid-path 'a\\u0000b': 'a\\u{0}b' contains a NUL character | file names can't contain it"
  ),
  (
    "{fileSource: 'c.txt', fileDestination: 'docs/'}",
    "invalid-path 'docs/': 'docs/' is the path of a folder | 'fileDestination' is the path of "
      + "the file itself, with its name"
  ),
  (
    "{fileSource: 'c.txt', fileDestination: '../x'}",
    "parent-path '../x': '../x' contains '..' | files outside the source root can't be packaged; "
      + "set 'sourceRoot' to a folder above"
  ),
  (
    "{filePattern: 'a[b'}",
    "invalid-pattern 'a[b': 'a[b' is not a valid pattern: '[' has no ']'; write '[[]' for a "
      + "literal bracket"
  ),
  (
    "{fileExclusion: 'a[^b]'}",
    "invalid-pattern 'a[^b]': 'a[^b]' is not a valid pattern: write '[!…]', not '[^…]', for "
      + "bytes outside a set"
  ),
]

/// Whatever files there are, and the selector is left out.
@Test(arguments: invalidPaths) func reportsInvalidPaths(selector: String, finding: String) {
  let (decoded, findings) = decode(
    """
    {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [], "fileSelectors": [
    \(selector)
    ]}
    """)
  #expect(findings.map(described) == [finding])
  #expect(decoded?.selectors.count == 0)
}
