import BAPackCore
import CBACurl

/// Sends requests, one at a time, over persistent connections. Used by one thread.
@safe final class Connection {
  private let handle: UnsafeMutableRawPointer
  /// libcurl's description of the last error. libcurl keeps the pointer as long as the handle.
  private let errorText: UnsafeMutablePointer<CChar>
  private let timeout: Int

  static let largestAnswer = 16 << 20
  /// The maximum size of its headers, less than libcurl's own.
  static let largestHeaders = 256 << 10

  /// A connection that cancels a request after `timeout` seconds without a byte.
  init(timeout: Int) {
    let code = startLibrary
    guard code == CURLE_OK, let handle = unsafe curl_easy_init() else {
      preconditionFailure("libcurl can't be started: \(code.rawValue)")
    }
    unsafe self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    self.timeout = timeout
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe errorText.deallocate()
  }

  /// Sends `request`, and waits for the response, whatever its status. Redirects are not followed.
  ///
  /// `progress` is called periodically with the number of body bytes sent so far; the transfer is
  /// cancelled if it returns false, or if a signal arrived. After `limit` without a further byte
  /// sent, it fails, even if the response comes byte by byte.
  func send(
    _ request: HTTPRequest, limit: Duration = Retry.longestWait,
    progress: @escaping (UInt64) -> Bool = { _ in true }
  ) throws -> HTTPResponse {
    let transfer = Transfer(request.body, limit, progress)
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    let headers = try unsafe headerList(request)
    defer { unsafe curl_slist_free_all(headers) }

    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    // SAFETY: libcurl copies the strings, and uses the rest during `curl_easy_perform` only.
    let prepared = unsafe request.url.text.withCString { url in
      unsafe request.method.withCString { method in
        var options = unsafe ba_curl_request(
          url: url, method: method, headers: headers,
          size: request.body.map { curl_off_t($0.count) } ?? -1, timeout: timeout,
          is_loopback: request.url.isLoopback ? 1 : 0,
          may_be_repeated: ["GET", "PUT"].contains(request.method) ? 1 : 0, error: errorText,
          context: context,
          receive_body: receiveBody, receive_header: receiveHeader, send_body: sendBody,
          seek_body: seekBody, progress: checkProgress)
        return unsafe ba_curl_prepare(handle, &options)
      }
    }
    // Without one of its options, no request is sent.
    guard prepared == CURLE_OK else {
      throw StoreError(
        "libcurl refused an option: \(unsafe String(cString: curl_easy_strerror(prepared)))")
    }

    let code = withExtendedLifetime(transfer) { unsafe curl_easy_perform(handle) }
    if let failure = transfer.failure { throw failure }
    if code != CURLE_OK {
      try Interrupted.check("the same command continues")
      throw error(code, request, transfer)
    }
    let status = unsafe ba_curl_status(handle)
    return HTTPResponse(status: status, headers: transfer.headers, body: transfer.received)
  }

  /// The request's headers, without those that libcurl would add. The caller frees them.
  private func headerList(
    _ request: HTTPRequest
  ) throws -> UnsafeMutablePointer<curl_slist>? {
    let names = Set(request.headers.map { $0.name.lowercased() })
    let unwanted = ["Accept", "Expect", "Content-Type"].filter { !names.contains($0.lowercased()) }
    // A trailing semicolon is libcurl's syntax for a header without a value.
    let lines =
      unwanted.map { "\($0):" }
      + request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = unsafe curl_slist_append(list, line) else {
        unsafe curl_slist_free_all(list)
        throw StoreError("\(request.name): not enough memory for the headers")
      }
      unsafe list = longer
    }
    return unsafe list
  }

  private func error(
    _ code: CURLcode, _ request: HTTPRequest, _ transfer: Transfer
  ) -> StoreError {
    let words = unsafe String(cString: errorText)
    let message =
      if transfer.isTooLarge {
        "the response has more than \(grouped(Connection.largestAnswer)) bytes, or"
          + " \(grouped(Connection.largestHeaders)) in its headers"
      } else if transfer.isTooSlow {
        "the response was not complete in time"
      } else {
        unsafe words.isEmpty ? String(cString: curl_easy_strerror(code)) : withoutSecrets(words)
      }
    var error = StoreError("\(request.name): \(printable(message.utf8))")
    error.isTemporary =
      switch code {
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
        CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
        CURLE_PARTIAL_FILE, CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
        true
      default: transfer.isTooSlow
      }
    return error
  }
}

