import BAPackCore
import Testing

@Test(arguments: [
  ("[]", "1:1 a download manifest must be an object, not a list"),
  ("{}", "1:1 no key 'assetPacks': is this a download manifest?"),
  (#"{"assetPacks": {}}"#, "1:16 'assetPacks' must be a list, not an object"),
  (
    #"{"assetPacks": [3]}"#, "1:17 an element of 'assetPacks' must be an object, not a number"
  ),
  (#"{"assetPacks": [{"version": 0}]}"#, "1:17 'id' is required and must be a string"),
  (#"{"assetPacks": [{"id": 3, "version": 0}]}"#, "1:24 'id' is required and must be a string"),
  (
    #"{"assetPacks": [{"id": "A"}]}"#,
    "1:17 'version' is required and must be a whole number, 0 or more"
  ),
  (
    #"{"assetPacks": [{"id": "A", "version": -1}]}"#,
    "1:40 'version' is required and must be a whole number, 0 or more"
  ),
  (
    #"{"assetPacks": [{"id": "A", "version": 1.5}]}"#,
    "1:40 'version' is required and must be a whole number, 0 or more"
  ),
  (
    #"{"assetPacks": [{"id": "A", "version": 0}, {"id": "A", "version": 0}]}"#,
    "1:51 duplicate pack 'A'"
  ),
])
func textsThatAreNoDownloadManifestAreExplained(text: String, expected: String) {
  var findings: [Finding] = []
  let document = JSONDocument(reading: SourceText(name: "d.json", bytes: Array(text.utf8)))
  #expect(DownloadManifest(document, findings: &findings) == nil)
  #expect(findings.map(\.rule) == [.downloadManifest])
  let found = findings.map { finding in
    "\(finding.location?.start.line ?? 0):\(finding.location?.start.column ?? 0) \(finding.message)"
  }
  #expect(found == [expected])
}

/// Every way in which JSON5 writes a whole number.
@Test(arguments: [("5", true), ("+5", true), ("0x5", true), ("5.0", false), ("5e0", false)])
func versionsAreWholeNumbers(version: String, isWhole: Bool) {
  var findings: [Finding] = []
  let text = #"{"assetPacks": [{"id": "A", "version": \#(version)}]}"#
  let document = JSONDocument(reading: SourceText(name: "d.json", bytes: Array(text.utf8)))
  #expect((DownloadManifest(document, findings: &findings) != nil) == isWhole)
  #expect(findings.map(\.rule) == (isWhole ? [] : [.downloadManifest]))
}

@Test func brokenJSONIsNotADownloadManifest() {
  var findings: [Finding] = []
  let document = JSONDocument(
    reading: SourceText(name: "d.json", bytes: Array(#"{"assetPacks": ["#.utf8)))
  #expect(DownloadManifest(document, findings: &findings) == nil)
  #expect(findings.first?.rule == .syntax)
}

@Test(arguments: [
  "[]", #"{"schemaVersion": 2, "assetPacks": []}"#, #"{"schemaVersion": 1}"#,
  #"{"schemaVersion": 1, "assetPacks": [{"id": "A", "version": 0, "sha256": "0g"}]}"#,
  #"{"schemaVersion": 1, "assetPacks": [{"id": "A", "version": 0, "sha256": "00"}]}"#,
])
func textsThatAreNoRecordsAreExplained(text: String) {
  var findings: [Finding] = []
  let document = JSONDocument(reading: SourceText(name: "d.json", bytes: Array(text.utf8)))
  #expect(ContentsRecords(document, findings: &findings) == nil)
  #expect(findings.map(\.rule) == [.downloadRecords])
}

@Test(arguments: [
  ("Downloads.json", "Downloads.digests.json"), ("D.JSON", "D.digests.json"),
  ("a/b/d.json", "a/b/d.digests.json"),
  ("manifest", "manifest.digests.json"), ("/x/.json", "/x/.json.digests.json"),
])
func recordsStandBesideTheManifest(manifest: String, records: String) {
  #expect(ContentsRecords.path(nextTo: BytePath(manifest.utf8)) == BytePath(records.utf8))
}

@Test func contentsDigestsDependOnPathsAndBytesAlone() throws {
  let paths = try ["a", "b/c", "b"].map { try #require(RelativePath($0.utf8)) }
  var forward = ContentsDigest()
  var backward = ContentsDigest()
  for (index, path) in paths.enumerated() {
    forward.add(path, sha256: SHA256.digest(of: [UInt8(index)]))
    backward.add(paths[2 - index], sha256: SHA256.digest(of: [UInt8(2 - index)]))
  }
  #expect(forward.finalize() == backward.finalize())
  #expect(ContentsDigest().finalize() == SHA256.digest(of: []))
  backward.add(paths[0], sha256: SHA256.digest(of: [0]))
  #expect(forward.finalize() != backward.finalize())
}
