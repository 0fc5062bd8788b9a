import BAPackCore
import BAUpload
import Testing

/// The server's plan for the parts of a file.
@Suite struct OperationTests {
  @Test func partsAreSorted() throws {
    let plan = try UploadOperation.plan([part(10, 5), part(0, 10)], size: 15)
    #expect(plan.map(\.range) == [0..<10, 10..<15])
    #expect(plan[0].headers.map { [$0.name, $0.value] } == [["x-a", "b"]])
  }

  @Test(arguments: [
    ([(0, 10), (12, 3)], "bytes 10 to 11 are in no part"),
    ([(0, 10), (8, 7)], "byte 8 is in two parts"),
    ([(0, 10)], "the parts end at byte 10, and the file has 15"),
    ([(0, 20)], "the parts end at byte 20, and the file has 15"),
    ([(0, 15), (0, 15)], "byte 0 is in two parts"),
    ([], "the parts end at byte 0, and the file has 15"),
    ([(0, 0), (0, 15)], "a part has no offset or no length"),
  ])
  func othersAreRefused(_ ranges: [(Int, Int)], _ reason: String) {
    refuses(ranges.map { part($0.0, $0.1) }, reason)
  }

  @Test func partsWithoutAddressAreRefused() {
    refuses([part(0, 15, url: "http://example.com/a")], "a part has no address with https")
    refuses([part(0, 15, url: "")], "a part has no address with https")
    refuses([part(0, 15, method: "DELETE")], "a part has no method 'PUT'")
    refuses([JSONValue("part")], "a part has no method 'PUT'")
  }

  @Test func headersAreSentAsGivenOrNotAtAll() throws {
    refuses([part(0, 15, header: ("x", "a\r\nb: c"))], "a part has a header that can't be sent")
    for header in [("x y", "a"), ("x", " "), ("Transfer-Encoding", "chunked")] {
      refuses([part(0, 15, header: header)], "a part has a header that can't be sent")
    }
    refuses(
      [part(0, 15, header: ("Content-Length", "3"))], "a part has a header with another length")
    let plan = try UploadOperation.plan(
      [part(0, 15, header: ("content-length", "15"))], size: 15)
    #expect(plan[0].headers.isEmpty)
  }

  @Test func hugeNumbersAreRefused() {
    refuses([part(Int.max, Int.max)], "a part has no offset or no length")
  }

  private func refuses(_ parts: [JSONValue], _ reason: String) {
    do {
      _ = try UploadOperation.plan(parts, size: 15)
      Issue.record("accepted")
    } catch {
      #expect("\(error)" == "the server's plan for the upload doesn't fit the file: \(reason)")
    }
  }

  private func part(
    _ offset: Int, _ length: Int, url: String = "https://example.com/a?secret",
    method: String = "PUT", header: (String, String) = ("x-a", "b")
  ) -> JSONValue {
    [
      "method": JSONValue(method), "url": JSONValue(url), "offset": JSONValue(offset),
      "length": JSONValue(length),
      "requestHeaders": [["name": JSONValue(header.0), "value": JSONValue(header.1)]],
    ]
  }
}
