import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Checks the JSON that the built program writes against `Fixtures/schemas`, and the documentation
/// against the same schemas.
@Suite struct JSONOutputTests {
  /// Creates the files for the commands, and writes a name that isn't UTF-8 to `.name`, or a plain
  /// one if the file system rejects it.
  private static let preparation = #"""
    set -e
    cp -R "$FIXTURES/SampleGame/." .
    for name in unknown-fields unknown-blobs hashes special-files links no-time bare \
      manifest-comments manifest-new-keys unsorted order
    do
      cp "$FIXTURES/archives/good/$name.aar" .
    done
    cp "$FIXTURES/archives/damaged/zlib-checksum.aar" .
    odd=$(printf 'b\377')
    touch "$odd" 2>.error || odd=b
    printf '%s' "$odd" >.name
    cp manifest-new-keys.aar "new-$odd.aar"
    # A bare stream: a symbolic link whose target is not UTF-8.
    printf 'AA01\042\000TYP1LPATP\012\000Contents/lLNKP\001\000\377' >Link.aar
    cat >Broken.json <<'END'
    {"assetPackID": "broken", "assetPackID": "broken", "downloadPolicy": {"onDemnad": {}},
      "fileSelectors": [{"file": "credits.txt"}], "platforms": []}
    END
    cp Broken.json "$odd.json"
    for pack in Harbour Dialogue-ja; do ba-package -q Packs/$pack.json -o $pack.aar; done
    cp Harbour.aar "$odd.aar"
    mkdir -p Odd/d Clash/a Changed
    for file in Odd/d/aQ.xQ Odd/d/b Clash/a/b; do echo x >$file; done
    cat >Odd.json <<'END'
    {"assetPackID": "odd", "fileSelectors": [{"directory": "d"}], "platforms": [],
      "downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}},
      "userInfo": {"a": [1]}}
    END
    ba-package -q --hosting self --root Odd --compression store Odd.json -o Odd.aar
    LC_ALL=C tr Q '\377' <Odd.aar >Bytes.aar
    cat >Clash.json <<'END'
    {"assetPackID": "clash", "fileSelectors": [{"file": "a/b"}], "platforms": [],
      "downloadPolicy": {"onDemand": {}}}
    END
    ba-package -q --root Clash Clash.json -o Clash.aar
    cp -R Levels Sounds Textures Tools Changed
    echo changed >Changed/credits.txt
    for version in 1 2; do
      mkdir -p Hash$version/d
      echo same >Hash$version/d/Q_$(printf %032d $version).bundle
      ba-package -q --hosting self --root Hash$version --compression store Odd.json -o Q$version.aar
      LC_ALL=C tr Q '\377' <Q$version.aar >Hash$version.aar
    done
    mkdir "d$odd"
    echo x >"d$odd/$odd"
    cp "$odd.aar" "d$odd/$odd.aar"
    ba-package download-manifest create -q Harbour.aar Odd.aar Dialogue-ja.aar --ios \
      --download-base-url https://example.com -o Downloads.json
    """#

  /// Command lines that write one JSON value each, by schema. Together they cover every key.
  private static let scripts: KeyValuePairs = [
    "validate": [
      "ba-package validate --format json Packs",
      #"ba-package validate --format json --coverage "d$odd" Packs"#,
      #"ba-package validate --format json Broken.json "$odd.json""#,
    ],
    "evaluate": [
      "ba-package evaluate --format json Packs/Harbour.json Packs/Dialogue-ja.json",
      #"ba-package evaluate --format json "$odd.json""#,
    ],
    "package": [
      "ba-package package Packs --output-directory build --format json --if-changed",
      "ba-package package Packs --output-directory build --format json --if-changed",
      "ba-package package Packs --output-directory build --format json -k || true",
      #"ba-package package "$odd.json" Packs --output-directory build --format json || true"#,
    ],
    "digest": [
      "ba-package digest --format json Packs",
      "ba-package digest Packs >list; ba-package digest --format json Packs --changed-from list",
      #"cp Odd.json "odd$odd.json"; ba-package digest --format json --hosting self --root Odd "odd$odd.json""#,
    ],
    "list": [
      "ba-package list --format json Harbour.aar",
      #"ba-package list --format json "$odd.aar""#,
      #"ba-package list --format json - <"$odd.aar""#,
      "ba-package list --format json Bytes.aar",
      "ba-package list --format json --all unknown-fields.aar",
      "ba-package list --format json --all unknown-blobs.aar",
      "ba-package list --format json --all hashes.aar",
      "ba-package list --format json --all special-files.aar",
      "ba-package list --format json --all links.aar",
      "ba-package list --format json --all Link.aar",
      "ba-package list --format json --all no-time.aar",
    ],
    "info": [
      "ba-package info --checksums --format json Harbour.aar",
      "ba-package info --format json Dialogue-ja.aar",
      #"ba-package info --checksums --format json "$odd.aar""#,
      "ba-package info --format json Bytes.aar",
      "ba-package info --checksums --format json bare.aar",
      "ba-package info --format json Harbour.aar Odd.aar Dialogue-ja.aar",
      "ba-package info --format json - <Odd.aar",
      "ba-package info --format json --language ja Harbour.aar Dialogue-ja.aar",
    ],
    "verify": [
      "ba-package verify --format json --sha256 $(printf %064d 0) Harbour.aar",
      #"ba-package verify --format json Harbour.aar zlib-checksum.aar missing "$odd""#,
      #"ba-package verify --format json "new-$odd.aar" manifest-comments.aar unsorted.aar"#,
      "ba-package verify --format json Bytes.aar order.aar",
      "ba-package verify --format json order.aar Clash.aar",
      "ba-package verify --format json --against Changed Harbour.aar Odd.aar",
    ],
    "diff": [
      "ba-package diff --format json Harbour.aar Harbour.aar",
      #"ba-package diff --format json "$odd.aar" Odd.aar"#,
      #"ba-package diff --format json Harbour.aar "$odd.aar""#,
      "ba-package diff --format json Dialogue-ja.aar Odd.aar",
      "ba-package diff --format json Q1.aar Q2.aar",
      #"ba-package diff --format json "d$odd" "d$odd""#,
      #"ba-package diff --format json "d$odd" Odd.aar"#,
    ],
    "report": [
      #"ba-package report --format json --coverage "d$odd" "$odd.aar" "#
        + "Dialogue-ja.aar Bytes.aar --since Odd.aar --since Clash.aar",
      "ba-package report --format json --coverage . Packs",
      #"ba-package report --format json "$odd.aar" --since Harbour.aar"#,
      "ba-package report --format json --language ja Harbour.aar Dialogue-ja.aar",
      "ba-package report --format json Hash2.aar --since Hash1.aar",
      #"""
      ba-package report --format json --hosting self --root Odd Odd.json -o Old.json
      sed 's|{"directory": "d"}|{"file": "d/b"}|' Odd.json >"1$odd.json"
      sed 's/"odd"/"two"/' Odd.json >"2$odd.json"
      ba-package report --format json --hosting self --root Odd "1$odd.json" "2$odd.json" --since Old.json
      """#,
    ],
    "explain": [
      "ba-package explain --format json",
      #"echo '{"rules":{"empty-file":"off"}}' >.ba-package.json; ba-package explain --json empty-file limit"#
        + "; rm .ba-package.json",
    ],
    "app-info": [
      "ba-package app-info --format json --app-group group.a --hosting apple",
      "ba-package app-info --json --app-group group.a --hosting self --manifest-url "
        + "https://a.example/d.json Packs",
      #"sed 's/"platforms": \[\]/"platforms": ["iOS"]/; s/"odd"/"phone"/' Odd.json >Phone.json; "#
        + "ba-package app-info --json --hosting self --root Odd Odd.aar Phone.json",
    ],
    "download-manifest": ["cat Downloads.json"],
    "download-digests": ["cat Downloads.digests.json"],
  ]

  private static func schema(_ name: String) throws -> JSONValue {
    try json(
      Data(contentsOf: BuiltTool.fixtures.appending(path: "schemas/\(name).schema.json")), name)
  }

  private static func json(_ data: Data, _ name: String) throws -> JSONValue {
    let document = JSONDocument(reading: SourceText(name: Array(name.utf8), bytes: Array(data)))
    try #require(document.isStrict && document.findings.isEmpty, "\(name): \(data.text)")
    return try #require(document.root)
  }

  @Test func everyOutputMatchesItsSchema() throws {
    let scratch = try ScratchFolder()
    let prepared = try runShell(Self.preparation, in: scratch.url)
    try #require(prepared.status == 0, "\(prepared.errors.text)")
    let name = try Data(contentsOf: scratch.url.appending(path: ".name"))
    for (schemaName, scripts) in Self.scripts {
      let schema = try Self.schema(schemaName)
      let checker = SchemaChecker(schema, allowsOtherKeys: false)
      var keys: Set<String> = []
      for script in scripts {
        let outcome = try runShell("odd=$(cat .name)\n" + script, in: scratch.url)
        let value = try Self.json(outcome.output, script)
        #expect(checker.problems(value) == [], "\(script)")
        keys.formUnion(Self.keys(of: value))
      }
      let documented = Self.documentedKeys(of: schema).filter { key in
        String(validating: name, as: UTF8.self) == nil || !key.hasSuffix("Hex")
      }
      #expect(documented.subtracting(keys).sorted() == [], "\(schemaName): never written")
    }
  }

  /// The JSON in recorded sessions, each by the schema of a command of its script; digests that differ
  /// from machine to machine are left out there.
  @Test func everyRecordedOutputMatchesItsSchema() throws {
    let names = Self.scripts.map(\.key)
    let checkers = try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, SchemaChecker(try Self.schema($0), allowsOtherKeys: false))
      })
    var count = 0
    for file in RecordedTests.names {
      for recorded in try RecordedTests.cases(file) {
        let script = recorded.script.joined(separator: " ")
        let commands = names.filter { script.contains("\($0) ") }
        for text in Self.objects(in: recorded.expected) {
          let document = JSONDocument(
            reading: SourceText(name: Array(file.utf8), bytes: Array(text.utf8)))
          guard document.isStrict, document.findings.isEmpty, let value = document.root,
            value["schemaVersion"] != nil
          else { continue }
          count += 1
          let problems = (commands.isEmpty ? names : commands).compactMap {
            checkers[$0]?.problems(value)
          }
          #expect(problems.contains([]), "\(file): $ \(script)\n\(problems)")
        }
      }
    }
    #expect(count >= 12)
  }

  /// The texts from a brace alone on a line to the next such one.
  private static func objects(in lines: [String]) -> [String] {
    lines.split(omittingEmptySubsequences: true) { $0 == "}" }.compactMap { part in
      part.firstIndex(of: "{").map { start in
        let text = part[start...].joined(separator: "\n") + "\n}"
        return text.replacing("\"...\"", with: "\"\(String(repeating: "0", count: 64))\"")
      }
    }
  }

  @Test func findingsAreTheSameInEveryOutput() throws {
    let definitions = try ["validate", "verify"].map { try Self.schema($0)["definitions"] }
    for name in ["finding", "note", "fix", "position"] {
      let texts = try definitions.map { try JSONWriter.text(#require($0?[name]), .compact) }
      #expect(Set(texts).count == 1, "\(name)")
    }
  }

  /// Set `BA_PACKAGE_RECORD=1` to regenerate the tables of the page.
  @Test func thePageDescribesTheSchemas() throws {
    let page = BuiltTool.sources.appending(
      path: "Sources/BAPackCore/BAPackCore.docc/JSONOutput.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "## ba-package "), "no section")
    let sections = try Self.scripts.map { name, _ in try SchemaPage(Self.schema(name)).text }
    let expected = text[..<start.lowerBound] + sections.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["BA_PACKAGE_RECORD"] != nil {
      try Data(expected.utf8).write(to: page)
    } else {
      #expect(text == expected, "run with BA_PACKAGE_RECORD=1 to update the page")
    }
  }

  private static func keys(of value: JSONValue) -> Set<String> {
    let members = value.object ?? []
    return (members.map(\.value) + (value.array ?? [])).reduce(Set(members.map(\.key))) {
      $0.union(keys(of: $1))
    }
  }

  private static func documentedKeys(of schema: JSONValue) -> Set<String> {
    let members = schema.object ?? []
    let own = members.filter { $0.key == "properties" }.flatMap { $0.value.object ?? [] }
    return (members.map(\.value) + (schema.array ?? [])).reduce(Set(own.map(\.key))) {
      $0.union(documentedKeys(of: $1))
    }
  }
}

/// A JSON Schema as a section of a Markdown page.
private struct SchemaPage {
  let schema: JSONValue

  init(_ schema: JSONValue) { self.schema = schema }

  var text: String {
    let definitions = schema["definitions"]?.object ?? []
    return section(schema, "## \(schema["title"]?.string ?? "")")
      + definitions.filter { $0.value["properties"] != nil }
      .map { "\n" + section($0.value, "### \($0.key)") }.joined()
  }

  private func section(_ object: JSONValue, _ title: String) -> String {
    "\(title)\n\n\(object["description"]?.string ?? "")\n\n"
      + "| Key | Type | Meaning |\n| --- | --- | --- |\n" + rows(object, "")
  }

  private func rows(_ object: JSONValue, _ prefix: String) -> String {
    let required = (object["required"]?.array ?? []).compactMap(\.string)
    return (object["properties"]?.object ?? []).map { member in
      let key = prefix + member.key
      let value = member.value
      let meaning = value["description"]?.string ?? definition(value)?["description"]?.string ?? ""
      let type = type(value) + (required.contains(member.key) ? "" : ", optional")
      return "| `\(key)` | \(type) | \(meaning) |\n" + rows(value, key + ".")
    }.joined()
  }

  private func type(_ value: JSONValue) -> String {
    if let name = reference(value) { return "*\(name)*" }
    if let values = value["enum"]?.array {
      return values.map { "`\(JSONWriter.text($0, .compact))`" }.joined(separator: ", ")
    }
    if let choices = value["oneOf"]?.array { return choices.map(type).joined(separator: " or ") }
    if let items = value["items"] { return "array of " + type(items) }
    return value["type"]?.string ?? ""
  }

  private func definition(_ value: JSONValue) -> JSONValue? {
    reference(value).flatMap { schema["definitions"]?[$0] }
  }

  private func reference(_ value: JSONValue) -> String? {
    value["$ref"]?.string.map { String($0.split(separator: "/").last ?? "") }
  }
}
