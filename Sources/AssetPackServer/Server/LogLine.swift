import BAPackCore

extension HTTPExchange {
  /// The request as a line of text.
  package var line: String {
    var parts = [
      Clock.timeOfDay(time), request.peer.map(\.description) ?? "-", request.method,
      printable(request.target) + (request.platform.map { "?platform=" + printable($0) } ?? ""),
      "\(status)",
    ]
    if let range = request[.range] { parts.append("(\(printable(range.prefix(64).utf8)))") }
    parts.append(byteCount(bytes))
    parts.append(seconds + " s")
    if isCut { parts.append("cut off") }
    return parts.joined(separator: " ")
  }

  /// The request as JSON.
  package var json: JSONValue {
    var members = [
      JSONMember("event", "request"), JSONMember("time", JSONValue(Clock.timestamp(time))),
      JSONMember("peer", JSONValue(request.peer.map(\.description) ?? "")),
      JSONMember("method", JSONValue(printable(request.method.utf8))),
      JSONMember("path", JSONValue(printable(request.target))),
    ]
    if let platform = request.platform {
      members.append(JSONMember("platform", JSONValue(printable(platform))))
    }
    if let range = request[.range] {
      members.append(JSONMember("range", JSONValue(printable(range.prefix(64).utf8))))
    }
    members += [
      JSONMember("status", JSONValue(status)), JSONMember("bytes", JSONValue(bytes)),
      JSONMember("seconds", JSONValue(.number(JSONNumber(text: seconds)))),
      JSONMember("isCut", JSONValue(.bool(isCut))),
    ]
    return JSONValue(.object(members))
  }

  /// Seconds with three decimals.
  private var seconds: String {
    let milliseconds = (duration + 500_000) / 1_000_000
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
