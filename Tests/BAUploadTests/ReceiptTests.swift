import BAPackCore
import BAUpload
import Foundation
import Testing

@Suite struct ReceiptTests {
  @Test func receiptsAreReadAsWritten() throws {
    let folder = try ScratchFolder()
    let pack = BytePath(folder.path("Pack.aar").utf8)
    func receipt(server: String = "https://a", app: String = "1") throws -> Receipt {
      try Receipt(ofPackAt: pack, server: server, app: app, identifier: "pack")
    }
    var upload = Receipt.Upload(state: .uploading, sha256: "ab", size: .max)
    upload.versionID = "v"
    upload.version = "3"
    upload.knownVersions = ["u"]
    upload.fileID = "f"
    upload.manifestFileID = "m"
    upload.parts = [5..<12]
    let earlier = Receipt.Upload(state: .complete, sha256: "cd", size: 0)
    do {
      try receipt().change { entry in
        entry.packID = "p"
        entry.current = upload
        entry.uploaded = [earlier]
      }
    }
    do { try receipt(app: "2").change { $0.packID = "q" } }

    let found = try receipt().entry
    #expect(found.packID == "p")
    #expect(found.current == upload)
    #expect(found.uploaded == [earlier])
    #expect(try receipt(app: "2").entry.packID == "q")
    #expect(try receipt(server: "https://b").entry.current == nil)
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
      _ = try Receipt(
        ofPackAt: BytePath(folder.path("Pack.aar").utf8), server: "s", app: "a", identifier: "i")
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
