import BAServer
import Foundation
import Testing

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=5-9", .part(5..<10)),
      ("bytes=10-", .part(10..<100)), ("bytes=-30", .part(70..<100)),
      ("bytes=-200", .part(0..<100)), ("bytes=99-500", .part(99..<100)),
      ("bytes=0-18446744073709551615", .part(0..<100)),
      ("bytes=0-184467440737095516150", .part(0..<100)), ("BYTES = 1 -\t2", .part(1..<3)),
      ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=18446744073709551615-", .unsatisfiable), ("bytes=9-5", .whole), ("bytes=-", .whole),
      ("bytes=", .whole), ("bytes", .whole), ("", .whole), ("bytes=0-1,3-4", .whole),
      ("bytes=0-1=", .whole), ("bytes=+1-2", .whole), ("items=0-1", .whole), ("bytes=0--1", .whole),
    ])
  func ofAHundredBytes(_ header: String, _ expected: ByteRange) {
    #expect(ByteRange(header, size: 100) == expected)
  }

  /// Whatever is taken for a part is one, and is within the file.
  @Test func mutatedHeadersAreForTheWholeOrAPart() {
    let letters = Array("bytes=-0123456789 \t,;+.x")
    let form = #/[ \t]*(?i:bytes)[ \t]*=[ \t]*([0-9]*)[ \t]*-[ \t]*([0-9]*)[ \t]*/#
    for _ in 0..<20_000 {
      var text = Array(["bytes=10-19", "bytes=-30", "bytes=95-"].randomElement() ?? "")
      for _ in 0..<Int.random(in: 1...3) {
        let place = Int.random(in: 0..<text.count)
        switch Int.random(in: 0..<3) {
        case 0: text.remove(at: place)
        case 1: text.insert(letters.randomElement() ?? "x", at: place)
        default: text[place] = letters.randomElement() ?? "x"
        }
      }
      let header = String(text)
      guard case .part(let range) = ByteRange(header, size: 100) else { continue }
      #expect(!range.isEmpty && range.upperBound <= 100, "\(header)")
      guard let match = header.wholeMatch(of: form) else {
        Issue.record("\(header)")
        continue
      }
      if let first = UInt64(match.1) { #expect(range.lowerBound == first, "\(header)") }
      if let last = UInt64(match.2) {
        let end = match.1.isEmpty ? 100 : min(last + 1, 100)
        #expect(range.upperBound == end, "\(header)")
      }
    }
  }

  @Test func ofAnEmptyFile() {
    #expect(ByteRange(nil, size: 0) == .whole)
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-5", size: 0) == .unsatisfiable)
  }
}

@Suite struct ConditionsTests {
  private func verdict(_ headers: [HTTPRequest.Header: String]) -> Conditions.Verdict {
    let request = HTTPRequest(method: "GET", target: Array("/".utf8), headers: headers)
    return Conditions.verdict(request, tag: "\"a\"", modified: 1_000_000_000)
  }

  private let same = "Sun, 09 Sep 2001 01:46:40 GMT"
  private let earlier = "Sun, 09 Sep 2001 01:46:39 GMT"

  @Test func comeInTheOrderOfTheStandard() {
    #expect(verdict([:]) == .send)
    #expect(verdict([.ifMatch: "\"b\""]) == .failed)
    #expect(verdict([.ifMatch: "W/\"a\""]) == .failed)
    #expect(verdict([.ifMatch: "\"b\", \"a\""]) == .send)
    #expect(verdict([.ifMatch: "\"a\"", .ifUnmodifiedSince: earlier]) == .send)
    #expect(verdict([.ifUnmodifiedSince: earlier]) == .failed)
    #expect(verdict([.ifUnmodifiedSince: same]) == .send)
    #expect(verdict([.ifNoneMatch: "W/\"a\""]) == .notModified)
    #expect(verdict([.ifNoneMatch: "\"b\"", .ifModifiedSince: same]) == .send)
    #expect(verdict([.ifModifiedSince: same]) == .notModified)
    #expect(verdict([.ifModifiedSince: earlier]) == .send)
    #expect(verdict([.ifModifiedSince: "2001-09-09"]) == .send)
  }

