import AppStoreConnect
import BAPackCore
import Foundation
import Testing

@Suite struct ReceiptTests {
  @Test func receiptsAreReadAsWritten() throws {
    let folder = try ScratchFolder()
    let pack = BytePath(folder.path("Pack.aar").utf8)
    var receipt = try Receipt(ofPackAt: pack)
    var entry = receipt.entry(server: "https://a", app: "1", identifier: "pack")
    entry.packID = "p"
    var upload = Receipt.Upload(state: .uploading, sha256: "ab", size: .max)
    upload.versionID = "v"
    upload.version = "3"
    upload.knownVersions = ["u"]
    upload.fileID = "f"
    upload.manifestFileID = "m"
    upload.parts = [5..<12]
    entry.current = upload
    entry.uploaded = [Receipt.Upload(state: .complete, sha256: "cd", size: 0)]
    try receipt.update(entry)
    try receipt.update(Receipt.Entry(server: "https://a", app: "2", identifier: "pack"))

    let read = try Receipt(ofPackAt: pack)
    #expect(read.entries.count == 2)
    let found = read.entry(server: "https://a", app: "1", identifier: "pack")
    #expect(found.packID == "p")
    #expect(found.current == entry.current)
    #expect(found.uploaded == entry.uploaded)
    #expect(read.entry(server: "https://b", app: "1", identifier: "pack").current == nil)
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("{,}", "it is not JSON"), ("{}", "another version"),
    (#"{"schemaVersion":1,"uploads":[7]}"#, "a value is missing or invalid"),
    (
      #"{"schemaVersion":1,"uploads":[{"server":"s","app":"a","assetPackID":"i","current":{}}]}"#,
      "a value is missing or invalid"
    ),
  ])
  func othersAreRefused(_ text: String, _ reason: String) throws {
    let folder = try ScratchFolder()
    _ = folder.file("Pack.aar.upload.json", Data(text.utf8))
    do {
      _ = try Receipt(ofPackAt: BytePath(folder.path("Pack.aar").utf8))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test func versionsAreSortedByNumber() throws {
    let versions = try ["9", "10", "2"].compactMap { number in
      try Resource([
        "type": "backgroundAssetVersions", "id": JSONValue("id-" + number),
        "attributes": ["version": JSONValue(number), "state": "COMPLETE"],
      ]).map { try VersionRecord($0) }
    }
    #expect(versions.sorted(by: VersionRecord.precedes).map(\.number) == ["2", "9", "10"])
  }
}
