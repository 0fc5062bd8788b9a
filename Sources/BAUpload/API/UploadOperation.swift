import BAPackCore

/// A part of a file, and its upload URL. The URL is a secret: anyone who knows it can upload the
/// part.
package struct UploadOperation: Sendable {
  package let method: String
  package let url: WebAddress
  package let range: Range<UInt64>
  package let headers: [(name: String, value: String)]
  package let expiration: Int?

  /// The operations for a file of `size` bytes, in the order of the file; throws unless they cover
  /// each byte exactly once.
  package static func plan(
    _ values: [JSONValue], size: UInt64
  ) throws -> [UploadOperation] {
    var operations: [UploadOperation] = []
    for value in values { operations.append(try UploadOperation(value)) }
    operations.sort { $0.range.lowerBound < $1.range.lowerBound }
    var end: UInt64 = 0
    for operation in operations {
      let start = operation.range.lowerBound
      if start > end { throw Self.error("bytes \(end) to \(start - 1) are in no part") }
      if start < end { throw Self.error("byte \(start) is in two parts") }
      end = operation.range.upperBound
    }
    guard end == size else {
      throw Self.error("the parts end at byte \(end), and the file has \(size)")
    }
    return operations
  }

  private init(_ value: JSONValue) throws {
    guard let method = value["method"]?.string, ["PUT", "POST"].contains(method) else {
      throw Self.error("a part has no method 'PUT'")
    }
    guard let offset = value["offset"]?.count, let length = value["length"]?.count, length > 0,
      length <= UInt64(Int64.max) - min(offset, UInt64(Int64.max))
    else { throw Self.error("a part has no offset or no length") }
    guard let url = WebAddress(value["url"]?.string ?? "") else {
      throw Self.error("a part has no address with https")
    }
    var headers: [(name: String, value: String)] = []
    for header in value["requestHeaders"]?.array ?? [] {
      guard let name = header["name"]?.string, let text = header["value"]?.string,
        !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }),
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
        // libcurl would leave out a value of blanks.
        text.isEmpty || text.utf8.contains(where: { $0 != 0x20 }),
        name.lowercased() != "transfer-encoding"
      else { throw Self.error("a part has a header that can't be sent") }
      if name.lowercased() == "content-length" {
        guard UInt64(text) == length else {
          throw Self.error("a part has a header with another length")
        }
        continue
      }
      headers.append((name, text))
    }
    self.method = method
    self.url = url
    range = offset..<offset + length
    self.headers = headers
    expiration = value["expiration"]?.string.flatMap(secondsSince1970(apiDate:))
  }

  static func error(_ reason: String) -> StoreError {
    StoreError(
      "the server's plan for the upload doesn't fit the file: \(reason)", isOfOnePack: true)
  }
}