  @Test func rangesAreForTheSameFileOnly() {
    #expect(verdict([.range: "bytes=0-", .ifRange: "\"a\""]) == .send)
    #expect(verdict([.range: "bytes=0-", .ifRange: "\"b\""]) == .sendWhole)
    #expect(verdict([.range: "bytes=0-", .ifRange: "W/\"a\""]) == .sendWhole)
    #expect(verdict([.range: "bytes=0-", .ifRange: same]) == .sendWhole)
    #expect(verdict([.range: "bytes=0-", .ifRange: earlier]) == .sendWhole)
    #expect(verdict([.ifRange: "\"b\""]) == .send)
  }
}

@Suite struct HTTPRequestTests {
  private func path(_ target: String) -> String? {
    HTTPRequest(method: "GET", target: Array(target.utf8)).path
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func pathsAreDecodedOnce() {
    #expect(path("/assetpacks/a%20b%2Fc") == "/assetpacks/a b/c")
    #expect(path("/%2541") == "/%41")
    #expect(path("/a%") == nil)
    #expect(path("/a%4") == nil)
    #expect(path("/a%gg") == nil)
    #expect(path("/a%00") == nil)
    #expect(path("*") == nil)
    #expect(path("") == nil)
  }

  @Test func wholeURLsNameTheHost() {
    let request = HTTPRequest(
      method: "GET", target: Array("https://a.example:1/b".utf8), headers: [.host: "c.example"])
    #expect(request.host == "a.example:1")
    #expect(request.path == Array("/b".utf8))
    #expect(HTTPRequest(method: "GET", target: Array("http://a".utf8)).path == Array("/".utf8))
  }

  @Test func namesAndPasswordsAreDropped() {
    for (target, shown, host) in [
      ("HTTPS://me:S3cr3t@a.example/b", "HTTPS://a.example/b", "a.example"),
      ("hTTp://me:S3c@r3t@a.example:1", "hTTp://a.example:1", "a.example:1"),
      ("ftp://me:S3cr3t@a.example/b", "ftp://a.example/b", "…@c.example"),
      ("me:S3cr3t@a.example:443", "a.example:443", "…@c.example"),
      ("/me:S3cr3t@a.example", "/me:S3cr3t@a.example", "…@c.example"),
    ] {
      let request = HTTPRequest(
        method: "GET", target: Array(target.utf8), headers: [.host: "me:S3cr3t@c.example"])
      #expect(String(decoding: request.target, as: UTF8.self) == shown)
      #expect(request.host == host)
    }
  }

  /// Whatever is taken for a host is one of the few ways to write it.
  @Test func mutatedHostsAreOthersOrNone() {
    let right = ["packs.example:8443", "[fd00::1]:8443", "192.0.2.1:8443"]
    let letters = Array("apcx019.:[]@/%-_ \\#?\u{0}é".unicodeScalars)
    for _ in 0..<20_000 {
      var text = Array(right[Int.random(in: 0..<3)].unicodeScalars)
      for _ in 0..<Int.random(in: 1...3) {
        let place = Int.random(in: 0..<text.count)
        switch Int.random(in: 0..<3) {
        case 0: text.remove(at: place)
        case 1: text.insert(letters.randomElement() ?? "x", at: place)
        default: text[place] = letters.randomElement() ?? "x"
        }
      }
      var host = String.UnicodeScalarView()
      host.append(contentsOf: text)
      guard let (name, port) = hostAndPort(String(host)) else { continue }
      let shown = name.contains(":") ? "[\(name)]" : name
      // Equal but for leading zeros of a port, and ways to write an address.
      #expect(hostAndPort(shown)?.name == name)
      #expect(name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789.-_:".utf8.contains($0) })
      if name == "packs.example" {
        let end = String(host).dropFirst(name.count)
        #expect(end.isEmpty || end.first == ":" && port == UInt16(end.dropFirst()), "\(host)")
      }
    }
  }

  @Test func hostsWithoutPorts() {
    #expect(hostAndPort("Packs.Example:8443")?.name == "packs.example")
    #expect(hostAndPort("Packs.Example:8443")?.port == 8443)
    #expect(hostAndPort("[FD00::0:1]:8443")?.name == "fd00::1")
    #expect(hostAndPort("[FD00::0:1]:8443")?.port == 8443)
    #expect(hostAndPort("192.0.2.1")?.name == "192.0.2.1")
    #expect(hostAndPort("192.0.2.1")?.port == .some(nil))
    for wrong in [
      "a:b", "a:", "a:+1", "a:99999", "[::1", "[::1]x", "::1", "a b", "", "-a", "a..b", "a/b",
      "a@b",
    ] {
      #expect(hostAndPort(wrong) == nil, "\(wrong)")
    }
  }
}

@Suite struct ClockTests {
  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (1_795_272_043, "Sat, 21 Nov 2026 14:40:43 GMT"),
      (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ] as [(Int64, String)])
  func httpDates(_ seconds: Int64, _ text: String) {
    #expect(Clock.httpDate(seconds) == text)
    #expect(Clock.seconds(httpDate: text) == seconds)
  }