private let startLibrary: CURLcode = ba_curl_start()

/// The time in an HTTP date; nil if it is invalid.
package func secondsSince1970(httpDate text: String) -> Int? {
  let time = unsafe curl_getdate(text, nil)
  return time < 0 ? nil : time
}

/// The time in a date of the API (`2026-07-27T12:34:56.000+00:00`); nil if it is invalid.
package func secondsSince1970(apiDate text: String) -> Int? {
  // libcurl parses this form with spaces: '20260727 12:34:56 +0000'.
  guard let letter = text.firstIndex(of: "T") else { return nil }
  let day = text[..<letter].filter { $0 != "-" }
  let rest = text[text.index(after: letter)...]
  let time = rest.prefix { $0.isNumber || $0 == ":" }
  let zone = rest.dropFirst(time.count).drop { $0 == "." || $0.isNumber }.filter { $0 != ":" }
  guard day.count == 8, time.count == 8 else { return nil }
  return secondsSince1970(httpDate: "\(day) \(time) \(zone == "Z" ? "GMT" : zone)")
}

private final class Transfer {
  let body: HTTPRequest.Body?
  let progress: (UInt64) -> Bool
  /// The number of body bytes that libcurl has read.
  var position: UInt64 = 0
  var failure: (any Error)?
  var headers: [String: String] = [:]
  var received: [UInt8] = []
  var headerSize = 0
  var isTooLarge = false
  let limit: Duration
  var isTooSlow = false
  private var sent: UInt64 = 0
  private var since = ContinuousClock.now

  init(
    _ body: HTTPRequest.Body?, _ limit: Duration, _ progress: @escaping (UInt64) -> Bool
  ) {
    self.body = body
    self.limit = limit
    self.progress = progress
  }

  /// Whether the transfer goes on after `bytes` were sent.
  func goesOn(_ bytes: UInt64) -> Bool {
    let now = ContinuousClock.now
    if bytes != sent { (sent, since) = (bytes, now) }
    isTooSlow = now - since > limit
    return progress(bytes) && !isTooSlow && Interruption.pending == nil
  }

  /// Fills `buffer` with the next bytes; nil if the file can't be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let body else { return 0 }
    let count = Int(min(UInt64(buffer.count), body.count - position))
    switch body {
    case .bytes(let bytes):
      let start = Int(position)
      unsafe buffer.copyBytes(from: bytes[start..<start + count])
    case .file(let input, let offset, _):
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      do {
        guard try unsafe input.read(into: part, at: offset + position) == count else {
          throw input.error(
            ArchiveDamage(
              .containerCut, "the file became shorter while it was read",
              at: ArchivePlace(file: offset + position)))
        }
      } catch {
        failure = error
        return nil
      }
    }
    position += UInt64(count)
    return count
  }

  func header(_ line: [UInt8]) {
    // Keeps only the last response: there may be one with status 100 before it.
    if line.starts(with: "HTTP/".utf8) { headers = [:] }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), headers.count < 200 else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
    headers[name] = String(value.drop { $0 == " " || $0 == "\t" }.prefix { !$0.isNewline })
  }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
  guard let context = unsafe context else { preconditionFailure("no transfer") }
  return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private func sendBody(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: start, count: size * count)
  return unsafe transfer(context).read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private func seekBody(
  _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: CInt
) -> CInt {
  let transfer = unsafe transfer(context)
  guard origin == 0, offset >= 0, UInt64(offset) <= transfer.body?.count ?? 0 else {
    return CURL_SEEKFUNC_FAIL
  }
  transfer.position = UInt64(offset)
  return CURL_SEEKFUNC_OK
}

private func receiveBody(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let transfer = unsafe transfer(context)
  let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size * count)
  guard transfer.received.count + bytes.count <= Connection.largestAnswer else {
    transfer.isTooLarge = true
    return 0
  }
  unsafe transfer.received.append(contentsOf: bytes)
  return bytes.count
}

private func receiveHeader(
  _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let transfer = unsafe transfer(context)
  transfer.headerSize += size * count
  guard transfer.headerSize <= Connection.largestHeaders else {
    transfer.isTooLarge = true
    return 0
  }
  transfer.header(unsafe Array(UnsafeRawBufferPointer(start: start, count: size * count)))
  return size * count
}

private func checkProgress(
  _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t,
  _ sent: curl_off_t
) -> CInt {
  unsafe transfer(context).goesOn(UInt64(max(0, sent))) ? 0 : 1
}
