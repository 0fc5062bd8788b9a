import BAPackCore
import BAUpload
import Testing

@Suite struct AddressTests {
  @Test(arguments: [
    ("https://api.example.com/v1/apps?x=1", "https://api.example.com"),
    ("HTTPS://API.Example.com:8443", "https://api.example.com:8443"),
    ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080"),
    ("http://localhost/a", "http://localhost"),
    ("http://[::1]:80/a", "http://[::1]:80"),
  ])
  func goodAddresses(_ text: String, _ origin: String) {
    #expect(WebAddress(text)?.origin == origin)
  }

  @Test(arguments: [
    "", "api.example.com", "ftp://127.0.0.1", "https://", "https://a b", "https://user@host/",
    "https://host:0", "https://host:99999", "https://ho\\st", "https://h\u{E9}",
    "https://host\r\nX: 1", "file:///etc/passwd",
  ])
  func badAddresses(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    "http://api.example.com", "http://127.0.0.1.example.com", "http://127.0.0.2", "http://0.0.0.0",
    "http://localhost.example.com",
  ])
  func plainHTTPStaysOnThisMachine(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("see https://h/p?Signature=abc, or", "see https://h/p?... or"),
    ("\"https://h/p?a=1\" and 'https://h/q?b=2'", "\"https://h/p?...\" and 'https://h/q?...'"),
    ("why? because", "why? because"), ("https://h/p?", "https://h/p?..."), ("", ""),
    ("/v1/apps?a=1?b=2", "/v1/apps?..."), ("eyJ.eyJ", "[secret]"), ("eyJ, a.eyJ", "eyJ, a.eyJ"),
    ("Bearer eyJhbGciOi.eyJpc3Mi.a-b_c, too", "Bearer [secret], too"),
    ("/v1/eyJh.eyJp.x/eyJh.eyJp", "/v1/[secret]/[secret]"),
  ])
  func secretsAreLeftOut(_ text: String, _ shown: String) {
    #expect(withoutSecrets(text) == shown)
  }

  @Test(arguments: [
    ("2026-07-27T12:34:56.000+00:00", 1_785_155_696), ("2026-07-27T12:34:56Z", 1_785_155_696),
    ("2026-07-27T05:34:56-07:00", 1_785_155_696), ("1970-01-01T00:00:00+00:00", 0),
  ])
  func dates(_ text: String, _ seconds: Int) {
    #expect(secondsSince1970(apiDate: text) == seconds)
  }

  @Test(arguments: ["", "T", "2026-07-27", "2026-07-27T12", "yesterday"])
  func otherDates(_ text: String) {
    #expect(secondsSince1970(apiDate: text) == nil)
  }

  @Test func percentEncoding() {
    #expect(percentEncoded("a-Z_0.~") == "a-Z_0.~")
    #expect(percentEncoded("filter[x]=/?é") == "filter%5Bx%5D%3D%2F%3F%C3%A9")
  }

  @Test func pausesGrowAndKeepWhatTheServerAsks() {
    for failures in 1...20 {
      let delay = Retry.delay(after: failures)
      let limit = min(Duration.milliseconds(500) * (1 << (failures - 1)), .seconds(60))
      #expect(delay >= limit / 2 && delay <= limit)
    }
    #expect(Retry.delay(after: 1, asked: .seconds(90)) == .seconds(90))
  }
}