  @Test func otherDatesAreNone() {
    for text in [
      "Fri, 01 Jan 1970 00:00:00 GMT", "Thu, 32 Jan 1970 00:00:00 GMT",
      "Thursday, 01-Jan-70 00:00:00 GMT", "Thu Jan  1 00:00:00 1970", "",
      "Thu, 01 Jan 1970 24:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 CET",
      "Thu, 01 Jan 99999 00:00:00 GMT",
    ] {
      #expect(Clock.seconds(httpDate: text) == nil, "\(text)")
    }
  }
}

/// RFC 4291, 2.5.6 and RFC 3927, 2.1: whole prefixes, and nothing else.
@Test func linkLocalAddressesHaveTwoPrefixes() {
  for first in UInt8.min...UInt8.max {
    for second in UInt8.min...UInt8.max {
      let is4 = IPAddress([first, second, 0, 1])?.isLinkLocal
      #expect(is4 == ((first, second) == (169, 254)))
      let is6 = IPAddress([first, second] + [UInt8](repeating: 1, count: 14))?.isLinkLocal
      #expect(is6 == (first == 0xFE && (0x80...0xBF).contains(second)))
    }
  }
}

@Suite struct OverrideTests {
  @Test func isAHostAndNothingElse() throws {
    func accepted(_ text: String) -> String {
      do { return try overrideURL(Array(text.utf8)) } catch { return "\(error)" }
    }
    #expect(accepted("https://a.example:8443/") == "https://a.example:8443")
    #expect(accepted("HTTPS://u:p%40@[::1]:1") == "https://u:p%40@[::1]:1")
    #expect(accepted("http://a.example") == "it must begin with 'https://'")
    for text in [
      "https://a.example/x", "https://a.example?x", "https://u:p@a.example#", "https://a//",
    ] {
      #expect(accepted(text) == "devices replace path and query, so there may be none", "\(text)")
    }
    // Foundation reads URLs, too.
    let whole = "https://user:p%20w@host-1.example:8443"
    var taken = 0
    for _ in 0..<5000 {
      var text = Array(whole)
      for _ in 0..<Int.random(in: 1...3) {
        let place = Int.random(in: 8..<text.count)
        if Bool.random() { text.remove(at: place) }
        text.insert("/?#@:[]%\\ \t\u{7F}é.-aZ0".randomElement() ?? "/", at: place)
      }
      guard let url = try? overrideURL(Array(String(text).utf8)) else { continue }
      let parts = try #require(URLComponents(string: url), "\(url)")
      #expect(parts.scheme == "https" && parts.host?.isEmpty == false, "\(url)")
      #expect(parts.path == "" && parts.query == nil && parts.fragment == nil, "\(url)")
      taken += 1
    }
    #expect((100..<4900).contains(taken))
  }
}
